import RunnelStreams

/// The group `streams`.
func measureStreams(_ report: inout Report) {
  measureChains(&report)
  measureFlattening(&report)
  measureCombining(&report)
}

private let million = 1_000_000

private func measureChains(_ report: inout Report) {
  report.ratio(
    "12 map/filter steps in one function", per: million,
    baseline: { consume(handWrittenLoop(million)) }, measured: { consume(fusedChain(million)) })

  let numbers = PushStream<Int>()
  let chain = hiddenChain(numbers.stream)
  var sum = 0
  let observation = chain.observeNext { sum &+= $0 }
  report.time("12 hidden steps, an event", per: million) {
    for number in 0..<million { numbers.next(number) }
  }
  report.allocations("12 hidden steps, an event, allocations", per: 1000) {
    for number in 0..<1000 { numbers.next(number) }
  }
  observation.dispose()
  consume(sum)

  report.time("12 hidden steps, observe and dispose", per: 100_000) {
    for _ in 0..<100_000 { chain.observeNext { _ in }.dispose() }
  }
  report.allocations("12 hidden steps, observe and dispose, allocations") {
    chain.observeNext { _ in }.dispose()
  }
}

private func measureFlattening(_ report: inout Report) {
  var sum = 0
  let flattenings: [(String, (Numbers) -> Numbers)] = [
    ("flatMap", { $0.flatMap { .just($0) } }),
    ("concatMap", { $0.concatMap { .just($0) } }),
  ]
  for (name, flatten) in flattenings {
    let numbers = PushStream<Int>()
    flatten(numbers.stream).observeNext { sum &+= $0 }
    report.time("\(name) of just, an inner", per: million) {
      for number in 0..<million { numbers.next(number) }
    }
    report.allocations("\(name) of just, an inner, allocations", per: 1000) {
      for number in 0..<1000 { numbers.next(number) }
    }
    report.growth("\(name) over 10 million") {
      for number in 0..<1000 { numbers.next(number) }
    } _: {
      for number in 0..<(10 * million) { numbers.next(number) }
    }
  }
  consume(sum)
}
