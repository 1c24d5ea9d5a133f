import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelNet

/// The client with the server of this package.
@Suite struct ClientServerTests {
  private func withServer(
    pieces size: Int, _ setUp: (HTTPServer) -> Void,
    _ body: (HTTPClient, TestScheduler) throws -> Void
  ) throws {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    network.pieceSize = size
    let server = HTTPServer(on: network)
    setUp(server)
    let listener = try server.listen(.tcp("server", port: 80))
    let client = HTTPClient(on: network)
    client.proxies = HTTPProxies()
    try body(client, scheduler)
    client.closeIdleConnections()
    scheduler.advance(by: .seconds(3))
    #expect(listener.connectionCount == 0)
  }

  @Test(arguments: [1, 7, 1 << 16])
  func methodsAndBodies(size: Int) throws {
    try withServer(pieces: size) { server in
      server.on(nil, "/echo") { request in
        let method = request.method
        return request.body.text().map { "\(method) \($0)" }
      }
    } _: { client, scheduler in
      var log: [String] = []
      let text = String(repeating: "0123456789", count: 20)
      let pieces = EventStream<[UInt8], Never>.sequence([Array(text.utf8), Array("end".utf8)])
      for (method, body) in [
        ("GET", HTTPBody.empty), ("POST", HTTPBody(text)), ("PUT", HTTPBody(pieces)),
        ("PATCH", HTTPBody(pieces, count: 203)), ("DELETE", .empty),
      ] {
        client.response(HTTPRequest(HTTPMethod(rawValue: method), "http://server/echo", body: body))
          .text().observe(succeeded: { log.append($0) }, failed: { log.append($0.brief) })
        scheduler.advance(by: .seconds(1))
      }
      #expect(
        log == ["GET ", "POST \(text)", "PUT \(text)end", "PATCH \(text)end", "DELETE "])
    }
  }

  @Test("A body can be streamed in both directions at the same time")
  func bodiesStreamBothWays() throws {
    try withServer(pieces: 1 << 16) { server in
      server.post("/echo") { HTTPResponse(body: HTTPBody($0.body.stream)) }
    } _: { client, scheduler in
      let input = PushStream<[UInt8]>()
      var received: [String] = []
      client.post("http://server/echo", HTTPBody(input.stream)).observe(succeeded: { response in
        response.body.stream.observe(
          next: { received.append(String(decoding: $0, as: UTF8.self)) },
          failed: { received.append("\($0)") }, completed: { received.append("end") })
      })
      scheduler.advance(by: .seconds(1))
      for word in ["one", "two"] {
        input.next(Array(word.utf8))
        scheduler.advance(by: .seconds(1))
        #expect(received.last == word)
      }
      input.completed()
      scheduler.advance(by: .seconds(1))
      #expect(received == ["one", "two", "end"])
    }
  }

  @Test func headHasNoBody() throws {
    try withServer(pieces: 1 << 16) {
      $0.get("/") { _ in "hello" }
    } _: { client, scheduler in
      var lengths: [String] = []
      for _ in 0..<2 {
        client.response(HTTPRequest(.head, "http://server/")).observe(succeeded: { response in
          lengths.append(response.headers["Content-Length"] ?? "none")
          #expect(response.body.isEmpty)
        })
        scheduler.advance(by: .seconds(1))
      }
      #expect(lengths == ["5", "5"])
    }
  }

  @Test func anotherProtocolGetsTheConnection() throws {
    try withServer(pieces: 1 << 16) { server in
      server.get("/lines") { _ in
        HTTPReply(
          .upgrade(HTTPResponse(101, headers: ["Connection": "Upgrade", "Upgrade": "lines"])) {
            connection in
            _ = connection.write("hello\n")
            connection.lines().map { "echo \($0)\n" }.bind(to: connection.writer)
            return {}
          })
      }
    } _: { client, scheduler in
      let request = HTTPRequest(
        .get, "http://server/lines", headers: ["Connection": "Upgrade", "Upgrade": "lines"])
      var lines: [String] = []
      client.upgrade(request).observe(
        succeeded: { _, connection in
          _ = connection.write("one\n")
          connection.lines().take(2).observe(
            next: { lines.append($0) }, completed: { connection.close() })
        }, failed: { lines.append($0.brief) })
      scheduler.advance(by: .seconds(5))
      #expect(lines == ["hello", "echo one"])
      #expect(client.pool.count == 0)
      client.upgrade(HTTPRequest(.get, "http://server/none")).observe(
        failed: { lines.append("\($0.status?.code ?? 0)") })
      scheduler.advance(by: .seconds(1))
      #expect(lines.last == "404")
    }
  }
}
