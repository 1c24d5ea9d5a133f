import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct SubjectTests {
  // MARK: Values

  @Test func sendsToCurrentObserversOnly() {
    let push = PushStream<Int>()
    push.next(1)
    let first = push.record()
    push.next(2)
    let second = push.record()
    push.next(3)
    first.dispose()
    push.next(4)
    #expect(first.elements == [2, 3])
    #expect(second.elements == [3, 4])
  }

  @Test func sendsToAThousandObserversInOrder() {
    let push = PushStream<Int>()
    var received: [Int] = []
    let observations = (0..<1000).map { number in
      push.observeNext { _ in received.append(number) }
    }
    push.next(1)
    #expect(received == Array(0..<1000))

    for number in 0..<1000 where number % 3 == 0 { observations[number].dispose() }
    for number in 1000..<1100 { push.observeNext { _ in received.append(number) } }
    received = []
    push.next(2)
    #expect(received == (0..<1000).filter { $0 % 3 != 0 } + Array(1000..<1100))
  }

  @Test func sendsEvents() {
    let subject = Subject<Int, ContractFailure>()
    let recorder = subject.record()
    subject.send(.next(1))
    subject.send(.failed(ContractFailure()))
    #expect(recorder.events == [.next(1), .failed(ContractFailure())])
    let other = PushStream<Int>()
    let otherRecorder = other.record()
    other.send(.completed)
    #expect(otherRecorder.events == [.completed])
  }

  // MARK: Completion and failure

  @Test func sendsNothingAfterTheEnd() {
    let subject = Subject<Int, ContractFailure>()
    let recorder = subject.record()
    subject.next(1)
    subject.completed()
    subject.next(2)
    subject.failed(ContractFailure())
    subject.completed()
    #expect(recorder.events == [.next(1), .completed])
    #expect(subject.termination == .completed)
    #expect(!subject.isObserved)
  }

  @Test func aLateObserverGetsTheEnd() {
    let subject = Subject<Int, ContractFailure>()
    subject.failed(ContractFailure())
    #expect(subject.record().events == [.failed(ContractFailure())])
    #expect(!subject.isObserved)
  }

  @Test func releasesAnObserverThatOutlivesTheEnd() {
    let push = PushStream<Int>()
    var captive: Captive? = Captive()
    weak let captured = captive
    let observation = Disposable()
    push.start(
      Observer(next: { [captive] _ in captive?.hold() }, end: { _ in }, observation: observation))
    captive = nil
    push.completed()
    #expect(!push.isObserved)
    #expect(captured == nil)
    #expect(!observation.isDisposed)
  }

  // MARK: Disposal

  @Test func anObserverMayDisposeItselfInAnEvent() {
    let push = PushStream<Int>()
    let before = push.record()
    var own: [Int] = []
    var observation = Disposable.none
    observation = push.observeNext {
      own.append($0)
      observation.dispose()
    }
    let after = push.record()
    push.next(1)
    push.next(2)
    #expect(own == [1])
    #expect(before.elements == [1, 2])
    #expect(after.elements == [1, 2])
  }

  @Test(arguments: 0..<5, 0..<5)
  func anObserverMayDisposeAnother(actor: Int, victim: Int) {
    let push = PushStream<Int>()
    var received: [Int] = []
    var observations: [Disposable] = []
    for number in 0..<5 {
      observations.append(
        push.observeNext { _ in
          received.append(number)
          if number == actor { observations[victim].dispose() }
        })
    }
    push.next(1)
    #expect(received == (0..<5).filter { $0 != victim || $0 <= actor })
    received = []
    push.next(2)
    #expect(received == (0..<5).filter { $0 != victim })
  }

  @Test(arguments: 0..<4)
  func anObserverMayDisposeAllObservers(actor: Int) {
    let push = PushStream<Int>()
    var received: [Int] = []
    var observations: [Disposable] = []
    for number in 0..<4 {
      observations.append(
        push.observeNext { _ in
          received.append(number)
          guard number == actor else { return }
          for observation in observations { observation.dispose() }
          #expect(!push.isObserved)
          push.observeNext { _ in received.append(100) }
          #expect(push.isObserved)
        })
    }
    push.next(1)
    #expect(received == Array(0...actor))
    push.next(2)
    #expect(received == Array(0...actor) + [100])
  }

  @Test func disposeReleasesCapturesOfAnotherObserver() {
    let push = PushStream<Int>()
    var captive: Captive? = Captive()
    weak let captured = captive
    var other = Disposable.none
    var released: [Bool] = []
    push.observeNext { _ in
      other.dispose()
      released.append(captured == nil)
    }
    other = push.observeNext { [captive] _ in captive?.hold() }
    captive = nil
    push.next(1)
    #expect(released == [true])
  }

  @Test func disposalInsideAClosureReleasesItAfterwards() {
    let push = PushStream<Int>()
    var captive: Captive? = Captive()
    weak let captured = captive
    var observation = Disposable.none
    observation = push.observeNext { [captive] _ in
      captive?.hold()
      observation.dispose()
    }
    captive = nil
    var wasReleased = false
    push.observeNext { _ in wasReleased = captured == nil }
    push.next(1)
    #expect(wasReleased)
  }

  @Test func releasingTheSubjectReleasesItsObservers() {
    var push: PushStream<Int>? = PushStream()
    var captives = [Captive(), Captive()]
    weak let first = captives[0]
    weak let second = captives[1]
    var events: [StreamEvent<Int, Never>] = []
    let kept = push!.observe { [captive = captives[0]] in
      captive.hold()
      events.append($0)
    }
    push!.map { $0 }.observe { [captive = captives[1]] in
      captive.hold()
      events.append($0)
    }
    captives = []
    push = nil
    #expect(events == [])
    #expect(first == nil)
    #expect(second == nil)
    kept.dispose()
  }

  @Test func aReleasedCaptureMayDisposeOtherObservers() {
    for size in 1...4 {
      for actor in 0..<size {
        var push: PushStream<Int>? = PushStream()
        let bag = CompositeDisposable()
        for number in 0..<size {
          let captive = number == actor ? Captive { bag.dispose() } : Captive()
          bag.add(push!.observeNext { _ in captive.hold() })
        }
        push = nil
        #expect(bag.isDisposed)
      }
    }
  }

  @Test func mayBeReleasedDuringDelivery() {
    var push: PushStream<Int>? = PushStream()
    weak let released = push
    var received: [String] = []
    push!.observeNext {
      received.append("first \($0)")
      push?.next(2)
      push = nil
    }
    push!.observeNext { received.append("second \($0)") }
    push!.next(1)
    #expect(received == ["first 1", "second 1", "first 2", "second 2"])
    #expect(released == nil)
  }

  // MARK: Reentrancy

  @Test func anObserverAddedInAnEventDoesNotGetIt() {
    let push = PushStream<Int>()
    var late: [Recorder<Int, Never>] = []
    push.observeNext { _ in late.append(push.record()) }
    push.next(1)
    push.next(2)
    #expect(late.map(\.elements) == [[2], []])
  }

  @Test func allObserversSeeReentrantEventsInOneOrder() {
    let push = PushStream<Int>()
    let before = push.record()
    push.observeNext {
      if $0 < 4 {
        push.next($0 * 2)
        push.next($0 * 2 + 1)
      }
    }
    let after = push.record()
    push.next(1)
    #expect(before.elements == [1, 2, 3, 4, 5, 6, 7])
    #expect(after.elements == before.elements)
  }

  @Test func aReentrantEndFollowsTheQueue() {
    let push = PushStream<Int>()
    let before = push.record()
    push.observeNext {
      guard $0 == 1 else { return }
      push.next(2)
      push.completed()
      push.next(3)
      #expect(push.termination == .completed)
      #expect(before.events == [.next(1)])
    }
    let after = push.record()
    push.next(1)
    #expect(before.events == [.next(1), .next(2), .completed])
    #expect(after.events == before.events)
  }

  @Test func anObserverAddedAfterAReentrantEndGetsIt() {
    let push = PushStream<Int>()
    var late: Recorder<Int, Never>?
    push.observeNext { _ in
      push.completed()
      late = push.record()
      #expect(late?.events == [.completed])
    }
    let other = push.record()
    push.next(1)
    #expect(other.events == [.next(1), .completed])
    #expect(late?.events == [.completed])
  }

  @Test func anObserverAddedWithQueuedEventsGetsNone() {
    let push = PushStream<Int>()
    var late: Recorder<Int, Never>?
    push.observeNext {
      guard $0 == 1 else { return }
      push.next(2)
      late = push.record()
      push.next(3)
    }
    let other = push.record()
    push.next(1)
    #expect(other.elements == [1, 2, 3])
    #expect(late?.elements == [3])
  }

  /// The last recipient of a queued event is disposed before the delivery.
  @Test func aNewObserverGetsNoQueuedEventOfOthers() {
    let push = PushStream<Int>()
    var late: Recorder<Int, Never>?
    var last = Disposable.none
    push.observeNext {
      if $0 == 1 { push.next(2) }
      if $0 == 2 {
        push.next(3)
        late = push.record()
      }
    }
    last = push.observeNext { if $0 == 2 { last.dispose() } }
    push.next(1)
    #expect(late?.elements == [])
    push.next(4)
    #expect(late?.elements == [4])
  }

  @Test func anObserverIsNotCalledWhileItHandlesAnEvent() {
    let push = PushStream<Int>()
    var depth = 0
    var deepest = 0
    for _ in 0..<3 {
      push.observeNext {
        depth += 1
        deepest = max(deepest, depth)
        if $0 < 50 { push.next($0 + 1) }
        depth -= 1
      }
    }
    push.next(48)
    #expect(deepest == 1)
  }

  @Test func manyReentrantEventsTakeNoStack() {
    let push = PushStream<Int>()
    var count = 0
    push.observeNext {
      count += 1
      if $0 < 200_000 { push.next($0 + 1) }
    }
    push.next(1)
    #expect(count == 200_000)
  }

  @Test func aReleasedCaptureMaySendAndDispose() {
    let push = PushStream<Int>()
    let before = push.record()
    var own = Disposable.none
    var next = Disposable.none
    do {
      let captive = Captive {
        push.next(2)
        next.dispose()
      }
      own = push.observeNext { _ in
        captive.hold()
        own.dispose()
      }
    }
    var received: [Int] = []
    next = push.observeNext { received.append($0) }
    let after = push.record()
    push.next(1)
    #expect(before.elements == [1, 2])
    #expect(received == [])
    #expect(after.elements == [1, 2])
  }

  /// Disposing one observer releases a capture that disposes the next, and so on, during delivery.
  @Test func aChainOfDisposalsDuringDelivery() {
    let push = PushStream<Int>()
    var received: [Int] = []
    var observations: [Disposable] = []
    for number in 0..<1000 {
      let captive = Captive {
        if number + 1 < observations.count { observations[number + 1].dispose() }
      }
      observations.append(
        push.observeNext { _ in
          captive.hold()
          received.append(number)
          observations[0].dispose()
        })
    }
    let last = push.record()
    push.next(1)
    #expect(received == [0])
    #expect(last.elements == [1])
  }

  @Test func mayBeObservedInADeinit() {
    let push = PushStream<Int>()
    var late: [Recorder<Int, Never>] = []
    var observation = Disposable.none
    do {
      let captive = Captive { late.append(push.record()) }
      observation = push.observeNext { _ in
        captive.hold()
        observation.dispose()
      }
    }
    push.next(1)
    push.next(2)
    #expect(late.map(\.elements) == [[2]])
  }

  // MARK: Cost

  /// Quadratic cost would take hours here.
  @Test func observingAndDisposingTakeConstantTime() {
    let push = PushStream<Int>()
    var count = 0
    let observations = (0..<1_000_000).map { _ in push.observeNext { _ in count += 1 } }
    for observation in observations { observation.dispose() }
    push.next(1)
    #expect(count == 0)
    #expect(!push.isObserved)
  }

  @Test func disposingDuringAnEventTakesConstantTime() {
    let push = PushStream<Int>()
    var count = 0
    push.observeNext { _ in
      for _ in 0..<100_000 { push.observeNext { _ in count += 1 }.dispose() }
    }
    let others = (0..<100_000).map { _ in push.observeNext { _ in count += 1 } }
    push.next(1)
    #expect(count == 100_000)
    for observation in others { observation.dispose() }
  }

  @Test func disposalInTheFirstEventTakesConstantTime() {
    let property = Property(0)
    let others = (0..<100_000).map { _ in property.observeNext { _ in } }
    for _ in 0..<100_000 {
      let observation = Disposable()
      property.start(
        Observer(
          next: { _ in observation.dispose() }, end: { _ in }, observation: observation))
    }
    for observation in others { observation.dispose() }
    #expect(!property.isObserved)
  }

  @Test func countsAsAResource() {
    Resources.tracking { resources in
      let push = PushStream<Int>()
      let observation = push.observeNext { _ in }
      #expect(resources.total == 2)
      observation.dispose()
      #expect(resources.total == 1)
      withExtendedLifetime(push) {}
    }
  }
}
