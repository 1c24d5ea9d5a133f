import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

/// Tests of `observe`. HooksTests covers failures without a handler.
@Suite struct ObservingTests {
  private let numbers = Subject<Int, Broken>()

  // MARK: Observing

  @Test func deliversEveryEvent() {
    var events: [StreamEvent<Int, Broken>] = []
    let observation = numbers.observe { events.append($0) }
    numbers.next(1)
    numbers.failed(Broken())
    #expect(events == [.next(1), .failed(Broken())])
    #expect(observation.isDisposed)
  }

  @Test func deliversEachKindToItsClosure() {
    var log: [String] = []
    for end in [Termination<Broken>.completed, .failed(Broken())] {
      let source = Subject<Int, Broken>()
      source.observe(
        next: { log.append("next \($0)") }, failed: { log.append("failed \($0)") },
        completed: { log.append("completed") })
      source.next(1)
      source.end(end)
    }
    #expect(log == ["next 1", "completed", "next 1", "failed Broken()"])
  }

  @Test func closuresCanBeOmitted() {
    var log: [String] = []
    numbers.observe(completed: { log.append("completed") })
    numbers.observe(next: { log.append("\($0)") })
    numbers.next(1)
    numbers.completed()
    #expect(log == ["1", "completed"])
  }

  @Test func isDisposedAfterTheEndIsDelivered() {
    var isDisposed: [Bool] = []
    let observation = SerialDisposable()
    observation.current = numbers.observe(completed: {
      isDisposed.append(observation.current?.isDisposed ?? true)
    })
    numbers.completed()
    isDisposed.append(observation.current?.isDisposed ?? true)
    #expect(isDisposed == [false, true])
  }

  @Test func releasingTheObservationDoesNotEndIt() {
    var seen: [Int] = []
    do { _ = numbers.observe(next: { seen.append($0) }) }
    numbers.next(1)
    #expect(seen == [1])
  }

  @Test func releasesItsClosuresAtTheEndAndOnDisposal() {
    for endIt in [true, false] {
      let source = Subject<Int, Broken>()
      var released = 0
      let observation: Disposable
      do {
        let captives = (0..<3).map { _ in Captive { released += 1 } }
        observation = source.observe(
          next: { _ in captives[0].hold() }, failed: { _ in captives[1].hold() },
          completed: { captives[2].hold() })
      }
      #expect(released == 0)
      if endIt { source.completed() } else { observation.dispose() }
      #expect(released == 3)
    }
  }

  @Test func sourceReleaseFreesClosuresHoldingObservation() {
    var released = 0
    do {
      let captive = Captive { released += 1 }
      let source = Subject<Int, Broken>()
      let observation = SerialDisposable()
      observation.current = source.observe(completed: {
        captive.hold()
        observation.dispose()
      })
    }
    #expect(released == 1)
  }

  // MARK: Weak forms

  @Test func observesWithAWeakObject() {
    let label = Label()
    var events: [StreamEvent<Int, Broken>] = []
    numbers.observe(weak: label) { label, event in
      label.title = "\(event)"
      events.append(event)
    }
    numbers.next(1)
    #expect(label.title == "next(1)")
    numbers.completed()
    #expect(events == [.next(1), .completed])
  }

  @Test func observesElementsWithAWeakObject() {
    let label = Label()
    numbers.observeNext(weak: label) { $0.title += "\($1)" }
    numbers.next(1)
    numbers.next(2)
    #expect(label.title == "12")
  }

  @Test func deliversEachKindWithAWeakObject() {
    let label = Label()
    for end in [Termination<Broken>.completed, .failed(Broken())] {
      let source = Subject<Int, Broken>()
      source.observe(
        weak: label, next: { $0.title += "\($1) " }, failed: { $0.title += "\($1) " },
        completed: { $0.title += "completed " })
      source.next(1)
      source.end(end)
    }
    #expect(label.title == "1 completed 1 Broken() ")
  }

