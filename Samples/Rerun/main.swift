// Runs a command again whenever a file in a folder changes:
//
//     Scripts/run rerun Sources swift build
//
// SIGHUP also runs it again. SIGTERM and Ctrl-C end both the program and the command.

import Glibc
import Runnel

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else {
  print("Usage: rerun FOLDER COMMAND [ARGUMENT …]")
  exit(2)
}

/// The number of commands that are running.
let running = Property(0)
var hasFailed = false

/// Prints a line without buffering, because the command writes to the same output.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

/// Runs a program until it exits or the stream is disposed. Sends a description of the exit status.
@MainActor
func run(_ program: String, _ arguments: [String]) -> EventStream<String, FileWatchError> {
  EventStream { observer in
    do throws(ProcessError) {
      let process = try ChildProcess(program, arguments, on: .main) {
        $0.output = .inherited
        $0.group = .own
      }
      running.value += 1
      process.exit.observeNext { status in
        running.value -= 1
        observer.next(status.isSuccess ? "done" : "\(status)")
      }
      return Disposable { process.terminate() }
    } catch {
      observer.next("\(error)")
      return .none
    }
  }
}

let outcome = EventLoop.main.runUntilTerminated { service in
  let loop = EventLoop.main
  let changes = loop.changes(at: arguments[0], recursively: true).map { _ in }
  let reloads = service.reloads.failing(with: FileWatchError.self)
  let runs = EventStream.merge(changes, reloads)
    .debounce(for: .milliseconds(100))
    .startWith(())
    .flatMapLatest { _ in run(arguments[1], Array(arguments[2...])) }
    .observe(
      next: { say("rerun: \($0)") },
      failed: { error in
        say("rerun: \(error)")
        hasFailed = true
        service.shutDown()
      })
  service.onShutdown("the command") {
    runs.dispose()
    // A command that does not exit on request is killed while the loop still runs.
    await running.first { $0 == 0 }.asCompletable().completion()
  }
}
exit(hasFailed ? 1 : outcome.exitCode)
