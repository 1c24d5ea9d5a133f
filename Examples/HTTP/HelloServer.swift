import Glibc
import Runnel

let port = CommandLine.arguments.dropFirst().compactMap(UInt16.init).first ?? 8080
let outcome = EventLoop.main.runUntilTerminated { service in
  let server = HTTPServer(on: EventLoop.main)
  server.get("/hello/:name") { request in "Hello, \(request["name"])!\n" }
  let listener = try server.listen(.tcp("localhost", port: port))
  Log("hello").info("Listening.", ["address": listener.address])
  service.onShutdown("requests", server.close(within: .seconds(10)))
}
exit(outcome.exitCode)

// Output:
// Hello, Jim!
