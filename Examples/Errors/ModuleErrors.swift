import Runnel

/// One case for each reaction of the program.
enum ImportError: Error {
  case temporary(String)  // try again
  case permanent(String)  // tell the user
}

let loop = EventLoop.main

let program = loop.output(of: "no-such-program")
  .mapFailure { error in
    switch error {
    case .tooManyProcesses, .tooManyDescriptors: ImportError.temporary("\(error)")
    default: ImportError.permanent("\(error)")
    }
  }
let value = EventStream<String, Never>.just(#"{"price": }"#)
  .decode([String: Int].self)
  .mapFailure { error in ImportError.permanent("\(error)") }
let connection = Connection.connect(to: .unix("no-such-socket"), on: loop)
  .mapFailure { error in
    switch error.cause {
    case .refused, .noSocket, .unreachable, .timedOut: ImportError.temporary("\(error)")
    default: ImportError.permanent("\(error)")
    }
  }

program.observe(succeeded: { _ in }, failed: { print($0) })
value.observe(failed: { print($0) })
connection.observe(succeeded: { _ in }, failed: { print($0) })
loop.run(for: .milliseconds(100))

// Output:
// permanent("There is no program \"no-such-program\". Install it, or give its full path. For a script, check that the interpreter in its first line exists.")
// permanent("line 1, column 11: A value is expected.")
// temporary("Could not connect to no-such-socket: there is no socket with this path. Check the path and that the server runs.")
