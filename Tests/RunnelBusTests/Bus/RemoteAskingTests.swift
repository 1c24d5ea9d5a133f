import RunnelBus
import RunnelStreams
import RunnelTesting
import Testing

/// Requests that are answered in another program.
@Suite struct RemoteAskingTests {
  private struct NoPrice: Error {}

  private let scheduler = TestScheduler()
  private let broker: TestBroker
  private let client = EventBus(coder: .json)
  private let server = EventBus(coder: .json)

  init() throws {
    broker = TestBroker(on: scheduler)
    broker.delay = .milliseconds(10) ... .milliseconds(10)
    try client.join(broker.client("client"), prefix: "x", exporting: [.requests("prices.*")])
    try server.join(broker.client("server"), prefix: "x", importing: [.requests("prices.#")])
    scheduler.advance(by: .seconds(1))
  }

  private func outcome(
    of bus: EventBus, within limit: Duration? = nil, _ during: () -> Void = {}
  ) -> String? {
    var outcome: String?
    bus.ask(Price(title: "Emma"), within: limit, on: scheduler).observe(
      succeeded: { outcome = "\($0)" }, failed: { outcome = "\($0)" })
    during()
    scheduler.advance(by: .seconds(10))
    return outcome
  }

  @Test func requestCrosses() {
    let answering = server.answer(Price.self) { $0.title.count }
    #expect(outcome(of: client) == "4")
    answering.dispose()
    #expect(outcome(of: client) == "\(AskFailure.nobodyAnswers)")
    let inner = EventBus(name: "inner", within: client)
    server.answer(Price.self) { _ in 12 }
    #expect(outcome(of: inner) == "12")
  }

  @Test func answerHereIsPreferred() {
    server.answer(Price.self) { _ in 1 }
    client.answer(Price.self) { _ in 2 }
    #expect(outcome(of: client) == "2")
    #expect(outcome(of: server) == "1")
  }

  @Test func failureCrossesAsText() {
    server.answer(Price.self) { _ in throw NoPrice() }
    #expect(outcome(of: client) == "\(AskFailure.failed(RemoteFailure("NoPrice()")))")
  }

  @Test func limitAndDisposalEndWork() {
    var disposed = 0
    server.answer(Price.self) { _ in
      Single<Int, Never> { _ in Disposable { disposed += 1 } }
    }
    #expect(outcome(of: client, within: .seconds(1)) == "\(AskFailure.timedOut)")
    #expect(disposed == 1)
    let asking = client.ask(Price(title: "Emma")).observe()
    scheduler.advance(by: .seconds(1))
    asking.dispose()
    #expect(disposed == 2)
  }

  @Test func offlineFailsAtOnce() {
    server.answer(Price.self) { _ in 1 }
    broker.client("client").cut()
    let offline = outcome(of: client)
    #expect(offline?.contains("offline") == true)
    broker.client("client").heal()
    scheduler.advance(by: .seconds(10))
    #expect(outcome(of: client) == "1")
    let lost = outcome(of: client) { broker.client("client").cut() }
    #expect(lost?.contains("cut") == true)
  }

  /// Requests leave on exported topics only, and are answered on imported topics only.
  @Test func patternsLimitRequests() throws {
    let other = EventBus(coder: .json)
    let link = try other.join(broker.client("other"), prefix: "x", exporting: [.requests("a.#")])
    server.answer(Price.self) { _ in 1 }
    scheduler.advance(by: .seconds(1))
    #expect(outcome(of: other) == "\(AskFailure.nobodyAnswers)")
    link.dispose()
    try other.join(broker.client("other"), prefix: "x", exporting: [.requests("#")])
    scheduler.advance(by: .seconds(1))
    #expect(outcome(of: other) == "1")
  }
}
