import Runnel

private struct Saved {
  let number: Int
}

/// Measures typed events, and topics with many subscriptions that do not match.
func measureBus(_ report: inout Report) {
  let count = 100_000
  let sum = Sum()
  let bus = EventBus()
  bus.events(Saved.self).observeNext { sum.add($0.number) }
  func publish() {
    for number in 0..<count { bus.publish(Saved(number: number)) }
  }
  let byHand = BusByHand()
  byHand.subscribe { (saved: Saved) in sum.add(saved.number) }
  report.ratio(
    "publish to 1 typed subscriber", per: count,
    baseline: { for number in 0..<count { byHand.publish(Saved(number: number)) } },
    measured: publish)
  report.allocations("publish to 1 typed subscriber, allocations", per: count, publish)
  report.growth("1 million publishes", warmUp: publish) { for _ in 0..<10 { publish() } }

  let quiet = EventBus()
  let crowded = EventBus()
  let bag = DisposeBag()
  func subscribe(to pattern: String, on bus: EventBus) {
    let events = try? bus.events(Int.self, on: pattern)
    events?.observe(next: { sum.add($0) }, failed: { fatalError("\($0)") }).disposed(by: bag)
  }
  func publishOnTopic(of bus: EventBus) {
    for number in 0..<1_000 { try? bus.publish(number, on: "home.kitchen.light") }
  }
  for bus in [quiet, crowded] { subscribe(to: "home.*.light", on: bus) }
  for number in 0..<5_000 {
    subscribe(to: "home.room\(number).*", on: crowded)
    subscribe(to: "*.*.lamp\(number).#", on: crowded)
  }
  report.ratio(
    "publish beside 10,000 wildcards that do not match", per: 1_000,
    baseline: { publishOnTopic(of: quiet) }, measured: { publishOnTopic(of: crowded) })
  withExtendedLifetime(bag) {}
}

/// Typed events by hand: closures by type, which cannot be disposed.
private final class BusByHand {
  @exclusivity(unchecked) private var subscribers: [ObjectIdentifier: [(Any) -> Void]] = [:]

  func subscribe<Event>(_ call: @escaping (Event) -> Void) {
    subscribers[ObjectIdentifier(Event.self), default: []].append { event in
      if let event = event as? Event { call(event) }
    }
  }

  @inline(never)
  func publish<Event>(_ event: Event) {
    for call in subscribers[ObjectIdentifier(Event.self)] ?? [] { call(event) }
  }
}