  @Test func anElementAfterObjectReleaseEndsObservation() {
    var label: Label? = Label()
    weak let held = label
    var calls = 0
    let observations = [
      numbers.observe(weak: label!) { _, _ in calls += 1 },
      numbers.observeNext(weak: label!) { _, _ in calls += 1 },
      numbers.observe(weak: label!, completed: { _ in calls += 1 }),
    ]
    label = nil
    #expect(held == nil)
    #expect(numbers.isObserved)
    numbers.next(1)
    #expect(calls == 0)
    #expect(observations.map(\.isDisposed) == [true, true, true])
    #expect(!numbers.isObserved)
  }

  @Test func theEndAfterObjectReleaseCallsNoClosure() {
    var label: Label? = Label()
    var calls = 0
    let observation = numbers.observe(
      weak: label!, failed: { _, _ in calls += 1 }, completed: { _ in calls += 1 })
    label = nil
    numbers.failed(Broken())
    #expect(calls == 0)
    #expect(observation.isDisposed)
  }

  @Test func theObjectLivesWhileItsClosureRuns() {
    var label: Label? = Label()
    weak let held = label
    var wasAlive = false
    numbers.observeNext(weak: label!) { _, _ in
      label = nil
      wasAlive = held != nil
    }
    numbers.next(1)
    #expect(wasAlive)
    #expect(held == nil)
  }

  @Test func aWeakObservationCanBeDisposed() {
    let label = Label()
    var released = false
    let observation: Disposable
    do {
      let captive = Captive { released = true }
      observation = numbers.observeNext(weak: label) { _, _ in captive.hold() }
    }
    observation.dispose()
    #expect(released)
    #expect(!numbers.isObserved)
  }

  // MARK: Inside a deinit

  @Test func aStreamCanBeObservedInADeinit() {
    let source = PushStream<Int>()
    var seen: [Int] = []
    do {
      _ = DeinitProbe { _ in
        EventStream<Int, Never>.sequence(1...2).observeNext { seen.append($0) }
        source.observeNext { seen.append($0) }
      }
    }
    #expect(seen == [1, 2])
    source.next(3)
    #expect(seen == [1, 2, 3])
  }

  @Test func anObjectIsGoneInsideItsOwnDeinit() {
    let source = PushStream<Int>()
    var calls = 0
    do {
      _ = DeinitProbe { farewell in
        source.observeNext(weak: farewell) { _, _ in calls += 1 }
        source.bind(to: Binder(farewell) { _, _ in calls += 1 })
        EventStream<Int, Never>.just(1).observeNext(weak: farewell) { _, _ in calls += 1 }
      }
    }
    source.next(1)
    #expect(calls == 0)
    #expect(!source.isObserved)
  }

  @Test func bindingsToOwnMembersInADeinitEndWithThem() {
    let source = PushStream<Int>()
    var seen: [Int] = []
    do {
      _ = DeinitProbe { farewell in
        farewell.number.observeNext { seen.append($0) }
        source.bind(to: farewell.number)
        source.observeNext { _ in }.disposed(by: farewell.bag)
        source.take(until: farewell.rx.deallocated()).observeNext { _ in }
        source.next(1)
      }
    }
    #expect(seen == [0, 1])
    #expect(!source.isObserved)
  }

  @Test func aDeinitDuringADeliveryMayObserve() {
    let source = PushStream<Int>()
    var seen: [Int] = []
    var farewell: DeinitProbe? = DeinitProbe { _ in source.observeNext { seen.append($0) } }
    source.observeNext { _ in farewell = nil }
    source.next(1)
    #expect(seen == [])
    source.next(2)
    #expect(seen == [2])
    withExtendedLifetime(farewell) {}
  }
}

/// An object that calls a closure when it is released.
private final class DeinitProbe: LifetimeOwner {
  let lifetime = Lifetime()
  let number = Property(0)
  let bag = DisposeBag()
  private let onDeinit: (DeinitProbe) -> Void

  init(_ onDeinit: @escaping (DeinitProbe) -> Void) {
    self.onDeinit = onDeinit
  }

  deinit { onDeinit(self) }
}
