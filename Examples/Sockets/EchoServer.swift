import Glibc
import Runnel

let port = CommandLine.arguments.dropFirst().compactMap(UInt16.init).first ?? 7000
let outcome = EventLoop.main.runUntilTerminated { service in
  let server = try Listener(.tcp("localhost", port: port), on: EventLoop.main)
  server.connections.observeNext { client in
    client.lines().map { "echo \($0)\n" }.bind(to: client.writer)
  }
  Log("echo").info("Listening.", ["address": server.address])
  service.onShutdown("clients", server.close(within: .seconds(5)))
}
exit(outcome.exitCode)

// Output:
// echo hello
