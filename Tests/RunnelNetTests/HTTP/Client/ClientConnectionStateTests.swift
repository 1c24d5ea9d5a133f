import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@testable import RunnelNet

/// Every event in every phase of a ``ClientConnection``.
@Suite struct ClientConnectionStateTests {
  enum Phase: CaseIterable {
    case idle, waiting, body, draining, upgraded, closed

    init(_ phase: ClientConnection.Phase) {
      switch phase {
      case .idle: self = .idle
      case .waiting: self = .waiting
      case .body: self = .body
      case .draining: self = .draining
      case .upgraded: self = .upgraded
      case .closed: self = .closed
      }
    }
  }

  enum Event: CaseIterable {
    /// Two bytes, which complete the body.
    case bytes
    /// A response without a body.
    case response
    case end, reset
    /// Much time passes.
    case time
    /// The call or the observation of the body is disposed.
    case disposal
    /// The stream of the request's body fails.
    case failure
  }

  /// A connection that is driven without a pool, by exchanges of its own.
  private final class Fixture {
    let pair: Pair
    let client: HTTPClient
    let connection: ClientConnection
    var exchange: ClientExchange?
    var reading: Disposable?
    var log: [String] = []

    init(in phase: Phase) throws {
      pair = try Pair()
      client = HTTPClient(on: pair.network)
      let url = try #require(HTTPURL("http://server/"))
      connection = ClientConnection(
        pair.near, ClientRoute(to: url, HTTPProxies()), client.settings, of: client.pool)
      switch phase {
      case .idle: break
      case .waiting: try request()
      case .body, .draining:
        try request(readsBody: phase == .body)
        send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
      case .upgraded:
        try request()
        exchange?.useUpgraded = { _, _ in }
        send("HTTP/1.1 101 X\r\n\r\n")
      case .closed: connection.close()
      }
      log = []
    }

    private func request(readsBody: Bool = false) throws {
      let exchange = ClientExchange { [unowned self] in take($0, isRead: readsBody) }
      self.exchange = exchange
      let url = try #require(HTTPURL("http://server/"))
      let head = try RequestHead(
        HTTPRequest(.get, "http://server/"), url, target: "/", proxyAuthorization: nil)
      var times = HTTPClientTimeLimits()
      times.bodyRate = 0
      exchange.send(head, .empty, on: connection, within: times)
      pair.scheduler.advance(by: .zero)
    }

    private func take(_ result: Result<HTTPResponse, ClientExchange.Failure>, isRead: Bool) {
      exchange = nil
      switch result {
      case .success(let response):
        log.append("\(response.status.code)")
        guard isRead else { return }
        reading = response.body.stream.observe(
          next: { [unowned self] in log.append(String(decoding: $0, as: UTF8.self)) },
          failed: { [unowned self] in
            log.append($0 as? HTTPBodyError == .timedOut ? "timedOut" : "failed")
          },
          completed: { [unowned self] in log.append("completed") })
      case .failure(let failure): log.append(String(failure.error.brief.prefix { $0 != " " }))
      }
    }

    func send(_ text: String) {
      _ = pair.far.write(text)
      pair.scheduler.advance(by: .zero)
    }

    func run(_ event: Event) {
      switch event {
      case .bytes: send("cd")
      case .response: send("HTTP/1.1 204 No Content\r\n\r\n")
      case .end: pair.far.finish()
      case .reset: pair.far.reset()
      case .time: pair.scheduler.advance(by: .seconds(120))
      case .disposal:
        exchange?.cancel()
        reading?.dispose()
      case .failure: connection.fail(.requestBody(HTTPBodyError.disconnected))
      }
      pair.scheduler.advance(by: .zero)
    }
  }

  @Test func connectionChangesAsDrawn() throws {
    let table = try stateTable { (phase: Phase, event: Event?) in
      let fixture = try Fixture(in: phase)
      #expect(Phase(fixture.connection.phase) == phase)
      if let event { fixture.run(event) }
      return (["\(Phase(fixture.connection.phase))"] + fixture.log).joined(separator: ", ")
    }
    #expect(
      table == """
        idle: idle
          bytes: closed
          response: closed
          end: closed
          reset: closed
          failure: closed
        waiting: waiting
          bytes: closed, malformed
          response: idle, 204
          end: closed, disconnected
          reset: closed, connection
          time: closed, timedOut
          disposal: closed
          failure: closed, requestBody
        body: body
          bytes: idle, cd, completed
          response: closed, HT, completed
          end: closed, failed
          reset: closed, failed
          time: closed, timedOut
          disposal: closed
          failure: closed, failed
        draining: draining
          bytes: idle
          response: closed
          end: closed
          reset: closed
          time: closed
          failure: closed
        upgraded: upgraded
        closed: closed
        """)
  }
}
