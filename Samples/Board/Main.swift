// A notice board:
//
//     Scripts/run board                            # then open http://127.0.0.1:8080/
//     Scripts/run board publish kitchen "Tea!"     # in another terminal
//     Scripts/run board watch kitchen
//     curl -N http://127.0.0.1:8080/topics/kitchen
//
// The guide "Writing a daemon" explains it part by part.

import Glibc
import Runnel

@main
@MainActor
struct Main {
  static func main() {
    do {
      exit(run(try Invocation(Array(CommandLine.arguments.dropFirst()))))
    } catch {
      complain("\(error) Try board --help.")
      exit(2)
    }
  }

  private static func run(_ invocation: Invocation) -> Int32 {
    if invocation.command == "help" {
      print(Invocation.help, terminator: "")
      return 0
    }
    Hooks.unhandledFailure = { Log("board").error("\($0.error)") }
    if let format = invocation.logFormat { Log.format = format }
    if let level = invocation.logLevel { Log.level = level }
    let outcome = EventLoop.main.runUntilTerminated { service in
      if invocation.command == "serve" { return try Daemon(invocation: invocation).start(service) }
      let output = try Writer(STDOUT_FILENO, on: .main)
      let client = try Client(url: invocation["url"], topic: invocation.words[0])
      if invocation.command == "publish" {
        let token = invocation["token"] ?? getenv("BOARD_TOKEN").map { String(cString: $0) }
        let id = try await client.publish(invocation.words[1], token: token)
        try await output.writing("\(id)\n").completion()
        service.shutDown()
      } else {
        let texts = client.posts(after: invocation.after).do(next: { _ = output.write($0 + "\n") })
        try await Completable(texts.ignoreElements()).completion()
      }
    }
    let isDaemon = invocation.command == "serve"
    func report(_ error: Any) {
      if isDaemon { Log("board").error("\(error)") } else { complain(error) }
    }
    if case .failure(let error) = outcome.reason { report(error) }
    for failure in outcome.failures { report(failure) }
    return outcome.exitCode
  }
}

/// Writes an error of a command for the person who gave it.
private func complain(_ error: Any) {
  try? StandardFile.errors.write(Array("board: \(error)\n".utf8))
}
