import RunnelTesting
import StreamTestSupport
import Testing

@testable import RunnelStreams

@Suite struct FlatMapTests {
  typealias Numbers = EventStream<Int, ContractFailure>
  let source = Subject<Int, ContractFailure>()
  let inner = (0..<4).map { _ in Subject<Int, ContractFailure>() }
  let log = InnerStreams.Log()

  // MARK: - Values

  @Test func sendsInnerElementsInOrderOfArrival() {
    let recorder = source.flatMap { inner[$0].stream }.record()
    source.next(0)
    source.next(1)
    inner[0].next(1)
    inner[1].next(2)
    inner[0].next(3)
    #expect(recorder.events == [.next(1), .next(2), .next(3)])
  }

  @Test func observesAtMostTheLimit() {
    let recorder = source.flatMap(maxConcurrent: 2) { index in
      InnerStreams.logged("\(index)", log, inner[index].stream)
    }.record()
    for index in 0...3 { source.next(index) }
    #expect(log.lines == ["+0", "+1"])
    inner[2].next(7)
    inner[1].completed()
    inner[2].next(8)
    inner[0].next(9)
    #expect(log.lines == ["+0", "+1", "-1", "+2"])
    inner[0].completed()
    inner[2].completed()
    #expect(log.lines == ["+0", "+1", "-1", "+2", "-0", "+3", "-2"])
    #expect(recorder.events == [.next(8), .next(9)])
  }

  @Test func concatMapTearsDownBeforeTheNextStream() {
    let recorder = Numbers.sequence(1...3).concatMap { number in
      InnerStreams.logged("\(number)", log, .just(number))
    }.record()
    #expect(log.lines == ["+1", "-1", "+2", "-2", "+3", "-3"])
    #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])

    log.lines = []
    let gate = inner[0]
    let waiting = Numbers.sequence(0...2).concatMap { number in
      InnerStreams.logged("\(number)", log, number == 0 ? gate.stream : .just(number))
    }.record()
    gate.completed()
    #expect(log.lines == ["+0", "-0", "+1", "-1", "+2", "-2"])
    #expect(waiting.events == [.next(1), .next(2), .completed])
  }

  // MARK: - Completion

  @Test func completesAfterSourceAndInnerStreams() {
    let recorder = source.flatMap { inner[$0].stream }.record()
    source.next(0)
    source.next(1)
    inner[0].completed()
    source.completed()
    #expect(!recorder.isCompleted)
    inner[1].next(1)
    inner[1].completed()
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test func completionWaitsForQueuedInnerStreams() {
    let recorder = source.flatMap(maxConcurrent: 1) { inner[$0].stream }.record()
    source.next(0)
    source.next(1)
    source.completed()
    inner[0].completed()
    #expect(!recorder.isCompleted)
    inner[1].completed()
    #expect(recorder.events == [.completed])
  }

  // MARK: - Failure

  @Test func aFailureOfAnInnerStreamDisposesTheOthers() {
    let recorder = source.flatMap(maxConcurrent: 2) { index in
      InnerStreams.logged("\(index)", log, inner[index].stream)
    }.record()
    for index in 0...2 { source.next(index) }
    inner[1].failed(ContractFailure())
    #expect(recorder.events == [.failed(ContractFailure())])
    #expect(!inner[0].isObserved)
    #expect(!source.isObserved)
    #expect(log.lines.sorted() == ["+0", "+1", "-0", "-1"])
  }

  @Test func afterAFailureTheClosureIsNotCalled() {
    // The failure is queued behind the element that is being handled.
    var calls = 0
    let merged = source.flatMap { index in
      calls += 1
      return inner[index].stream
    }
    var events: [StreamEvent<Int, ContractFailure>] = []
    merged.observe { event in
      events.append(event)
      guard case .next = event else { return }
      inner[1].failed(ContractFailure())
      source.next(2)
    }
    source.next(0)
    source.next(1)
    inner[0].next(1)
    #expect(events == [.next(1), .failed(ContractFailure())])
    #expect(calls == 2)
  }

  // MARK: - Disposal

  @Test func disposesRunningAndQueuedInnerStreams() {
    let recorder = source.flatMap(maxConcurrent: 2) { inner[$0].stream }.record()
    for index in 0...2 { source.next(index) }
    recorder.dispose()
    #expect(!source.isObserved)
    #expect(inner.allSatisfy { !$0.isObserved })
    inner[0].completed()
    #expect(!inner[2].isObserved)
    #expect(recorder.events == [])
  }

  @Test func disposalReleasesQueuedInnerStreams() {
    let census = Counted.Census()
    let recorder = source.concatMap { _ -> Numbers in
      let held = Counted(census)
      return .unguarded { _ in withExtendedLifetime(held) {} }
    }.record()
    for index in 1...100 { source.next(index) }
    #expect(census.alive >= 99)
    recorder.dispose()
    #expect(census.alive == 0)
  }

  // MARK: - Reentrancy

  @Test func elementsSentDuringDeliveryAreQueued() {
    var log: [String] = []
    source.flatMap { inner[$0].stream }.observeNext { element in
      log.append("<\(element)")
      if element == 1 {
        inner[1].next(2)
        source.next(2)
        inner[2].next(3)
      }
      log.append("\(element)>")
    }
    source.next(0)
    source.next(1)
    inner[0].next(1)
    #expect(log == ["<1", "1>", "<2", "2>", "<3", "3>"])
  }

  @Test(arguments: [1, 3])
  func aLongQueueOfInnerStreamsTakesNoStack(limit: Int) {
    let gate = Subject<Int, Never>()
    var count = 0
    var sum = 0
    var completed = false
    EventStream<Int, Never>.sequence(0..<100_000 + limit)
      .flatMap(maxConcurrent: limit) { $0 < limit ? gate.stream : .just($0) }
      .observe(
        next: { element in
          count += 1
          sum += element
        }, completed: { completed = true })
    #expect(count == 0)
    gate.completed()
    #expect(count == 100_000)
    #expect(sum == (limit..<100_000 + limit).reduce(0, +))
    #expect(completed)
  }

  // MARK: - Memory

  @Test func theTableOfInnerStreamsStaysSmall() {
    let observation = Disposable()
    let merging = Flattening(
      limit: 8,
      into: Observer<Int, Never>(next: { _ in }, end: { _ in }, observation: observation))
    var open: [Subject<Int, Never>] = []
    for round in 0..<20_000 {
      let inner = Subject<Int, Never>()
      open.append(inner)
      merging.add(inner.stream)
      if open.count == 8 { open.remove(at: round % 8).completed() }
    }
    #expect(merging.others.others.count < 8)
    #expect(merging.others.count == 7)
    #expect(merging.waiting.isEmpty)
    #expect(merging.waiting.storage.count <= 64)
    observation.dispose()
  }

  // MARK: - Misuse

  @Test func aLimitBelowOneTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = EventStream<Int, Never>.never.flatMap(maxConcurrent: 0) { .just($0) }
    }
  }
}
