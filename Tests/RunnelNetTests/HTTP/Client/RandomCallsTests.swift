import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelNet

/// Random calls, cancellations and faults, with the server of this package.
@Suite struct RandomCallsTests {
  private struct Unknown: Error {}

  /// A call and the number of its ends.
  private final class Call {
    var observation = Disposable()
    let body = Disposable()
    var ends = 0
    var isDisposed = false
    var text = ""
    let expected: String

    init(expecting expected: String) {
      self.expected = expected
    }

    func dispose() {
      isDisposed = true
      observation.dispose()
      body.dispose()
    }
  }

  private let long = String(repeating: "x", count: 100_000)

  private func addRoutes(_ server: HTTPServer, _ scheduler: TestScheduler) {
    server.get("/now") { _ in "now" }
    server.get("/empty") { _ in HTTPStatus.noContent }
    server.get("/later") { _ in
      Single<String, Never>.just("later").delay(for: .milliseconds(20), on: scheduler)
    }
    let long = long
    server.get("/long") { _ in long }
    server.get("/stream") { _ in
      EventStream<Int, Never>.interval(.milliseconds(3), on: scheduler).take(5).map { _ in "piece" }
    }
    server.get("/redirect") { _ in HTTPResponse.redirect(to: "/now") }
    server.get("/fail") { _ -> String in throw Unknown() }
    server.post("/echo") { HTTPResponse(body: HTTPBody($0.body.stream)) }
    server.post("/ignore") { _ in "ignored" }
  }

  private static let targets = [
    ("GET", "/now", "now"), ("GET", "/empty", ""), ("GET", "/later", "later"),
    ("GET", "/long", "long"),
    ("GET", "/stream", "piecepiecepiecepiecepiece"), ("GET", "/redirect", "now"),
    ("GET", "/fail", "500 Internal Server Error\n"), ("POST", "/echo", "abcdef"),
    ("POST", "/ignore", "ignored"), ("GET", "/none", "404 Not Found\n"),
  ]

  @Test(arguments: seeds(10) as Range<UInt64>)
  func everyCallEndsOnce(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let scheduler = TestScheduler()
    let network = TestNetwork(on: scheduler)
    network.pieceSize = [1 << 16, 1_000, 7].randomElement(using: &random) ?? 1
    network.latency = .microseconds([0, 500, 5_000].randomElement(using: &random) ?? 0)
    let server = HTTPServer(on: network)
    addRoutes(server, scheduler)
    let listener = try server.listen(.tcp("server", port: 80))
    let client = HTTPClient(on: network)
    client.proxies = HTTPProxies()
    client.maximumConnectionsPerHost = 3
    let hasFaults = seed % 2 == 1
    var calls: [Call] = []
    for _ in 0..<200 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        calls.append(call(client, using: &random))
      case 5:
        if hasFaults { calls.filter { $0.ends == 0 }.randomElement(using: &random)?.dispose() }
      case 6 where hasFaults:
        if let served = server.connections.served.randomElement(using: &random) {
          if Bool.random(using: &random) {
            network.reset(served.connection)
          } else {
            served.connection.close()
          }
        }
      default: scheduler.advance(by: .microseconds(Int.random(in: 0..<20_000, using: &random)))
      }
    }
    scheduler.advance(by: .seconds(10))
    for (index, call) in calls.enumerated() {
      #expect(call.ends == 1 || call.isDisposed && call.ends == 0, "call \(index) of seed \(seed)")
      if !hasFaults {
        #expect(call.text == call.expected, "call \(index) of seed \(seed)")
      }
    }
    #expect(client.pool.count == client.pool.idleCount, "seed \(seed)")
    // A connection that was closed while its client had ceased to read has half a minute to write the rest.
    let active = server.connections.served.count { $0.isActive }
    #expect(active == client.pool.idleCount, "seed \(seed)")
    scheduler.advance(by: .seconds(30))
    #expect(client.pool.count == 0, "seed \(seed)")
    #expect(listener.connectionCount == 0, "seed \(seed)")
  }

  private func call(_ client: HTTPClient, using random: inout SeededGenerator) -> Call {
    guard let (method, path, text) = Self.targets.randomElement(using: &random) else {
      return Call(expecting: "")
    }
    let call = Call(expecting: text == "long" ? long : text)
    let pieces = EventStream<[UInt8], Never>.sequence(["abc", "def"].map { Array($0.utf8) })
    let isStream = Bool.random(using: &random)
    let body: HTTPBody = method == "GET" ? .empty : isStream ? HTTPBody(pieces) : "abcdef"
    let reads = Int.random(in: 0..<8, using: &random) > 0
    let request = HTTPRequest(HTTPMethod(rawValue: method), "http://server\(path)", body: body)
    client.exchange(request).stream.start(
      in: call.observation,
      next: { response in
        guard reads else {
          call.ends += 1
          call.text = call.expected
          return
        }
        response.body.stream.start(
          in: call.body, next: { call.text += String(decoding: $0, as: UTF8.self) },
          end: { _ in call.ends += 1 })
      },
      end: { if case .failed = $0 { call.ends += 1 } })
    return call
  }
}
