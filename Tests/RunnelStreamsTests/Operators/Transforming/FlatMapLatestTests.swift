import RunnelTesting
import Testing

@testable import RunnelStreams

@Suite struct FlatMapLatestTests {
  typealias Numbers = EventStream<Int, ContractFailure>
  let source = Subject<Int, ContractFailure>()
  let inner = (0..<4).map { _ in Subject<Int, ContractFailure>() }
  let log = InnerStreams.Log()

  // MARK: - Values

  @Test func sendsElementsOfTheLatestInnerStream() {
    let recorder = source.flatMapLatest { inner[$0].stream }.record()
    source.next(0)
    inner[0].next(1)
    source.next(1)
    inner[0].next(2)
    inner[1].next(3)
    #expect(recorder.events == [.next(1), .next(3)])
    #expect(!inner[0].isObserved)
  }

  @Test func selectsBeforeItDisposesAndObserves() {
    let recorder = source.flatMapLatest { index -> Numbers in
      log.lines.append("select \(index)")
      return InnerStreams.logged("\(index)", log, inner[index].stream)
    }.record()
    source.next(0)
    source.next(1)
    #expect(log.lines == ["select 0", "+0", "select 1", "-0", "+1"])
    #expect(recorder.events == [])
  }

  @Test func theOldStreamMaySendDuringSelection() {
    let recorder = source.flatMapLatest { index -> Numbers in
      inner[0].next(index)
      return inner[index].stream
    }.record()
    source.next(0)
    source.next(1)
    #expect(recorder.events == [.next(1)])
  }

