import RunnelLoop
import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelNet

@Suite struct PoolTests {
  @Test func aClientWithoutConnectionsTraps() async {
    await #expect(processExitsWith: .failure) {
      HTTPClient(on: EventLoop.main).maximumConnectionsPerHost = 0
    }
  }

  @Test func requestsWaitInOrderBeyondTheLimit() throws {
    let fixture = try ClientFixture { _, _ in nil }
    fixture.client.maximumConnectionsPerHost = 2
    for number in 0..<5 { fixture.get("/\(number)", name: "\(number) ") }
    fixture.advance()
    #expect(fixture.requestLines(0) == ["GET /0"])
    #expect(fixture.requestLines(1) == ["GET /1"])
    #expect(fixture.connections.count == 2)
    fixture.answer(1, with: ok("a"))
    fixture.advance()
    #expect(fixture.log == ["1 200 a"])
    #expect(fixture.requestLines(1) == ["GET /1", "GET /2"])
    fixture.answer(0, with: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    fixture.advance()
    #expect(fixture.requestLines(2) == ["GET /3"])
    #expect(fixture.openCount == 2)
  }

  @Test func connectionsAreUsedAgainPerHost() throws {
    let fixture = try ClientFixture { _, _ in ok("a") }
    for host in ["a", "b", "a", "b", "a:80"] {
      fixture.exchange(HTTPRequest(.get, "http://\(host)/"))
      fixture.advance()
    }
    #expect(fixture.log.count == 5)
    #expect(fixture.received.count == 2)
    #expect(fixture.requestLines(0).count == 3)
  }

  @Test(
    "A connection is not used again after some responses",
    arguments: [
      "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na",
      "HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 1\r\n\r\na",
      "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", "HTTP/1.1 200 OK\r\n\r\na close",
    ])
  func someResponsesEndTheConnection(answer: String) throws {
    let fixture = try ClientFixture { _, _ in answer }
    for _ in 0..<2 {
      fixture.get()
      fixture.advance()
      #expect(fixture.openCount == 0)
    }
    #expect(fixture.log == ["200 a", "200 a"])
    #expect(fixture.received.count == 2)
  }

  @Test func version10CanKeepTheConnection() throws {
    let fixture = try ClientFixture { _, _ in
      "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 1\r\n\r\na"
    }
    for _ in 0..<2 {
      fixture.get()
      fixture.advance()
    }
    #expect(fixture.received.count == 1)
  }

  @Test func unusedConnectionsAreClosedInTime() throws {
    let fixture = try ClientFixture { connection, _ in
      ok("a", connection == 1 ? "Keep-Alive: timeout=5, max=100\r\n" : "")
    }
    fixture.client.maximumConnectionsPerHost = 2
    fixture.get()
    fixture.get()
    fixture.advance()
    #expect(fixture.openCount == 2)
    fixture.advance(.seconds(3))
    #expect(fixture.openCount == 2)
    fixture.advance(.seconds(1))
    #expect(fixture.openCount == 1)
    fixture.advance(.seconds(25))
    #expect(fixture.openCount == 1)
    fixture.advance(.seconds(1))
    #expect(fixture.openCount == 0)
    fixture.get()
    fixture.advance()
    #expect(fixture.log == ["200 a", "200 a", "200 a"])
  }

  @Test func aConnectionThatThePeerClosesIsDropped() throws {
    let fixture = try ClientFixture { _, _ in ok("a") }
    fixture.get()
    fixture.advance()
    fixture.connections[0].close()
    fixture.advance()
    fixture.exchange(HTTPRequest(.post, "http://server/", body: "b"))
    fixture.advance()
    #expect(fixture.log == ["200 a", "200 a"])
    #expect(fixture.received.count == 2)
  }

  @Test func releasingTheClientClosesConnections() throws {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    let server = HTTPServer(on: network)
    server.get("/") { _ in "hi" }
    let listener = try server.listen(.tcp("server", port: 80))
    var client: HTTPClient? = HTTPClient(on: network)
    client?.proxies = HTTPProxies()
    weak let pool = client?.pool
    var text = ""
    client?.get("http://server/").text().observe(succeeded: { text = $0 })
    scheduler.advance(by: .seconds(1))
    #expect(text == "hi")
    #expect(listener.connectionCount == 1)
    client = nil
    #expect(pool == nil)
    scheduler.advance(by: .seconds(1))
    #expect(listener.connectionCount == 0)
  }

  // MARK: - Second attempts

  /// Sends a request on a connection that ends when the second request arrives.
  private func answerAfterStaleConnection(
    _ request: HTTPRequest, _ second: String = "reset"
  ) throws -> (log: [String], connections: Int) {
    let fixture = try ClientFixture { connection, request in
      connection == 0 && request == 1 ? second : ok("\(connection)")
    }
    fixture.get()
    fixture.advance()
    fixture.exchange(request)
    fixture.advance()
    return (Array(fixture.log.dropFirst()), fixture.received.count)
  }

  @Test("An idempotent request is sent again on a stale connection", arguments: ["reset", "close"])
  func idempotentRequestsAreRepeated(end: String) throws {
    for method: HTTPMethod in [.get, .head, .put, .delete, .options] {
      let (log, count) = try answerAfterStaleConnection(HTTPRequest(method, "http://server/"), end)
      #expect(log == ["200 \(method == .head ? "" : "1")"])
      #expect(count == 2)
    }
  }

  @Test func otherRequestsAreNotRepeated() throws {
    let pieces = EventStream<[UInt8], Never>.just([1])
    for request in [
      HTTPRequest(.post, "http://server/", body: "a"), HTTPRequest(.patch, "http://server/"),
      HTTPRequest(.put, "http://server/", body: HTTPBody(pieces)),
    ] {
      let (log, count) = try answerAfterStaleConnection(request, "close")
      #expect(log == ["disconnected"])
      #expect(count == 1)
    }
  }

  @Test func aPartOfAResponseIsNotRepeated() throws {
    let (log, count) = try answerAfterStaleConnection(
      HTTPRequest(.get, "http://server/"), "HTTP close")
    #expect(log == ["disconnected"])
    #expect(count == 1)
  }

  @Test func aNewConnectionIsNotRepeated() throws {
    let fixture = try ClientFixture { _, _ in "close" }
    fixture.get()
    fixture.advance()
    #expect(fixture.log == ["disconnected"])
    #expect(fixture.received.count == 1)
  }

  @Test func thereIsOneSecondAttempt() throws {
    // Two connections are unused, and both end with their next request.
    let fixture = try ClientFixture { _, request in request == 0 ? ok("a") : "close" }
    fixture.get()
    fixture.get()
    fixture.advance()
    #expect(fixture.received.count == 2)
    fixture.get("/again")
    fixture.advance()
    #expect(fixture.log == ["200 a", "200 a", "disconnected"])
    #expect(fixture.received.count == 2)
  }

  @Test("Each redirect may meet a connection that the server has closed")
  func eachRedirectHasASecondAttempt() throws {
    // The server answers one request on each connection, and closes it with the next request.
    let fixture = try ClientFixture { connection, request in
      if request > 0 { return "close" }
      return connection == 0 || connection == 4
        ? ok("\(connection)")
        : "HTTP/1.1 302 \r\nLocation: /\(connection)\r\nContent-Length: 0\r\n\r\n"
    }
    fixture.get()
    fixture.advance()
    fixture.get("/0")
    fixture.advance()
    #expect(fixture.log == ["200 0", "200 4"])
    #expect(
      fixture.received.indices.map { fixture.requestLines($0) } == [
        ["GET /", "GET /0"], ["GET /0", "GET /1"], ["GET /1", "GET /2"], ["GET /2", "GET /3"],
        ["GET /3"],
      ])
  }

  @Test(
    "The time of Keep-Alive is a number of digits, of any size",
    arguments: [
      ("-9223372036854775808", 30), ("9223372036854775807", 30), ("9223372036854775808", 30),
      ("-1", 30), ("+5", 30), ("", 30), ("1", 0), ("0", 0), ("5", 4),
    ])
  func keepAliveIsChecked(value: String, seconds: Int) throws {
    let fixture = try ClientFixture { _, _ in ok("a", "Keep-Alive: timeout=\(value)\r\n") }
    fixture.get()
    fixture.advance(.milliseconds(10))
    #expect(fixture.openCount == (seconds == 0 ? 0 : 1))
    fixture.advance(.seconds(max(0, seconds - 1)))
    #expect(fixture.openCount == (seconds == 0 ? 0 : 1))
    fixture.advance(.seconds(2))
    #expect(fixture.openCount == 0)
    #expect(fixture.log == ["200 a"])
  }

  @Test("A connection that the server has ended gets no request")
  func endedConnectionsAreNotReused() throws {
    let fixture = try ClientFixture { connection, _ in
      connection == 0 ? ok("abc") + " close" : ok("b")
    }
    fixture.client.maximumConnectionsPerHost = 1
    var response: HTTPResponse?
    fixture.client.get("http://server/").observe(succeeded: { response = $0 })
    // The end arrives while nobody reads the body.
    fixture.advance()
    fixture.exchange(HTTPRequest(.post, "http://server/", body: "c"))
    response?.body.text().observe(succeeded: { fixture.log.append("200 \($0)") })
    response = nil
    fixture.advance()
    #expect(fixture.log == ["200 abc", "200 b"])
    #expect(fixture.received.count == 2)
  }

  @Test("A response that crosses the request on an unused connection is no answer to it")
  func crossingResponsesAreRepeated() throws {
    let fixture = try ClientFixture { connection, _ in ok("\(connection)") }
    fixture.network.latency = .milliseconds(10)
    fixture.get()
    fixture.advance()
    let time = fixture.scheduler.now + .milliseconds(10)
    let observation = fixture.scheduler.schedule(at: time) { fixture.get() }
    _ = fixture.connections[0].write(
      "HTTP/1.1 408 \r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    fixture.advance()
    observation.dispose()
    #expect(fixture.log == ["200 0", "200 1"])
    #expect(fixture.received.count == 2)
  }

  @Test("The status 408 on a used connection means that the request was lost")
  func requestTimeoutsAreRepeated() throws {
    let answer = "HTTP/1.1 408 \r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    for (method, second, expected) in [
      (.get, answer, "200 1"), (.put, answer + " close", "200 1"), (.post, answer, "408 "),
      (.get, "HTTP/1.1 102 \r\n\r\n" + answer, "408 "),
      (.get, "HTTP/1.1 408 \r\nContent-Length: 0\r\n\r\n", "408 "),
    ] as [(HTTPMethod, String, String)] {
      let (log, count) = try answerAfterStaleConnection(
        HTTPRequest(method, "http://server/"), second)
      #expect(log == [expected])
      #expect(count == (expected == "200 1" ? 2 : 1))
    }
    let fixture = try ClientFixture { _, _ in answer }
    fixture.get()
    fixture.advance()
    #expect(fixture.log == ["408 "])
    #expect(fixture.received.count == 1)
  }
}
