import Runnel
import RunnelNetTesting
import Testing

@testable import NAME

@MainActor
@Test func helloGreets() {
  let server = HTTPServer(on: EventLoop.main)
  server.addRoutes()
  var greeting = ""
  server.test(HTTPRequest(.get, "/hello/Jim")).observe(succeeded: { response in
    response.body.text().observe(succeeded: { greeting = $0 }, failed: { _ in })
  })
  #expect(greeting == "Hello, Jim!\n")
}
