import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelNet

@Suite struct ClientTimeLimitTests {
  @Test func aSilentServerTimesOut() throws {
    for answer in [nil, "HTTP/1.1 100 \r\n\r\nHTTP/1.1 200 OK\r\nA: "] {
      let fixture = try ClientFixture { _, request in request == 0 ? answer : nil }
      fixture.get()
      fixture.advance(.seconds(59))
      #expect(fixture.log == [])
      fixture.advance(.seconds(2))
      #expect(fixture.log == ["timedOut head"])
      #expect(fixture.openCount == 0)
    }
  }

  @Test func aSilentBodyTimesOut() throws {
    let fixture = try ClientFixture { _, request in
      request == 0 ? "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\na" : nil
    }
    fixture.client.timeLimits.bodyRate = 0
    fixture.get()
    fixture.advance(.seconds(50))
    _ = fixture.connections[0].write("b")
    fixture.advance(.seconds(50))
    #expect(fixture.log == [])
    fixture.advance(.seconds(11))
    #expect(fixture.log == ["200 The body did not arrive in time."])
    #expect(fixture.openCount == 0)
  }

  /// Sends pieces of a body, one a second, and returns the time at which the client gives up.
  private func timeUntilEnd(
    pieces size: Int, rate: Int, for seconds: Int, _ framing: String = "Content-Length: 100000"
  ) throws -> Int? {
    let fixture = try ClientFixture { _, request in
      request == 0 ? "HTTP/1.1 200 OK\r\n\(framing)\r\n\r\n" : nil
    }
    fixture.client.timeLimits.bodyRate = rate
    fixture.get()
    fixture.advance()
    for second in 0..<seconds {
      _ = fixture.connections[0].write(String(repeating: "a", count: size))
      fixture.advance(.seconds(1))
      guard fixture.log.isEmpty else {
        #expect(fixture.log == ["200 The body did not arrive in time."])
        #expect(fixture.openCount == 0)
        return second + 1
      }
    }
    return nil
  }

  @Test("A body that trickles times out, whatever its framing")
  func aSlowBodyTimesOut() throws {
    // The server is a minute behind after 60 s, and the rate is checked every 5 s.
    #expect(try timeUntilEnd(pieces: 1, rate: 240, for: 100) == 65)
    #expect(try timeUntilEnd(pieces: 120, rate: 240, for: 200) == 120)
    #expect(try timeUntilEnd(pieces: 1, rate: 240, for: 100, "X: until the end") == 65)
    #expect(try timeUntilEnd(pieces: 240, rate: 240, for: 200) == nil)
    #expect(try timeUntilEnd(pieces: 1, rate: 0, for: 200) == nil)
    #expect(try timeUntilEnd(pieces: 100, rate: .max, for: 20) != nil)
    #expect(HTTPClientTimeLimits().bodyRate == 240)
  }

  @Test("Bytes that came early excuse no more than a minute")
  func earlyBytesExcuseAMinute() throws {
    let fixture = try ClientFixture { _, request in
      request == 0
        ? "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "a", count: 200_000) : nil
    }
    fixture.get()
    for _ in 0..<13 {
      #expect(fixture.log.isEmpty)
      fixture.advance(.seconds(5))
      if fixture.log.isEmpty { _ = fixture.connections[0].write("b") }
    }
    fixture.advance(.seconds(5))
    #expect(fixture.log == ["200 The body did not arrive in time."])
  }

  @Test("A body that is not read is not too slow")
  func aPausedBodyIsNotTooSlow() throws {
    let fixture = try ClientFixture { _, request in
      request == 0 ? "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab" : nil
    }
    var response: HTTPResponse?
    fixture.client.get("http://server/").observe(succeeded: { response = $0 })
    fixture.advance(.seconds(500))
    var text = ""
    response?.body.text().observe(
      succeeded: { text = $0 }, failed: { Issue.record("\($0)") })
    fixture.advance(.seconds(30))
    _ = fixture.connections[0].write("cd")
    fixture.advance()
    #expect(text == "abcd")
  }

  @Test func theWholeCallHasALimit() throws {
    let fixture = try ClientFixture { _, request in
      request == 0 ? "HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\na" : nil
    }
    fixture.client.timeLimits.total = .seconds(10)
    fixture.get()
    fixture.advance(.seconds(1))
    for _ in 0..<8 {
      _ = fixture.connections[0].write("b")
      fixture.advance(.seconds(1))
    }
    #expect(fixture.log == [])
    fixture.advance(.seconds(2))
    #expect(fixture.log == ["200 The body did not arrive in time."])
    #expect(fixture.openCount == 0)
  }

  @Test func redirectsCountTowardsTheTotal() throws {
    let fixture = try ClientFixture { _, _ in nil }
    fixture.client.timeLimits.total = .seconds(3)
    fixture.get()
    fixture.advance(.milliseconds(900))
    for number in 0..<2 {
      fixture.answer(0, with: "HTTP/1.1 302 \r\nLocation: /\(number)\r\nContent-Length: 0\r\n\r\n")
      fixture.advance(.seconds(1))
      #expect(fixture.log == [])
    }
    fixture.advance(.milliseconds(200))
    #expect(fixture.log == ["timedOut total"])
    #expect(fixture.openCount == 0)
  }

  @Test func waitingForAConnectionCountsTowardsTheTotal() throws {
    let fixture = try ClientFixture { _, _ in nil }
    fixture.client.maximumConnectionsPerHost = 1
    fixture.get(name: "first ")
    fixture.client.timeLimits.total = .seconds(3)
    fixture.get(name: "second ")
    fixture.advance(.seconds(4))
    #expect(fixture.log == ["second timedOut total"])
    #expect(fixture.openCount == 1)
  }

  @Test func connectingHasALimit() throws {
    let fixture = try ClientFixture { _, _ in nil }
    fixture.network.setAddresses([.loopback], of: "server")
    fixture.network.setBehaviour(.silent, of: .loopback)
    fixture.client.connectionOptions.timeout = .seconds(5)
    fixture.get()
    fixture.advance(.seconds(6))
    #expect(fixture.log == ["connection the time limit was reached (connecting)."])
    #expect(fixture.client.pool.count == 0)
  }

  @Test func aServerThatDoesNotReadTimesOut() throws {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    let listener = try Listener(.tcp("server", port: 80), on: network)
    var connections: [Connection] = []
    listener.connections.observeNext { connections.append($0) }
    let client = HTTPClient(on: network)
    client.proxies = HTTPProxies()
    var log: [String] = []
    client.post("http://server/", HTTPBody([UInt8](repeating: 0, count: 1 << 20))).observe(
      failed: { log.append($0.brief) })
    scheduler.advance(by: .seconds(59))
    #expect(log == [])
    scheduler.advance(by: .seconds(2))
    #expect(log == ["connection the time limit was reached (writing)."])
  }

  @Test func aPausedBodyDoesNotTimeOut() throws {
    let fixture = try ClientFixture { _, _ in ok("abc") }
    var response: HTTPResponse?
    fixture.client.get("http://server/").observe(succeeded: { response = $0 })
    fixture.advance(.seconds(500))
    var text = ""
    response?.body.text().observe(succeeded: { text = $0 })
    fixture.advance()
    #expect(text == "abc")
  }
}
