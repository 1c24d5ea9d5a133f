import RunnelTesting
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

  @Test func sendsSynchronousInnerStreamsInOrder() {
    let recorder = Numbers.sequence(1...3).flatMap { .sequence([$0, $0 * 10]) }.record()
    #expect(
      recorder.events
        == [.next(1), .next(10), .next(2), .next(20), .next(3), .next(30), .completed])
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

  @Test func concatMapAgreesWithTheModel() {
    for seed in UInt64(1)...200 {
      let script = FlatteningScript(seed: seed)
      let actual = script.actual { source, inner in source.concatMap { inner($0) } }
      #expect(actual == script.expected(.concat), "\(script)")
    }
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

  @Test func completesWithAnEmptySource() {
    #expect(Numbers.completed.flatMap { Numbers.just($0) }.record().events == [.completed])
    #expect(Numbers.completed.concatMap { Numbers.just($0) }.record().events == [.completed])
  }

  @Test func theLastInnerStreamIsTornDownAfterTheEnd() {
    source.concatMap { InnerStreams.logged("\($0)", log, inner[$0].stream) }.observe(
      failed: { _ in }, completed: { log.lines.append("completed") })
    source.next(0)
    source.completed()
    inner[0].completed()
    #expect(log.lines == ["+0", "completed", "-0"])
  }

  // MARK: - Failure

  @Test func aFailureOfTheSourceFailsIt() {
    let recorder = source.flatMap { inner[$0].stream }.record()
    source.next(0)
    source.failed(ContractFailure())
    #expect(recorder.events == [.failed(ContractFailure())])
    #expect(!inner[0].isObserved)
  }

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

  @Test func anErrorThrownByTheClosureFailsIt() {
    let recorder = source.flatMap { index throws(ContractFailure) in
      if index == 1 { throw ContractFailure() }
      return inner[index].stream
    }.record()
    source.next(0)
    inner[0].next(5)
    source.next(1)
    #expect(recorder.events == [.next(5), .failed(ContractFailure())])
    #expect(!inner[0].isObserved)
    #expect(!source.isObserved)
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

  @Test func disposesTheSourceAndTheInnerStreams() {
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

  @Test func disposalInTheClosureSkipsTheInnerStream() {
    let observation = Disposable()
    source.flatMap { _ -> Numbers in
      observation.dispose()
      return InnerStreams.logged("inner", log, .just(1))
    }.start(in: observation, next: { _ in log.lines.append("next") }, end: { _ in })
    source.next(0)
    #expect(log.lines == [])
    #expect(!source.isObserved)
  }

  @Test func disposalStopsBetweenInnerStreams() {
    let observation = Disposable()
    var elements: [Int] = []
    EventStream<Int, Never>.sequence(1...).flatMap { .sequence([$0, -$0]) }.start(
      in: observation,
      next: { element in
        elements.append(element)
        if element == 2 { observation.dispose() }
      }, end: { _ in })
    #expect(elements == [1, -1, 2])
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

  @Test func anElementMayCauseTheNext() {
    let recorder = source.flatMap { Numbers.just($0) }
    var elements: [Int] = []
    recorder.observeNext { element in
      elements.append(element)
      if element < 1000 { source.next(element + 1) }
    }
    source.next(1)
    #expect(elements == Array(1...1000))
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

  @Test(arguments: [1, 2, Int.max])
  func finishedInnerStreamsAreReleased(limit: Int) {
    let census = Counted.Census()
    let numbers = PushStream<Int>()
    var most = 0
    let recorder = numbers.flatMap(maxConcurrent: limit) { number -> EventStream<Int, Never> in
      let held = Counted(census)
      return .unguarded { observer in
        most = max(most, census.alive)
        withExtendedLifetime(held) { observer.next(number) }
        observer.completed()
      }
    }.record()
    for number in 1...10_000 { numbers.next(number) }
    #expect(recorder.elements.count == 10_000)
    #expect(most == 1)
    #expect(census.alive == 0)
  }

  @Test(arguments: [1, 2, Int.max])
  func aFinishedInnerObserverCannotReachTheNext(limit: Int) {
    var observers: [Observer<Int, Never>] = []
    let numbers = PushStream<Int>()
    let recorder = numbers.flatMap(maxConcurrent: limit) { number in
      EventStream<Int, Never>.unguarded { observer in
        observers.append(observer)
        observer.next(number)
        if number == 1 { observer.completed() }
      }
    }.record()
    numbers.next(1)
    numbers.next(2)
    numbers.completed()
    observers[0].next(10)
    observers[0].completed()
    observers[1].next(20)
    #expect(recorder.events == [.next(1), .next(2), .next(20)])
    observers[1].completed()
    #expect(recorder.events == [.next(1), .next(2), .next(20), .completed])
  }

  @Test(arguments: [1, 2, Int.max])
  func aFinishedInnerObservationKeepsTheNext(limit: Int) {
    var observations: [Disposable] = []
    let numbers = PushStream<Int>()
    let recorder = numbers.flatMap(maxConcurrent: limit) { number in
      EventStream<Int, Never>.unguarded { observer in
        observations.first?.dispose()
        observations.append(observer.observation)
        observer.next(number)
        observer.completed()
      }
    }.record()
    for number in 1...3 { numbers.next(number) }
    numbers.completed()
    #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
    #expect(observations[0] !== observations[1])
  }

  @Test func theTableOfInnerStreamsStaysSmall() {
    let observation = Disposable()
    let merging = Merging(
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

  // MARK: - Contracts and misuse

  @Test func aLimitBelowOneTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = EventStream<Int, Never>.never.flatMap(maxConcurrent: 0) { .just($0) }
    }
  }

  @Test func keepsTheContracts() {
    expectContracts(.outlivesSource) { source, probe in
      source.flatMap {
        probe.touch()
        return .just($0)
      }
    }
    expectContracts([.timed, .outlivesSource]) { source, probe in
      source.flatMap {
        probe.touch()
        return InnerStreams.later($0, on: probe.scheduler)
      }
    }
  }

  @Test func keepsTheContractsWithALimit() {
    expectContracts(.outlivesSource) { source, probe in
      source.flatMap(maxConcurrent: 2) {
        probe.touch()
        return .sequence([$0, $0])
      }
    }
    expectContracts([.timed, .accumulates, .outlivesSource]) { source, probe in
      source.flatMap(maxConcurrent: 2) {
        probe.touch()
        return InnerStreams.later($0, on: probe.scheduler)
      }
    }
  }

  @Test func concatMapKeepsTheContracts() {
    expectContracts(.outlivesSource) { source, probe in
      source.concatMap {
        probe.touch()
        return .just($0)
      }
    }
    expectContracts([.timed, .accumulates, .outlivesSource]) { source, probe in
      source.concatMap {
        probe.touch()
        return InnerStreams.later($0, on: probe.scheduler)
      }
    }
  }
}
