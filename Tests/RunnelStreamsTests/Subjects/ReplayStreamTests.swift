import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct ReplayStreamTests {
  // MARK: Values

  @Test(arguments: [
    (0, []), (1, [5]), (2, [4, 5]), (5, [1, 2, 3, 4, 5]), (9, [1, 2, 3, 4, 5]),
    (Int.max, [1, 2, 3, 4, 5]),
  ])
  func aLateObserverGetsReplayThenLiveElements(capacity: Int, kept: [Int]) {
    let replay = ReplayStream<Int, Never>(capacity: capacity)
    for number in 1...5 { replay.next(number) }
    let recorder = replay.record()
    #expect(recorder.elements == kept)
    replay.next(6)
    #expect(recorder.elements == kept + [6])
  }

  @Test func keepsOrderWhenTheBufferWraps() {
    for capacity in 1...5 {
      let replay = ReplayStream<Int, Never>(capacity: capacity)
      for number in 1...23 {
        replay.next(number)
        #expect(replay.record().elements == Array((1...number).suffix(capacity)))
      }
    }
  }

  @Test func keepsAMillionElements() {
    let replay = ReplayStream<Int, Never>(capacity: .max)
    for number in 0..<1_000_000 { replay.next(number) }
    var sum = 0
    replay.observeNext { sum += $0 }
    #expect(sum == 499_999_500_000)
  }

  @Test func aNegativeCapacityTraps() async {
    await #expect(processExitsWith: .failure) { _ = ReplayStream<Int, Never>(capacity: -1) }
  }

  // MARK: Completion and failure

  @Test func aLateObserverGetsReplayAndTheEnd() {
    let replay = ReplayStream<Int, ContractFailure>(capacity: 2)
    for number in 1...3 { replay.next(number) }
    replay.failed(ContractFailure())
    replay.next(4)
    replay.completed()
    #expect(replay.record().events == [.next(2), .next(3), .failed(ContractFailure())])
    #expect(replay.termination == .failed(ContractFailure()))
    #expect(!replay.isObserved)
    let other = ReplayStream<Int, Never>(capacity: 1)
    other.send(.next(1))
    other.send(.completed)
    #expect(other.record().events == [.next(1), .completed])
  }

  // MARK: Disposal

  @Test func disposalStopsTheReplay() {
    let replay = ReplayStream<Int, Never>(capacity: .max)
    for number in 1...5 { replay.next(number) }
    let observation = Disposable()
    var seen: [Int] = []
    replay.start(
      in: observation,
      next: {
        seen.append($0)
        if $0 == 2 { observation.dispose() }
      }, end: { _ in })
    #expect(seen == [1, 2])
    #expect(!replay.isObserved)
  }

  @Test func releasesEvictedElements() {
    let replay = ReplayStream<Captive, Never>(capacity: 2)
    var alive = 4
    for _ in 0..<4 { replay.next(Captive { alive -= 1 }) }
    #expect(alive == 2)
  }

  // MARK: Reentrancy

  @Test func elementsSentDuringAReplayAreQueued() {
    let replay = ReplayStream<Int, Never>(capacity: 2)
    replay.next(1)
    replay.next(2)
    let before = replay.record()
    var seen: [Int] = []
    replay.observeNext {
      seen.append($0)
      if $0 == 1 { replay.next(3) }
    }
    #expect(seen == [1, 2, 3])
    #expect(before.elements == [1, 2, 3])
  }

  @Test func anObserverAddedInAnEventGetsItOnce() {
    let replay = ReplayStream<Int, Never>(capacity: .max)
    var late: Recorder<Int, Never>?
    replay.observeNext {
      guard $0 == 1 else { return }
      replay.next(2)
      late = replay.record()
      replay.next(3)
    }
    replay.next(1)
    #expect(late?.elements == [1, 2, 3])
  }

  @Test func anEvictedElementMaySendInItsDeinit() {
    let replay = ReplayStream<(Int, Captive?), Never>(capacity: 1)
    var seen: [Int] = []
    replay.observeNext { seen.append($0.0) }
    replay.next((1, Captive { replay.next((3, nil)) }))
    replay.next((2, nil))
    #expect(seen == [1, 2, 3])
    var kept: [Int] = []
    replay.observeNext { kept.append($0.0) }
    #expect(kept == [3])
  }
}
