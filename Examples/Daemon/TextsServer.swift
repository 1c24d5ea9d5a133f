import Glibc
import Runnel

let port = CommandLine.arguments.dropFirst().compactMap(UInt16.init).first ?? 8080
let outcome = EventLoop.main.runUntilTerminated { service in
  let texts = PushStream<String>()
  let server = HTTPServer(on: EventLoop.main)
  server.post("/texts") { request in
    request.body.text(atMost: 16_384).map { text in
      texts.next(text)
      return HTTPStatus.created
    }
  }
  server.get("/texts") { _ in texts.map { ServerSentEvent($0) } }
  let listener = try server.listen(.tcp("127.0.0.1", port: port))
  Log("texts").info("Listening.", ["address": listener.address])
  service.onShutdown("requests", server.close(within: .seconds(5)))
}
exit(outcome.exitCode)

// Output:
// data: hello
