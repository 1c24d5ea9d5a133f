import Checking
import Runnel

struct Saved: Equatable {
  let title: String
}

struct Price: BusRequest {
  typealias Reply = Int
  let title: String
}

struct Reading: Codable, Equatable {
  let celsius: Double
}

/// Runs a closure when it is released.
final class Guard {
  let body: () -> Void
  init(_ body: @escaping () -> Void) { self.body = body }
  deinit { body() }
}

let app = EventBus(name: "app")
let editor = EventBus(name: "editor", within: app)

// Events reach the bus and its parent, priorities first.
var log: [String] = []
app.events(Saved.self).observeNext { log.append("app: \($0.title)") }
editor.events(Saved.self, priority: .low).observeNext { log.append("low: \($0.title)") }
let high = editor.events(Saved.self, priority: .high).observeNext { saved in
  log.append("high: \(saved.title)")
  if saved.title == "Milk" { editor.publish(Saved(title: "Bread")) }
}
editor.publish(Saved(title: "Milk"))
high.dispose()
checkEqual(
  log, ["high: Milk", "low: Milk", "app: Milk", "high: Bread", "low: Bread", "app: Bread"])

// A sticky event waits for observers.
app.publish(sticky: Saved(title: "Butter"))
checkEqual(app.sticky(Saved.self), Saved(title: "Butter"))
var kept: [String] = []
app.events(Saved.self).observeNext { kept.append($0.title) }.dispose()
app.removeSticky(Saved.self)
check(app.sticky(Saved.self) == nil)

// Questions.
@MainActor func price(of title: String) -> Int? {
  var price: Int?
  editor.ask(Price(title: title)).observe(succeeded: { price = $0 }, failed: { _ in price = nil })
  return price
}
check(price(of: "Emma") == nil)
let answer = app.answer(Price.self) { $0.title.count }
checkEqual(price(of: "Emma"), 4)
answer.dispose()
check(price(of: "Emma") == nil)

// Disposing one answer releases an object that disposes another one.
var released = 0
var second: Disposable?
do {
  let guarded = Guard {
    released += 1
    second?.dispose()
  }
  let first = app.answer(Price.self) { _ in
    _ = guarded
    return 1
  }
  second = app.answer(Price.self) { _ in 2 }
  first.dispose()
}
checkEqual(released, 1)
check(price(of: "Emma") == nil)

// Topics.
var readings: [Reading] = []
try app.events(Reading.self, on: "rooms.*.temperature")
  .observe(next: { readings.append($0) }, failed: { check(false, "\($0)") })
try app.publish(Reading(celsius: 21.5), on: "rooms.kitchen.temperature")
try app.publish(Reading(celsius: 3), on: "garden.temperature")
checkEqual(readings, [Reading(celsius: 21.5)])

// From another thread.
let remote = app.remote
var heard: [Int] = []
let hasHeardAll = Property(false)
app.events(Int.self).observeNext { number in
  heard.append(number)
  if number == 99 { hasHeardAll.value = true }
}
EventStream<Void, Never>.perform(on: WorkerPool(size: 1)) {
  for number in 0..<100 { remote.publish(number) }
}.observe()
EventLoop.main.run(until: hasHeardAll.filter { $0 })
checkEqual(heard, Array(0..<100))
