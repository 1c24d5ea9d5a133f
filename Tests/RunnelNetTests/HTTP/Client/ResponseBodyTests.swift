import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelNet

@Suite struct ResponseBodyTests {
  private static let long = String(repeating: "a", count: 1 << 20)

  @Test func aReleasedShortBodyIsDropped() throws {
    for answer in [
      ok("abc"), "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
    ] {
      for size in [1, 1 << 16] {
        let fixture = try ClientFixture(pieces: size) { _, _ in answer }
        var statuses: [Int] = []
        for _ in 0..<3 {
          fixture.client.get("http://server/").observe(succeeded: {
            statuses.append($0.status.code)
          })
          fixture.advance()
        }
        #expect(statuses == [200, 200, 200])
        #expect(fixture.received.count == 1)
        #expect(fixture.client.pool.idleCount == 1)
      }
    }
  }

  @Test func aReleasedLongBodyClosesTheConnection() throws {
    let chunk = "\r\n\(String(Self.long.utf8.count, radix: 16))\r\n\(Self.long)\r\n0\r\n\r\n"
    for answer in [
      ok(Self.long), "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n" + chunk,
      "HTTP/1.1 200 OK\r\n\r\nabc",
    ] {
      let fixture = try ClientFixture { _, _ in answer }
      fixture.client.get("http://server/").observe(succeeded: { _ in })
      fixture.advance()
      #expect(fixture.openCount == 0)
      #expect(fixture.client.pool.count == 0)
    }
  }

  @Test("The rest of a released body that does not arrive closes the connection")
  func aSilentRestClosesTheConnection() throws {
    let fixture = try ClientFixture { _, request in
      request == 0 ? "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na" : nil
    }
    fixture.client.get("http://server/").observe(succeeded: { _ in })
    fixture.advance(.seconds(4))
    #expect(fixture.openCount == 1)
    fixture.advance(.seconds(2))
    #expect(fixture.openCount == 0)
    #expect(fixture.client.pool.count == 0)
  }

  @Test func aKeptBodyHoldsItsConnection() throws {
    let fixture = try ClientFixture { _, _ in ok(Self.long) }
    var response: HTTPResponse?
    fixture.client.get("http://server/").observe(succeeded: { response = $0 })
    fixture.advance(.seconds(100))
    #expect(fixture.openCount == 1)
    #expect(response?.body.count == 1 << 20)
    response = nil
    fixture.advance()
    #expect(fixture.openCount == 0)
  }

  @Test func aBodyIsReadOnce() throws {
    let fixture = try ClientFixture { _, _ in ok("abc") }
    var log: [String] = []
    fixture.client.get("http://server/").observe(succeeded: { response in
      for _ in 0..<2 {
        response.body.text().observe(succeeded: { log.append($0) }, failed: { log.append("\($0)") })
      }
    })
    fixture.advance()
    #expect(log == ["\(HTTPBodyError.alreadyRead)", "abc"])
  }

  @Test func aBodyThatFailedBeforeFailsLater() throws {
    let fixture = try ClientFixture { _, _ in
      "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na close"
    }
    var response: HTTPResponse?
    fixture.client.get("http://server/").observe(succeeded: { response = $0 })
    fixture.advance()
    var log: [String] = []
    response?.body.stream.observe(
      next: { log.append("\($0)") }, failed: { log.append("\($0)") },
      completed: { log.append("end") })
    fixture.advance()
    #expect(log.last == "\(HTTPBodyError.disconnected)")
  }

  @Test func aLimitedBodyFails() throws {
    let fixture = try ClientFixture { _, _ in ok("abcd") }
    fixture.client.limits.body = 3
    fixture.get()
    fixture.advance()
    #expect(fixture.log == ["malformed the body has more than 3 bytes"])
    var errors: [String] = []
    fixture.client.limits.body = .max
    fixture.client.get("http://server/").text(atMost: 3).observe(failed: { errors.append($0.brief) }
    )
    fixture.advance()
    #expect(errors == ["responseBody The body has more than 3 bytes."])
  }

  @Test("A full writer pauses the body, and so the server")
  func aFullWriterPausesTheBody() throws {
    let fixture = try ClientFixture { _, _ in ok(Self.long) }
    fixture.network.capacity = 1 << 12
    let sink = try Listener(.tcp("sink", port: 7), on: fixture.network)
    var ends: [Connection] = []
    sink.connections.observeNext { ends.append($0) }
    var writer: Connection?
    Connection.connect(to: .tcp("sink", port: 7), on: fixture.network).observe(
      succeeded: { writer = $0 })
    fixture.advance()
    let output = try #require(writer)
    output.writer.limit = 1 << 13
    fixture.client.timeLimits.body = .seconds(5)
    var failures: [String] = []
    var count = 0
    fixture.client.get("http://server/").observe(succeeded: { response in
      response.body.stream.mapFailure(to: HTTPClientError.self) { .body($0) }
        .do(next: { count += $0.count }, failed: { failures.append("\($0)") })
        .bind(to: output.writer)
    })
    fixture.advance(.seconds(20))
    #expect(count > 0)
    #expect(count < 1 << 17)
    #expect(output.writer.waitingCount <= 1 << 14)
    let before = count
    fixture.advance(.seconds(20))
    #expect(count == before)
    // Everything arrives once the sink is read.
    var received = 0
    ends.first?.bytes.observe(next: { received += $0.count })
    fixture.advance(.seconds(20))
    #expect(received == 1 << 20)
    #expect(failures == [])
  }
}
