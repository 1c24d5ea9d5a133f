import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

/// The behaviour that all flattening operators share.
@Suite struct FlatteningTests {
  typealias Numbers = EventStream<Int, ContractFailure>
  let source = Subject<Int, ContractFailure>()
  let inner = (0..<2).map { _ in Subject<Int, ContractFailure>() }
  let log = InnerStreams.Log()

  // MARK: - Values

  @Test(arguments: FlatteningOperator.allCases)
  func sendsAllElementsOfSynchronousStreams(_ operation: FlatteningOperator) {
    let recorder = Numbers.sequence(1...3).flattened(by: operation) { .sequence([$0, $0 * 10]) }
      .record()
    #expect(
      recorder.events
        == [.next(1), .next(10), .next(2), .next(20), .next(3), .next(30), .completed])
  }

  @Test(arguments: FlatteningOperator.allCases)
  func agreesWithTheReference(_ operation: FlatteningOperator) {
    for seed in UInt64(1)...200 {
      let script = FlatteningScript(seed: seed)
      #expect(script.actual(operation) == script.expected(operation), "\(script)")
    }
  }

  // MARK: - Completion

  @Test(arguments: FlatteningOperator.allCases)
  func completionOfTheSourceWaitsForTheInnerStream(_ operation: FlatteningOperator) {
    let recorder = source.flattened(by: operation) { inner[$0].stream }.record()
    source.next(0)
    source.completed()
    inner[0].next(1)
    #expect(recorder.events == [.next(1)])
    inner[0].completed()
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test(arguments: FlatteningOperator.allCases)
  func completionOfAnInnerStreamWaitsForTheSource(_ operation: FlatteningOperator) {
    let recorder = source.flattened(by: operation) { inner[$0].stream }.record()
    source.next(0)
    inner[0].completed()
    #expect(recorder.events == [])
    source.next(1)
    inner[1].completed()
    #expect(recorder.events == [])
    source.completed()
    #expect(recorder.events == [.completed])
  }

  @Test(arguments: FlatteningOperator.allCases)
  func completesWithAnEmptySource(_ operation: FlatteningOperator) {
    let recorder = Numbers.completed.flattened(by: operation) { Numbers.just($0) }.record()
    #expect(recorder.events == [.completed])
  }

  @Test(arguments: FlatteningOperator.allCases)
  func theLastInnerStreamIsTornDownAfterTheEnd(_ operation: FlatteningOperator) {
    source.flattened(by: operation) { InnerStreams.logged("\($0)", log, inner[$0].stream) }.observe(
      failed: { _ in }, completed: { log.lines.append("completed") })
    source.next(0)
    source.completed()
    inner[0].completed()
    #expect(log.lines == ["+0", "completed", "-0"])
  }

  // MARK: - Failure

  @Test(arguments: FlatteningOperator.allCases)
  func aFailureOfTheSourceDisposesTheInnerStream(_ operation: FlatteningOperator) {
    let recorder = source.flattened(by: operation) { inner[$0].stream }.record()
    source.next(0)
    source.failed(ContractFailure())
    #expect(recorder.events == [.failed(ContractFailure())])
    #expect(!inner[0].isObserved)
  }

  @Test(arguments: FlatteningOperator.allCases)
  func aFailureOfTheInnerStreamFailsIt(_ operation: FlatteningOperator) {
    let recorder = source.flattened(by: operation) { inner[$0].stream }.record()
    source.next(0)
    inner[0].failed(ContractFailure())
    source.next(1)
    #expect(recorder.events == [.failed(ContractFailure())])
    #expect(!source.isObserved)
  }

  @Test(arguments: FlatteningOperator.allCases)
  func anErrorThrownByTheClosureFailsIt(_ operation: FlatteningOperator) {
    let recorder = source.flattened(by: operation) { _ throws(ContractFailure) -> Numbers in
      throw ContractFailure()
    }.record()
    source.next(0)
    #expect(recorder.events == [.failed(ContractFailure())])
    #expect(!source.isObserved)
  }

  @Test(arguments: FlatteningOperator.selectingAlways)
  func anErrorThrownByTheClosureDisposesTheOthers(_ operation: FlatteningOperator) {
    let recorder = source.flattened(by: operation) { index throws(ContractFailure) in
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

  // MARK: - Disposal

  @Test(arguments: FlatteningOperator.allCases)
  func disposesTheSourceAndTheInnerStream(_ operation: FlatteningOperator) {
    let recorder = source.flattened(by: operation) { inner[$0].stream }.record()
    source.next(0)
    recorder.dispose()
    #expect(!source.isObserved)
    #expect(!inner[0].isObserved)
    #expect(recorder.events == [])
  }

  @Test(arguments: FlatteningOperator.allCases)
  func disposalInTheClosureSkipsTheInnerStream(_ operation: FlatteningOperator) {
    let observation = Disposable()
    source.flattened(by: operation) { _ -> Numbers in
      observation.dispose()
      return InnerStreams.logged("inner", log, .just(1))
    }.start(in: observation, next: { _ in log.lines.append("next") }, end: { _ in })
    source.next(0)
    #expect(log.lines == [])
    #expect(!source.isObserved)
  }

  @Test(arguments: FlatteningOperator.selectingAlways)
  func disposalInALaterClosureDisposesTheFirst(_ operation: FlatteningOperator) {
    let observation = Disposable()
    source.flattened(by: operation) { index -> Numbers in
      if index == 1 { observation.dispose() }
      return InnerStreams.logged("\(index)", log, inner[index].stream)
    }.start(in: observation, next: { _ in }, end: { _ in })
    source.next(0)
    source.next(1)
    #expect(log.lines == ["+0", "-0"])
  }

  @Test(arguments: FlatteningOperator.allCases)
  func disposalStopsBetweenInnerStreams(_ operation: FlatteningOperator) {
    let observation = Disposable()
    var elements: [Int] = []
    EventStream<Int, Never>.sequence(1...).flattened(by: operation) { .sequence([$0, -$0]) }.start(
      in: observation,
      next: { element in
        elements.append(element)
        if element == 2 { observation.dispose() }
      }, end: { _ in })
    #expect(elements == [1, -1, 2])
  }

  // MARK: - Reentrancy

  @Test(arguments: FlatteningOperator.allCases)
  func anElementMayCauseTheNext(_ operation: FlatteningOperator) {
    var elements: [Int] = []
    source.flattened(by: operation) { Numbers.just($0) }.observeNext { element in
      elements.append(element)
      if element < 1000 { source.next(element + 1) }
    }
    source.next(1)
    #expect(elements == Array(1...1000))
  }

  // MARK: - Memory

  @Test(arguments: FlatteningOperator.allCases)
  func finishedInnerStreamsAreReleased(_ operation: FlatteningOperator) {
    let census = Counted.Census()
    let numbers = PushStream<Int>()
    var most = 0
    let recorder = numbers.flattened(by: operation) { number -> EventStream<Int, Never> in
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

  @Test(arguments: FlatteningOperator.allCases)
  func aFinishedInnerObserverCannotReachTheNext(_ operation: FlatteningOperator) {
    var observers: [Observer<Int, Never>] = []
    let numbers = PushStream<Int>()
    let recorder = numbers.flattened(by: operation) { number in
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

  @Test(arguments: FlatteningOperator.allCases)
  func aFinishedInnerObservationKeepsTheNext(_ operation: FlatteningOperator) {
    var observations: [Disposable] = []
    let numbers = PushStream<Int>()
    let recorder = numbers.flattened(by: operation) { number in
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

  // MARK: - Contracts

  @Test(arguments: FlatteningOperator.allCases)
  func keepsTheContracts(_ operation: FlatteningOperator) {
    expectContracts(.outlivesSource) { source, probe in
      source.flattened(by: operation) {
        probe.touch()
        return .just($0)
      }
    }
    expectContracts(.outlivesSource) { source, probe in
      source.flattened(by: operation) {
        probe.touch()
        return .sequence([$0, $0])
      }
    }
    let waiting: ContractTraits = operation.queuesInnerStreams ? .accumulates : []
    expectContracts(waiting.union([.timed, .outlivesSource])) { source, probe in
      source.flattened(by: operation) {
        probe.touch()
        return InnerStreams.later($0, on: probe.scheduler)
      }
    }
  }
}
