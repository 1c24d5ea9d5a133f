import RunnelStreams

/// Measures subjects, properties and operators.
func measureStreams(_ report: inout Report) {
  measureChains(&report)
  measureSubjects(&report)
  measureFlattening(&report)
  measureCombining(&report)
  measureSharing(&report)
  measureMetrics(&report)
}

private let million = 1_000_000
/// Short enough that some of the runs are not interrupted, even on a busy machine.
private let batch = 20_000

private func measureChains(_ report: inout Report) {
  report.ratio(
    "12 map/filter steps in one function", per: million,
    baseline: { consume(handWrittenLoop(million)) }, measured: { consume(fusedChain(million)) })

  let numbers = PushStream<Int>()
  let chain = hiddenChain(numbers.stream)
  let sum = Sum()
  let observation = chain.observeNext { sum.add($0) }
  let calls = hiddenCalls { sum.add($0) }
  report.ratio(
    "12 hidden steps, an event", per: batch,
    baseline: { for number in 0..<batch { calls(number) } },
    measured: { for number in 0..<batch { numbers.next(number) } })
  report.allocations("12 hidden steps, an event, allocations", per: 1000) {
    for number in 0..<1000 { numbers.next(number) }
  }
  observation.dispose()
  consume(sum.total)

  report.ratio(
    "12 hidden steps, observe and dispose", per: 2000,
    baseline: { for _ in 0..<2000 { consume(hiddenCalls { _ in }) } },
    measured: { for _ in 0..<2000 { chain.observeNext { _ in }.dispose() } })
  report.allocations("12 hidden steps, observe and dispose, allocations") {
    chain.observeNext { _ in }.dispose()
  }
}

private func measureSubjects(_ report: inout Report) {
  let sum = Sum()
  let one = PushStream<Int>()
  one.observeNext { sum.add($0) }
  let callbacks = Callbacks<Int>()
  callbacks.calls = [{ sum.add($0) }]
  report.ratio(
    "PushStream to 1 observer", per: batch,
    baseline: { for number in 0..<batch { callbacks.send(number) } },
    measured: { for number in 0..<batch { one.next(number) } })
  report.allocations("PushStream to 1 observer, allocations", per: 1000) {
    for number in 0..<1000 { one.next(number) }
  }

  let hundred = PushStream<Int>()
  for _ in 1...100 { hundred.observeNext { sum.add($0) } }
  callbacks.calls = (1...100).map { _ in { sum.add($0) } }
  report.ratio(
    "PushStream to 100 observers, each", per: batch,
    baseline: { for number in 0..<(batch / 100) { callbacks.send(number) } },
    measured: { for number in 0..<(batch / 100) { hundred.next(number) } })

  let property = Property(0)
  property.stream.map { $0 / 2 }.distinctUntilChanged().observeNext { sum.add($0) }
  let field = Field { sum.add($0) }
  report.ratio(
    "Property through map and distinctUntilChanged", per: batch,
    baseline: { for number in 0..<batch { field.value = number } },
    measured: { for number in 0..<batch { property.value = number } })
  report.allocations("Property through map and distinctUntilChanged, allocations", per: 1000) {
    for number in 0..<1000 { property.value = number }
  }
  consume(sum.total)
}

/// A value that reports half of itself to a closure if that has changed.
private final class Field {
  @exclusivity(unchecked) private var half = 0
  private let changed: Callback
  @exclusivity(unchecked) var value = 0 { didSet { report() } }

  init(changed: @escaping Callback) { self.changed = changed }

  @inline(never)
  private func report() {
    let half = value / 2
    if half == self.half { return }
    self.half = half
    changed(half)
  }
}

/// An object for each element, which sends it.
private final class Inner {
  private let element: Int

  init(_ element: Int) { self.element = element }

  @inline(never)
  func send(to observer: Callback) { observer(element) }
}

private func measureFlattening(_ report: inout Report) {
  let sum = Sum()
  let flattenings: [(String, (Numbers) -> Numbers)] = [
    ("flatMap", { $0.flatMap { .just($0) } }),
    ("flatMapLatest", { $0.flatMapLatest { .just($0) } }),
    ("concatMap", { $0.concatMap { .just($0) } }),
  ]
  for (name, flatten) in flattenings {
    let numbers = PushStream<Int>()
    flatten(numbers.stream).observeNext { sum.add($0) }
    // Each run creates its own chain, at other addresses: at some addresses, the blocks of an inner
    // stream straddle cache lines.
    var chains: [PushStream<Int>] = []
    let callbacks = Callbacks<Int>()
    callbacks.calls = [{ number in Inner(number).send { sum.add($0) } }]
    report.ratio(
      "\(name) of just, an inner", per: batch,
      baseline: { for number in 0..<batch { callbacks.send(number) } },
      measured: {
        let numbers = PushStream<Int>()
        flatten(numbers.stream).observeNext { sum.add($0) }
        for number in 0..<batch { numbers.next(number) }
        chains.append(numbers)
      })
    consume(chains)
    report.allocations("\(name) of just, an inner, allocations", per: 1000) {
      for number in 0..<1000 { numbers.next(number) }
    }
    report.growth("\(name) over 10 million") {
      for number in 0..<1000 { numbers.next(number) }
    } _: {
      for number in 0..<(10 * million) { numbers.next(number) }
    }
  }
  consume(sum.total)
}

private func measureSharing(_ report: inout Report) {
  let sum = Sum()
  let numbers = PushStream<Int>()
  let shared = numbers.share()
  for _ in 1...10 { shared.observeNext { sum.add($0) } }
  let callbacks = Callbacks<Int>()
  callbacks.calls = (1...10).map { _ in { sum.add($0) } }
  report.ratio(
    "share to 10 observers, each", per: batch,
    baseline: { for number in 0..<(batch / 10) { callbacks.send(number) } },
    measured: { for number in 0..<(batch / 10) { numbers.next(number) } })
  consume(sum.total)
}
