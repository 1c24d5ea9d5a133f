import RunnelStreams

/// Measures subjects, properties and operators.
func measureStreams(_ report: inout Report) {
  measureChains(&report)
  measureSubjects(&report)
  measureFlattening(&report)
  measureCombining(&report)
  measureSharing(&report)
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
  report.time("12 hidden steps, an event", per: batch) {
    for number in 0..<batch { numbers.next(number) }
  }
  report.allocations("12 hidden steps, an event, allocations", per: 1000) {
    for number in 0..<1000 { numbers.next(number) }
  }
  observation.dispose()
  consume(sum.total)

  report.time("12 hidden steps, observe and dispose", per: 2000) {
    for _ in 0..<2000 { chain.observeNext { _ in }.dispose() }
  }
  report.allocations("12 hidden steps, observe and dispose, allocations") {
    chain.observeNext { _ in }.dispose()
  }
}

private func measureSubjects(_ report: inout Report) {
  let sum = Sum()
  let one = PushStream<Int>()
  one.observeNext { sum.add($0) }
  report.time("PushStream to 1 observer", per: batch) {
    for number in 0..<batch { one.next(number) }
  }
  report.allocations("PushStream to 1 observer, allocations", per: 1000) {
    for number in 0..<1000 { one.next(number) }
  }

  let hundred = PushStream<Int>()
  for _ in 1...100 { hundred.observeNext { sum.add($0) } }
  report.time("PushStream to 100 observers, each", per: batch) {
    for number in 0..<(batch / 100) { hundred.next(number) }
  }

  let property = Property(0)
  property.stream.map { $0 / 2 }.distinctUntilChanged().observeNext { sum.add($0) }
  report.time("Property through map and distinctUntilChanged", per: batch) {
    for number in 0..<batch { property.value = number }
  }
  report.allocations("Property through map and distinctUntilChanged, allocations", per: 1000) {
    for number in 0..<1000 { property.value = number }
  }
  consume(sum.total)
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
    report.time("\(name) of just, an inner", per: batch) {
      let numbers = PushStream<Int>()
      flatten(numbers.stream).observeNext { sum.add($0) }
      for number in 0..<batch { numbers.next(number) }
      chains.append(numbers)
    }
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
  report.time("share to 10 observers, each", per: batch) {
    for number in 0..<(batch / 10) { numbers.next(number) }
  }
  consume(sum.total)
}
