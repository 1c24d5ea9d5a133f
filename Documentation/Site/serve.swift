// Serves the site that Scripts/docs has made. Scripts/docs --serve runs it.
import Glibc
import Runnel

let outcome = EventLoop.main.runUntilTerminated { service in
  let server = HTTPServer(on: EventLoop.main)
  server.get("/") { _ in HTTPResponse.redirect(to: "/index.html") }
  server.files("/", in: CommandLine.arguments[1])
  let listener = try server.listen(.tcp("127.0.0.1", port: 0))
  print("The site is at http://\(listener.address)/index.html. Ctrl-C ends the server.")
  service.onShutdown("requests", server.close(within: .seconds(1)))
}
exit(outcome.exitCode)
