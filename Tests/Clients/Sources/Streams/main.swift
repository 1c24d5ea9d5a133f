import Checking
import Runnel

enum LoadError: Error, Equatable {
  case offline
}

func elements<Element>(_ stream: some StreamConvertible<Element, Never>) -> [Element] {
  var elements: [Element] = []
  stream.stream.observeNext { elements.append($0) }
  return elements
}

// A chain of generic operators, which the compiler specialises here.
let numbers = EventStream<Int, Never>.sequence(1...1_000)
checkEqual(
  elements(
    numbers.filter { $0.isMultiple(of: 3) }.map { $0 * 2 }.scan(0, +).pairwise()
      .map { $1 - $0 }.skip(1).take(3)),
  [18, 24, 30])
checkEqual(
  elements(numbers.take(3).flatMap { EventStream<Int, Never>.sequence([$0, $0]) }),
  [1, 1, 2, 2, 3, 3])

// Subjects, reentrancy and disposal.
let subject = PushStream<Int>()
var seen: [Int] = []
let observation = subject.observeNext { number in
  seen.append(number)
  if number == 1 { subject.next(2) }
}
subject.next(1)
observation.dispose()
subject.next(3)
checkEqual(seen, [1, 2])
check(!subject.isObserved)

// Properties.
let first = Property("Jim")
let last = Property("Kirk")
var names: [String] = []
let name = EventStream.combineLatest(first.stream, last.stream).map { "\($0) \($1)" }
name.observeNext { names.append($0) }
first.value = "James"
last.value = "Bond"
checkEqual(names, ["Jim Kirk", "James Kirk", "James Bond"])

// Typed failures.
let failing = EventStream<Int, LoadError>.failed(.offline)
var attempts = 0
let retried = EventStream<Int, LoadError>.deferred {
  attempts += 1
  return attempts < 3 ? failing : .just(attempts)
}
var loaded: [Int] = []
retried.retry(5).observe(next: { loaded.append($0) }, failed: { check(false, "\($0)") })
checkEqual(loaded, [3])

// Another thread and back.
let pool = WorkerPool(size: 2)
var sums: [Int] = []
let squares = EventStream<Int, Never>.sequence(1...10)
  .via(pool) { $0.map { $0 * $0 } }
  .share()
squares.observeNext { sums.append($0) }
EventLoop.main.run(until: squares.filter { $0 == 100 })
checkEqual(sums, (1...10).map { $0 * $0 })

// Time.
let ticks = EventStream<Int, Never>.interval(.milliseconds(1)).take(3).toArray()
checkEqual(EventLoop.main.run(until: ticks).map { $0.count }, 3)

// Concurrency.
actor Meter {
  private let readings = PushStream<Double>()
  private var total = 0.0

  func sum(_ numbers: [Double]) -> Double {
    let observation = readings.map { $0 * 10 }.observeNext { self.total += $0 }
    for number in numbers { readings.next(number) }
    observation.dispose()
    return total
  }
}

let meter = Meter()
let sum = EventStream<Double, Never>.task { await meter.sum([1, 2, 3]) }
checkEqual(EventLoop.main.run(until: sum), 60)

// Lifetimes.
@MainActor final class Model {
  let bag = DisposeBag()
  let text = Property("")
  var lengths: [Int] = []

  init() {
    text.observeNext(weak: self) { model, text in model.lengths.append(text.count) }
      .disposed(by: bag)
  }
}

weak var released: Model?
do {
  let model = Model()
  released = model
  model.text.value = "Milk"
  checkEqual(model.lengths, [0, 4])
}
check(released == nil, "The model is kept alive.")
