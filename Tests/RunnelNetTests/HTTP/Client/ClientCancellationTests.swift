import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelNet

@Suite struct ClientCancellationTests {
  /// An object that is released with the closures that capture it.
  private final class Witness {}

  private struct WeakConnection {
    weak var connection: Connection?
  }

  /// Disposes a request after a number of turns of a network with a latency, and checks that neither a
  /// connection nor memory is left. Returns false once the request ends before.
  private func disposeAfter(_ steps: Int, _ request: HTTPRequest, _ answer: String) throws -> Bool {
    var opened: [WeakConnection] = []
    // The connections are not encrypted, but the client passes them to this closure.
    let fixture = try ClientFixture(
      pieces: 7,
      secure: { connection, _ in
        opened.append(WeakConnection(connection: connection))
        return .just(connection)
      }
    ) { _, request in request == 0 ? answer : nil }
    fixture.network.latency = .milliseconds(1)
    var witness: Witness? = Witness()
    weak let weakWitness = witness
    var isComplete = false
    let body = Disposable()
    let observation = fixture.client.exchange(request).observe(
      succeeded: { [witness] response in
        response.body.stream.start(
          in: body, next: { _ in withExtendedLifetime(witness) {} },
          end: { _ in
            withExtendedLifetime(witness) {}
            isComplete = true
          })
      }, failed: { _ in isComplete = true })
    witness = nil
    for _ in 0..<steps { fixture.advance(.microseconds(100)) }
    let wasComplete = isComplete
    observation.dispose()
    body.dispose()
    #expect(weakWitness == nil, "after \(steps) steps")
    #expect(isComplete == wasComplete)
    fixture.advance(.milliseconds(10))
    #expect(isComplete == wasComplete)
    let pool = fixture.client.pool
    #expect(pool.count == pool.idleCount, "after \(steps) steps")
    #expect(fixture.openCount == pool.idleCount, "after \(steps) steps")
    fixture.client.closeIdleConnections()
    fixture.advance(.seconds(5))
    #expect(!opened.contains { $0.connection != nil }, "after \(steps) steps")
    return !wasComplete
  }

  @Test func cancellingLeavesNothing() throws {
    let pieces = EventStream<[UInt8], Never>.sequence((0..<5).map { _ in Array("piece".utf8) })
    for request in [
      HTTPRequest(.get, "https://server:80/"),
      HTTPRequest(.put, "https://server:80/", body: HTTPBody(pieces)),
      HTTPRequest(.put, "https://server:80/", headers: ["Expect": "100-continue"], body: "abc"),
    ] {
      for answer in [
        ok("abcdefghijkl"), "HTTP/1.1 404 \r\n\r\nall of it close",
        "HTTP/1.1 302 \r\nLocation: /b\r\nContent-Length: 10\r\n\r\n0123456789",
      ] {
        var steps = 0
        while try disposeAfter(steps, request, answer), steps < 200 { steps += 1 }
        #expect(steps > 20)
      }
    }
  }

  @Test func cancellingAWaitingRequestLeavesTheOthers() throws {
    let fixture = try ClientFixture { _, request in request == 0 ? nil : ok("later") }
    fixture.client.maximumConnectionsPerHost = 1
    fixture.get("/0", name: "0 ")
    let second = fixture.get("/1", name: "1 ")
    fixture.get("/2", name: "2 ")
    fixture.advance()
    second.dispose()
    fixture.connections[0].close()
    fixture.advance()
    #expect(fixture.log == ["0 disconnected"])
    #expect(fixture.requestLines(1) == ["GET /2"])
  }

  @Test func cancellingWhileConnectingFreesThePlace() throws {
    let fixture = try ClientFixture { _, _ in ok("a") }
    fixture.network.setAddresses([.loopback], of: "server")
    fixture.network.setBehaviour(.silent, of: .loopback)
    fixture.client.maximumConnectionsPerHost = 1
    let first = fixture.get()
    fixture.get(name: "second ")
    fixture.advance()
    fixture.network.setBehaviour(nil, of: .loopback)
    first.dispose()
    fixture.advance()
    #expect(fixture.log == ["second 200 a"])
  }

  @Test("An observer may dispose its observation in every callback")
  func disposingInCallbacksIsSafe() throws {
    for point in 0..<3 {
      let fixture = try ClientFixture(pieces: 2) { _, _ in ok("abcdef") }
      var events = 0
      let body = Disposable()
      let observation = Disposable()
      fixture.client.get("http://server/").stream.start(
        in: observation,
        next: { response in
          events += 1
          if point == 0 { return observation.dispose() }
          response.body.stream.start(
            in: body,
            next: { _ in
              events += 1
              if point == 1 { body.dispose() }
            }, end: { _ in body.dispose() })
        }, end: { _ in observation.dispose() })
      fixture.advance(.seconds(1))
      #expect(events == [1, 2, 4][point])
      #expect(fixture.openCount == (point == 1 ? 0 : 1))
    }
  }

  @Test func anObserverMayReleaseTheClient() throws {
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    let server = HTTPServer(on: network)
    server.get("/") { _ in "hello" }
    let listener = try server.listen(.tcp("server", port: 80))
    var client: HTTPClient? = HTTPClient(on: network)
    client?.proxies = HTTPProxies()
    var text = ""
    client?.get("http://server/").observe(succeeded: { response in
      client = nil
      response.body.text().observe(succeeded: { text = $0 })
    })
    scheduler.advance(by: .seconds(1))
    #expect(text == "hello")
    scheduler.advance(by: .seconds(5))
    #expect(listener.connectionCount == 0)
  }

  @Test func aRequestInACallbackUsesTheConnection() throws {
    let fixture = try ClientFixture { _, request in ok("\(request)") }
    var texts: [String] = []
    func next() {
      fixture.client.get("http://server/").text().observe(succeeded: { text in
        texts.append(text)
        if texts.count < 50 { next() }
      })
    }
    next()
    fixture.advance(.seconds(1))
    #expect(texts == (0..<50).map { "\($0)" })
    #expect(fixture.received.count == 1)
  }
}
