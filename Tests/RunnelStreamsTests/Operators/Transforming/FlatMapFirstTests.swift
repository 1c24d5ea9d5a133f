import RunnelStreams
import RunnelTesting
import Testing

@Suite struct FlatMapFirstTests {
  typealias Numbers = EventStream<Int, ContractFailure>
  let source = Subject<Int, ContractFailure>()
  let inner = (0..<4).map { _ in Subject<Int, ContractFailure>() }
  let log = InnerStreams.Log()

  // MARK: - Values

  @Test func ignoresElementsWhileAnInnerStreamRuns() {
    var selected: [Int] = []
    let recorder = source.flatMapFirst { index -> Numbers in
      selected.append(index)
      return inner[index].stream
    }.record()
    source.next(0)
    source.next(1)
    inner[0].next(1)
    inner[0].completed()
    source.next(2)
    inner[2].next(2)
    #expect(recorder.events == [.next(1), .next(2)])
    #expect(selected == [0, 2])
  }

  @Test func agreesWithTheModel() {
    for seed in UInt64(1)...200 {
      let script = FlatteningScript(seed: seed)
      let actual = script.actual { source, inner in source.flatMapFirst { inner($0) } }
      #expect(actual == script.expected(.first), "\(script)")
    }
  }

  // MARK: - Completion

  @Test func completionOfTheSourceWaitsForTheInnerStream() {
    let recorder = source.flatMapFirst { inner[$0].stream }.record()
    source.next(0)
    source.completed()
    inner[0].next(1)
    inner[0].completed()
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test func completesWithTheSourceWhenNoInnerStreamRuns() {
    let recorder = source.flatMapFirst { inner[$0].stream }.record()
    source.next(0)
    inner[0].completed()
    source.completed()
    #expect(recorder.events == [.completed])
  }

  // MARK: - Failure

  @Test func theFirstFailureFailsIt() {
    let first = source.flatMapFirst { inner[$0].stream }.record()
    source.next(0)
    inner[0].failed(ContractFailure())
    #expect(first.events == [.failed(ContractFailure())])
    #expect(!source.isObserved)

    let second = source.flatMapFirst { inner[$0].stream }.record()
    source.next(1)
    source.failed(ContractFailure())
    #expect(second.events == [.failed(ContractFailure())])
    #expect(!inner[1].isObserved)
  }

  @Test func anErrorThrownByTheClosureFailsIt() {
    let recorder = source.flatMapFirst { _ throws(ContractFailure) -> Numbers in
      throw ContractFailure()
    }.record()
    source.next(0)
    #expect(recorder.events == [.failed(ContractFailure())])
  }

  // MARK: - Disposal

  @Test func disposesTheSourceAndTheInnerStream() {
    let recorder = source.flatMapFirst { inner[$0].stream }.record()
    source.next(0)
    recorder.dispose()
    #expect(!source.isObserved)
    #expect(!inner[0].isObserved)
  }

  @Test func disposalInTheClosureSkipsTheInnerStream() {
    let observation = Disposable()
    source.flatMapFirst { _ -> Numbers in
      observation.dispose()
      return InnerStreams.logged("inner", log, .just(1))
    }.start(in: observation, next: { _ in }, end: { _ in })
    source.next(0)
    #expect(log.lines == [])
  }

  // MARK: - Reentrancy

  @Test func anElementSentInAnInnerTeardownIsTaken() {
    let recorder = source.flatMapFirst { index -> Numbers in
      guard index == 0 else { return inner[index].stream }
      return .unguarded { observer in
        observer.observation.add { source.next(1) }
        inner[0].start(observer)
      }
    }.record()
    source.next(0)
    inner[0].completed()
    inner[1].next(5)
    #expect(recorder.events == [.next(5)])
  }

  @Test func elementsSentDuringDeliveryAreQueued() {
    var log: [String] = []
    source.flatMapFirst { inner[$0].stream }.observeNext { element in
      log.append("<\(element)")
      if element == 1 {
        inner[0].completed()
        source.next(1)
        inner[1].next(2)
      }
      log.append("\(element)>")
    }
    source.next(0)
    inner[0].next(1)
    inner[1].next(3)
    // The end of the first inner stream is queued behind its element, so that stream is still
    // running at the second source element.
    #expect(log == ["<1", "1>"])
  }

  // MARK: - Contracts

  @Test func keepsTheContracts() {
    expectContracts(.outlivesSource) { source, probe in
      source.flatMapFirst {
        probe.touch()
        return .sequence([$0, $0])
      }
    }
    expectContracts([.timed, .outlivesSource]) { source, probe in
      source.flatMapFirst {
        probe.touch()
        return InnerStreams.later($0, on: probe.scheduler)
      }
    }
  }
}