  @Test func sendsAllElementsOfSynchronousStreams() {
    let recorder = Numbers.sequence(1...3).flatMapLatest { .sequence([$0, $0 * 10]) }.record()
    #expect(
      recorder.events
        == [.next(1), .next(10), .next(2), .next(20), .next(3), .next(30), .completed])
  }

  @Test func agreesWithTheModel() {
    for seed in UInt64(1)...200 {
      let script = FlatteningScript(seed: seed)
      let actual = script.actual { source, inner in source.flatMapLatest { inner($0) } }
      #expect(actual == script.expected(.latest), "\(script)")
    }
  }

  // MARK: - Completion

  @Test func completionOfTheSourceWaitsForTheInnerStream() {
    let recorder = source.flatMapLatest { inner[$0].stream }.record()
    source.next(0)
    source.completed()
    inner[0].next(1)
    #expect(recorder.events == [.next(1)])
    inner[0].completed()
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test func completionOfAnInnerStreamWaitsForTheSource() {
    let recorder = source.flatMapLatest { inner[$0].stream }.record()
    source.next(0)
    inner[0].completed()
    #expect(recorder.events == [])
    source.next(1)
    inner[1].completed()
    source.completed()
    #expect(recorder.events == [.completed])
  }

  @Test func completesWithAnEmptySource() {
    #expect(Numbers.completed.flatMapLatest { Numbers.just($0) }.record().events == [.completed])
  }

  // MARK: - Failure

  @Test func aFailureOfTheSourceDisposesTheInnerStream() {
    let recorder = source.flatMapLatest { inner[$0].stream }.record()
    source.next(0)
    source.failed(ContractFailure())
    #expect(recorder.events == [.failed(ContractFailure())])
    #expect(!inner[0].isObserved)
  }

  @Test func aFailureOfTheInnerStreamFailsIt() {
    let recorder = source.flatMapLatest { inner[$0].stream }.record()
    source.next(0)
    inner[0].failed(ContractFailure())
    source.next(1)
    #expect(recorder.events == [.failed(ContractFailure())])
    #expect(!source.isObserved)
  }

  @Test func aFailureOfAReplacedStreamIsIgnored() {
    let recorder = source.flatMapLatest { inner[$0].stream }.record()
    source.next(0)
    source.next(1)
    inner[0].failed(ContractFailure())
    inner[1].next(1)
    #expect(recorder.events == [.next(1)])
  }

  @Test func anErrorThrownByTheClosureFailsIt() {
    let recorder = source.flatMapLatest { index throws(ContractFailure) in
      if index == 1 { throw ContractFailure() }
      return inner[index].stream
    }.record()
    source.next(0)
    source.next(1)
    #expect(recorder.events == [.failed(ContractFailure())])
    #expect(!inner[0].isObserved)
  }

  // MARK: - Disposal

  @Test func disposesTheSourceAndTheInnerStream() {
    let recorder = source.flatMapLatest { inner[$0].stream }.record()
    source.next(0)
    recorder.dispose()
    #expect(!source.isObserved)
    #expect(!inner[0].isObserved)
  }

  @Test func disposalInTheClosureSkipsTheInnerStream() {
    let observation = Disposable()
    source.flatMapLatest { index -> Numbers in
      if index == 1 { observation.dispose() }
      return InnerStreams.logged("\(index)", log, inner[index].stream)
    }.start(in: observation, next: { _ in }, end: { _ in })
    source.next(0)
    source.next(1)
    #expect(log.lines == ["+0", "-0"])
  }

  @Test func disposalInTheOldTeardownSkipsTheNewStream() {
    let observation = Disposable()
    source.flatMapLatest { index -> Numbers in
      .unguarded { observer in
        log.lines.append("+\(index)")
        observer.observation.add { observation.dispose() }
      }
    }.start(in: observation, next: { _ in }, end: { _ in })
    source.next(0)
    source.next(1)
    #expect(log.lines == ["+0"])
    #expect(!source.isObserved)
  }

  @Test func aFinishedInnerObserverCannotReachTheNext() {
    var observers: [Observer<Int, Never>] = []
    let numbers = PushStream<Int>()
    let recorder = numbers.flatMapLatest { number in
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

  @Test func replacedStreamsAreReleased() {
    let census = Counted.Census()
    let recorder = source.flatMapLatest { index -> Numbers in
      let held = Counted(census)
      return .unguarded { observer in
        observer.observation.add { withExtendedLifetime(held) {} }
        if index % 3 == 0 { observer.completed() }
      }
    }.record()
    for index in 1...10_000 {
      source.next(index)
      if census.alive > 1 { Issue.record("\(census.alive) inner streams are alive") }
    }
    recorder.dispose()
    #expect(census.alive == 0)
  }

  // MARK: - Reentrancy

  @Test func elementsSentDuringDeliveryAreQueued() {
    let other = Subject<Int, ContractFailure>()
    var log: [String] = []
    source.flatMapLatest { $0 == 0 ? inner[0].stream : other.stream }.observeNext { element in
      log.append("<\(element)")
      if element == 1 {
        source.next(1)
        other.next(2)
        inner[0].next(9)
      }
      log.append("\(element)>")
    }
    source.next(0)
    inner[0].next(1)
    #expect(log == ["<1", "1>", "<2", "2>"])
  }

  @Test func anElementMayCauseTheNext() {
    var elements: [Int] = []
    source.flatMapLatest { Numbers.just($0) }.observeNext { element in
      elements.append(element)
      if element < 1000 { source.next(element + 1) }
    }
    source.next(1)
    #expect(elements == Array(1...1000))
  }

  // MARK: - Contracts

  @Test func keepsTheContracts() {
    expectContracts(.outlivesSource) { source, probe in
      source.flatMapLatest {
        probe.touch()
        return .sequence([$0, $0])
      }
    }
    expectContracts([.timed, .outlivesSource]) { source, probe in
      source.flatMapLatest {
        probe.touch()
        return InnerStreams.later($0, on: probe.scheduler)
      }
    }
    expectContracts(.outlivesSource) { source, probe in
      source.flatMapLatest { _ -> EventStream<Int, ContractFailure> in
        probe.touch()
        return .never
      }
    }
  }
}
