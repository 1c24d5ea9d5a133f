import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelNet

@Suite struct ClientEventsTests {
  private static let head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n"

  private func log(_ fixture: ClientFixture, after id: String = "", silence: Duration? = nil)
    -> Disposable
  {
    fixture.client.events("http://server/", after: id, silence: silence, longest: 100).observe(
      next: { [weak fixture] in fixture?.log.append("\($0.name) \($0.data) \($0.id)") },
      failed: { [weak fixture] in fixture?.log.append($0.brief) },
      completed: { [weak fixture] in fixture?.log.append("completed") })
  }

  @Test(arguments: [1, 7, 1 << 16])
  func eventsArriveAndContinue(size: Int) throws {
    let fixture = try ClientFixture(pieces: size) { connection, _ in
      switch connection {
      case 0: Self.head + "retry: 500\nid: 7\ndata: a\n\nevent: n\ndata: b\n\ndata: lost close"
      case 1: Self.head + "data: c\n\n close"
      default: "HTTP/1.1 204 No Content\r\n\r\n"
      }
    }
    _ = log(fixture)
    fixture.advance(.milliseconds(400))
    #expect(fixture.log == ["message a 7", "n b 7"])
    #expect(!fixture.received[0].contains("Last-Event-ID"))
    #expect(fixture.received[0].contains("Accept: text/event-stream\r\n"))
    fixture.advance(.milliseconds(500))
    #expect(fixture.received[1].contains("Last-Event-ID: 7\r\n"))
    fixture.advance(.milliseconds(700))
    #expect(fixture.log == ["message a 7", "n b 7", "message c 7", "completed"])
    #expect(fixture.received.count == 3)
  }

  @Test("Events may be slow, and have no end")
  func eventsHaveNoLimits() throws {
    let fixture = try ClientFixture { _, request in request == 0 ? Self.head : nil }
    fixture.client.limits.body = 10
    let observation = log(fixture)
    for number in 0..<10 {
      fixture.advance(.seconds(50))
      _ = fixture.connections[0].write("data: \(number)\n\n")
    }
    fixture.advance()
    #expect(fixture.log == (0..<10).map { "message \($0) " })
    #expect(fixture.received.count == 1)
    observation.dispose()
  }

  @Test func aStoredIdentifierIsSent() throws {
    let fixture = try ClientFixture { _, _ in "HTTP/1.1 204 \r\n\r\n" }
    _ = log(fixture, after: "9")
    fixture.advance()
    #expect(fixture.received[0].contains("Last-Event-ID: 9\r\n"))
    #expect(fixture.log == ["completed"])
  }

  @Test(arguments: [
    ("HTTP/1.1 404 \r\nContent-Length: 2\r\n\r\nno", "status 404 no true"),
    ("HTTP/1.1 500 \r\nContent-Length: 0\r\n\r\n", "status 500  true"),
    ("HTTP/1.1 200 \r\nContent-Type: text/html\r\n\r\n", "noEvents text/html"),
    ("HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", "noEvents "),
    ("SSH-2.0\r\n", "malformed an invalid status line"),
    (head + "data: " + String(repeating: "a", count: 100), "eventTooLong"),
  ])
  func otherResponsesFail(answer: String, error: String) throws {
    let fixture = try ClientFixture { _, _ in answer }
    _ = log(fixture)
    fixture.advance(.seconds(100))
    #expect(fixture.log == [error])
    #expect(fixture.received.count == 1)
  }

  @Test("A server that is not there is tried again, more and more slowly")
  func missingServersAreTriedAgain() throws {
    let fixture = try ClientFixture { connection, _ in
      connection < 3
        ? ["close", "HTTP/1.1 503 \r\n\r\n close", "reset"][connection]
        : Self.head + "data: a\n\n"
    }
    _ = log(fixture)
    var times: [Int] = []
    for second in 0..<40 {
      while times.count < fixture.received.count { times.append(second) }
      fixture.advance(.seconds(1))
    }
    #expect(times == [1, 3, 9, 21])
    #expect(fixture.log == ["message a "])
  }

