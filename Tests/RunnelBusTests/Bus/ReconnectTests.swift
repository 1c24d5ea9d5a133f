import RunnelBus
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct ReconnectTests {
  /// A program that runs for months: nothing is left behind by lost connections, and no event is lost.
  @Test func tenThousandReconnectsLeaveNothingBehind() throws {
    try Resources.tracking { resources in
      let scheduler = TestScheduler()
      let broker = TestBroker(on: scheduler)
      broker.delay = .milliseconds(1) ... .milliseconds(5)
      let (shop, store) = (EventBus(coder: .json), EventBus(coder: .json))
      let link = try shop.join(
        broker.client("shop"), exporting: ["a.#", .requests("prices.*")], importing: ["a.#"])
      try store.join(
        broker.client("store"), exporting: ["a.#"],
        importing: ["a.#", .requests("prices.*")])
      store.answer(Price.self) { _ in Single<Int, Never> { _ in .none } }
      var arrived: [Int] = []
      try store.events(Int.self, on: "a.event").observe(next: { arrived.append($0) })
      var failures = 0
      scheduler.advance(by: .seconds(5))
      // The numbers of objects and of scheduled calls after 20 rounds and after all.
      var living: [Int] = []
      var calls: [Int] = []
      for round in 0..<10_000 {
        shop.ask(Price(title: "Emma")).observe(failed: { _ in failures += 1 })
        try shop.publish(round, on: "a.event")
        try store.publish(round, on: "a.sticky", sticky: true)
        scheduler.advance(by: .milliseconds(round % 20))
        let client = broker.client(round.isMultiple(of: 2) ? "shop" : "store")
        client.cut()
        client.heal()
        scheduler.advance(by: .milliseconds(1_100))
        guard round == 19 || round == 9_999 else { continue }
        scheduler.advance(by: .seconds(5))
        living.append(resources.total)
        calls.append(scheduler.pending)
      }
      #expect(arrived == Array(0..<10_000))
      #expect(link.counts.waiting == 0 && link.state.value == .online && failures > 4_000)
      #expect(living.first == living.last && calls.first == calls.last, "\(living) \(calls)")
    }
  }
}
