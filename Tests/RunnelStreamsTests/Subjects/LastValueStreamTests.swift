import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct LastValueStreamTests {
  // MARK: Values and completion

  @Test func sendsOnlyTheLastElementAtCompletion() {
    let answer = LastValueStream<Int, Never>()
    let recorder = answer.record()
    answer.next(1)
    answer.next(2)
    #expect(recorder.events == [])
    #expect(answer.termination == nil)
    answer.completed()
    #expect(recorder.events == [.next(2), .completed])
    #expect(answer.termination == .completed)
    #expect(!answer.isObserved)
  }

  @Test func sendsTheLastElementToLateObservers() {
    let answer = LastValueStream<Int, Never>()
    answer.send(.next(1))
    answer.send(.completed)
    answer.next(2)
    answer.completed()
    #expect(answer.record().events == [.next(1), .completed])
  }

  @Test func completesWithoutAnElement() {
    let answer = LastValueStream<Int, Never>()
    let recorder = answer.record()
    answer.completed()
    #expect(recorder.events == [.completed])
    #expect(answer.record().events == [.completed])
  }

  // MARK: Failure

  @Test func aFailureDiscardsTheElement() {
    let answer = LastValueStream<Captive, ContractFailure>()
    var wasReleased = false
    var failures = 0
    answer.observe(failed: { _ in failures += 1 })
    answer.next(Captive { wasReleased = true })
    answer.failed(ContractFailure())
    answer.observe(next: { _ in Issue.record("not reached") }, failed: { _ in failures += 1 })
    #expect(wasReleased)
    #expect(failures == 2)
  }

  // MARK: Disposal

  @Test func disposalInTheElementSkipsCompletion() {
    let answer = LastValueStream<Int, Never>()
    let observation = Disposable()
    var seen: [StreamEvent<Int, Never>] = []
    answer.start(
      in: observation,
      next: {
        seen.append(.next($0))
        observation.dispose()
      }, end: { seen.append(StreamEvent($0)) })
    answer.next(1)
    answer.completed()
    #expect(seen == [.next(1)])
  }

  // MARK: Reentrancy

  @Test func anObserverAddedDuringDeliveryGetsTheElement() {
    let answer = LastValueStream<Int, Never>()
    var late: Recorder<Int, Never>?
    answer.observeNext { _ in
      answer.next(5)
      answer.completed()
      late = answer.record()
    }
    let other = answer.record()
    answer.next(1)
    answer.completed()
    #expect(other.events == [.next(1), .completed])
    #expect(late?.events == [.next(1), .completed])
  }

  @Test func aReplacedElementMaySendInItsDeinit() {
    let answer = LastValueStream<(Int, Captive?), Never>()
    var seen: [Int] = []
    answer.observeNext { seen.append($0.0) }
    answer.next((1, Captive { answer.next((3, nil)) }))
    answer.next((2, nil))
    answer.completed()
    #expect(seen == [3])
  }
}