  @Test("A server that asks for no pause is asked ten times per second")
  func retryHasAMinimum() throws {
    let fixture = try ClientFixture { _, _ in Self.head + "retry: 0\ndata: a\n\n close" }
    let observation = log(fixture)
    fixture.advance(.seconds(2))
    observation.dispose()
    #expect(19...21 ~= fixture.received.count)
  }

  @Test func silenceConnectsAgain() throws {
    let fixture = try ClientFixture { _, request in request == 0 ? Self.head : nil }
    let observation = log(fixture, silence: .seconds(40))
    fixture.advance(.seconds(30))
    _ = fixture.connections[0].write(":\n")
    fixture.advance(.seconds(35))
    #expect(fixture.received.count == 1)
    fixture.advance(.seconds(9))
    #expect(fixture.received.count == 2)
    #expect(fixture.openCount == 1)
    observation.dispose()
    fixture.advance()
    #expect(fixture.openCount == 0)
  }

  @Test func disposingClosesAtEveryTime() throws {
    for milliseconds in [0, 1, 2, 3, 5, 100, 1_000, 3_100] {
      let fixture = try ClientFixture { connection, _ in
        Self.head + (connection == 0 ? "data: a\n\n close" : "data: b\n\n")
      }
      fixture.network.latency = .milliseconds(1)
      weak let pool = fixture.client.pool
      let observation = log(fixture)
      fixture.advance(.milliseconds(milliseconds))
      let count = fixture.log.count
      observation.dispose()
      fixture.advance(.seconds(20))
      #expect(fixture.log.count == count)
      #expect(fixture.openCount == 0)
      #expect(pool?.count == 0)
    }
  }

  @Test func eventsOfTheServerOfThisPackage() throws {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    let server = HTTPServer(on: network)
    server.get("/") { request -> EventStream<ServerSentEvent, Never> in
      let start = (request.lastEventID.flatMap { Int($0) } ?? 0) + 1
      return .sequence(
        (start..<(start + 2)).map {
          ServerSentEvent("line \($0)\nmore", name: "n", id: "\($0)", retry: .seconds(1))
        })
    }
    try server.listen(.tcp("server", port: 80))
    let client = HTTPClient(on: network)
    client.proxies = HTTPProxies()
    var events: [ReceivedEvent] = []
    client.events("http://server/").take(5).observe(next: { events.append($0) })
    scheduler.advance(by: .seconds(10))
    #expect(
      events == (1...5).map { ReceivedEvent("line \($0)\nmore", name: "n", id: "\($0)") })
  }

  @Test("A server cannot ask for a pause of more than a minute")
  func retryHasAMaximum() throws {
    let fixture = try ClientFixture { connection, _ in
      Self.head + (connection == 0 ? "retry: 999999999\ndata: a\n\n close" : "data: b\n\n")
    }
    let observation = log(fixture)
    fixture.advance(.seconds(59))
    #expect(fixture.received.count == 1)
    fixture.advance(.seconds(2))
    #expect(fixture.log == ["message a ", "message b "])
    observation.dispose()
  }

  @Test(
    "A proxy that has no server yet is asked again",
    arguments: [(502, true), (503, true), (504, true), (407, false)])
  func proxiesAreAskedAgain(status: Int, asksAgain: Bool) throws {
    let fixture = try ClientFixture(port: 3128, secure: { connection, _ in .just(connection) }) {
      connection, request in
      if connection == 0 { return "HTTP/1.1 \(status) \r\nContent-Length: 0\r\n\r\n" }
      return request == 0 ? "HTTP/1.1 200 \r\n\r\n" : Self.head + "data: a\n\n"
    }
    fixture.client.proxies.https = HTTPProxy(host: "proxy", port: 3128)
    let observation = fixture.client.events("https://server/").observe(
      next: { fixture.log.append($0.data) }, failed: { fixture.log.append($0.brief) })
    fixture.advance(.seconds(10))
    #expect(fixture.log == [asksAgain ? "a" : "proxy \(status)"])
    observation.dispose()
  }
}
