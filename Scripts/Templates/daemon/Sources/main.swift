import Glibc
import Runnel

let outcome = EventLoop.main.runUntilTerminated { service in
  let server = HTTPServer(on: EventLoop.main)
  server.addRoutes()
  let listener = try server.listen(.tcp("localhost", port: 8080))
  Log("NAME").info("Try curl \(listener.address)/hello/Jim")
  service.onShutdown("requests", server.close(within: .seconds(5)))
}
exit(outcome.exitCode)
