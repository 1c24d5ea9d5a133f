import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct ViaTests {
  // MARK: Values

  @Test func runsTheSectionThereAndDeliversHere() async {
    let (log, places) = await ManualContext.onThread { home in
      let worker = ThreadContext()
      defer { worker.join() }
      let places = SharedLog<Bool>()
      var log: [Int] = []
      EventStream<Int, Never>.sequence(1...100)
        .via(worker) { numbers in
          numbers.map { number in
            places.append(worker.isCurrent)
            return number * 10
          }
        }
        .observeNext { number in
          places.append(home.isCurrent && !worker.isCurrent)
          log.append(number)
        }
      home.run(until: { log.count == 100 })
      return (log, places.all)
    }
    #expect(log == (1...100).map { $0 * 10 })
    #expect(places == Array(repeating: true, count: 200))
  }

  @Test func needsATurnOfBothContexts() {
    let home = ManualContext()
    let far = ManualContext()
    let numbers = PushStream<Int>()
    let recorder = home.use { numbers.via(far) { $0.map { $0 + 1 } }.record() }
    numbers.next(1)
    home.run()
    #expect(recorder.events == [])
    far.run()
    #expect(recorder.events == [])
    home.run()
    #expect(recorder.events == [.next(2)])
    recorder.dispose()
  }

  @Test func keepsOrderOnAPool() async {
    let (log, most) = await ManualContext.onThread { home in
      let pool = PoolContext()
      let occupancy = Occupancy()
      var log: [Int] = []
      EventStream<Int, Never>.sequence(1...500)
        .via(pool) { numbers in
          numbers.map { number in
            occupancy.visit {}
            return number
          }
        }
        .observeNext { log.append($0) }
      home.run(until: { log.count == 500 })
      pool.join()
      return (log, occupancy.most)
    }
    #expect(log == Array(1...500))
    #expect(most == 1)
  }

  @Test func aNestedCrossingReturnsToThePool() async {
    let log = await ManualContext.onThread { home in
      let pool = PoolContext()
      var log: [Int] = []
      EventStream<Int, Never>.sequence(1...50)
        .via(pool) { numbers in
          numbers.concatMap { number in EventStream.perform(on: pool) { number * 2 } }
        }
        .observeNext { log.append($0) }
      home.run(until: { log.count == 50 })
      pool.join()
      return log
    }
    #expect(log == (1...50).map { $0 * 2 })
  }

  @Test func returnsToTheCallingActor() async {
    let worker = ThreadContext()
    let ledger = Ledger()
    let sum = await ledger.sum(1...100, via: worker)
    #expect(sum == 5050)
    worker.join()
  }

  @Test func runsASectionInAnActor() async {
    let log = await ManualContext.onThread { home in
      var log: [Int] = []
      EventStream<Int, Never>.sequence(1...10)
        .via(ActorContext(Ledger())) { $0.map { $0 + 1 } }
        .observeNext { log.append($0) }
      home.run(until: { log.count == 10 })
      return log
    }
    #expect(log == Array(2...11))
  }

  @Test func eachObservationRunsItsOwnSection() {
    let turns = TurnContext()
    let starts = SharedLog<Int>()
    Current.with(context: turns) {
      let stream = EventStream<Int, Never>.sequence(1...3).via(turns) { numbers in
        starts.append(1)
        return numbers
      }
      #expect(starts.count == 0)
      #expect(stream.record().events == [.next(1), .next(2), .next(3), .completed])
      #expect(stream.record().elements == [1, 2, 3])
    }
    #expect(starts.count == 2)
  }

  @Test func sharesElementsAmongObserversInTheSection() {
    let turns = TurnContext()
    Current.with(context: turns) {
      let recorder = EventStream<Int, Never>.sequence(1...2)
        .via(turns) { numbers in .combineLatest(numbers, numbers.map { $0 * 10 }) }
        .map { $0 + $1 }
        .record()
      #expect(recorder.elements == [11, 12, 22])
    }
  }

  // MARK: Completion

  @Test func deliversCompletionAfterTheElements() async {
    let events = await ManualContext.onThread { home in
      let worker = ThreadContext()
      defer { worker.join() }
      let recorder = EventStream<Int, Never>.sequence(1...3).via(worker) { $0 }.record()
      home.run(until: { recorder.isCompleted })
      return recorder.events
    }
    #expect(events == [.next(1), .next(2), .next(3), .completed])
  }

  @Test func endOfTheSectionEndsAnEndlessSource() async {
    let elements = await ManualContext.onThread { home in
      let worker = ThreadContext()
      defer { worker.join() }
      var log: [Int] = []
      // The loop keeps its thread busy, so jobs of that context do not run meanwhile.
      EventStream<Int, Never>.sequence(1...)
        .via(worker) { numbers in firstThree(of: numbers) }
        .observe(next: { log.append($0) }, completed: { log.append(-1) })
      home.run(until: { log.last == -1 })
      return log
    }
    #expect(elements == [1, 2, 3, -1])
  }

  // MARK: Failure

  @Test func deliversAFailureOfTheSection() async {
    let events = await ManualContext.onThread { home in
      let worker = ThreadContext()
      defer { worker.join() }
      let recorder = EventStream<Int, Never>.sequence(1...3)
        .failing(with: Broken.self)
        .via(worker) { numbers in
          numbers.map { number throws(Broken) in
            if number == 2 { throw Broken() }
            return number
          }
        }
        .record()
      home.run(until: { recorder.failure != nil })
      return recorder.events
    }
    #expect(events == [.next(1), .failed(Broken())])
  }

  @Test func deliversAFailureOfTheSource() async {
    let events = await ManualContext.onThread { home in
      let worker = ThreadContext()
      defer { worker.join() }
      let source = Subject<Int, Broken>()
      let recorder = source.via(worker) { $0.map { -$0 } }.record()
      source.next(1)
      source.failed(Broken())
      home.run(until: { recorder.failure != nil })
      return recorder.events
    }
    #expect(events == [.next(-1), .failed(Broken())])
  }

  // MARK: Disposal

  @Test func disposalIsFinalAtOnce() {
    let home = ManualContext()
    let far = ManualContext()
    let numbers = PushStream<Int>()
    let calls = SharedLog<Int>()
    let recorder = home.use {
      numbers.via(far) { numbers in
        numbers.map { number in
          calls.append(number)
          return number
        }
      }.record()
    }
    numbers.next(1)
    far.run()
    numbers.next(2)
    recorder.dispose()
    #expect(!numbers.isObserved)
    far.run()
    home.run()
    #expect(recorder.events == [])
    #expect(calls.all == [1])  // The second element was dropped while it waited.
    #expect(far.pending == 0 && home.pending == 0)
  }

  @Test func disposalReleasesCapturesOnTheirContext() {
    let home = ManualContext()
    let far = ManualContext()
    let deaths = SharedLog<Bool>()
    let numbers = PushStream<Int>()
    let observation = home.use {
      let resident = Resident(of: home, deaths)
      return numbers.via(far) { $0 }.observeNext { _ in withExtendedLifetime(resident) {} }
    }
    numbers.next(1)
    far.run()
    #expect(deaths.count == 0)
    observation.dispose()
    #expect(deaths.all == [true])
    far.run()
    home.run()
  }

  @Test(arguments: [false, true])
  func releasesContextsWhenTheSourceIsReleased(waits: Bool) {
    weak var releasedHome: ManualContext?
    weak var releasedFar: ManualContext?
    do {
      let home = ManualContext()
      let far = ManualContext()
      releasedHome = home
      releasedFar = far
      let log = SharedLog<Int>()
      home.use {
        let numbers = Property(1)
        numbers.stream.via(far) { waits ? $0.takeLast(1) : $0 }.observeNext { log.append($0) }
      }
      far.run()
      home.run()
      far.run()
      #expect(log.all == (waits ? [] : [1]))
    }
    #expect(releasedFar == nil)
    #expect(releasedHome == nil)
  }

  /// The captured object owns the bag of the observation, so its release disposes the observation
  /// while the observation is being released.
  @Test func observerThatOwnsItsObservationIsReleased() {
    final class Screen {
      let bag = DisposeBag()
      var shown: [Int] = []
    }
    let home = ManualContext()
    let far = ManualContext()
    weak var released: Screen?
    home.use {
      let screen = Screen()
      released = screen
      let numbers = PushStream<Int>()
      numbers.via(far) { $0 }.observeNext { screen.shown.append($0) }.disposed(by: screen.bag)
      numbers.next(1)
    }
    for _ in 0..<3 {
      far.run()
      home.run()
    }
    #expect(released == nil)
  }

  @Test(arguments: [false, true])
  func createsAndReleasesSectionObjectsThere(ends: Bool) async {
    let places = await ManualContext.onThread { home in
      let worker = ThreadContext()
      let places = SharedLog<Bool>()
      for _ in 1...200 {
        let numbers = PushStream<Int>()
        var count = 0
        let observation = numbers.via(worker) { numbers in
          places.append(worker.isCurrent)
          let resident = Resident(of: worker, places)
          return numbers.map { number in
            withExtendedLifetime(resident) { places.append(worker.isCurrent) }
            return number
          }
        }.observeNext { _ in count += 1 }
        numbers.next(1)
        if ends { numbers.completed() }
        home.run(until: { count == 1 })
        if ends { home.run(until: { observation.isDisposed }) } else { observation.dispose() }
      }
      worker.join()
      return places.all
    }
    #expect(places.count == 600)
    #expect(places.allSatisfy { $0 })
  }

  @Test func releasesDownstreamObjectsOnTheirContext() async {
    let deaths = await ManualContext.onThread { home in
      let deaths = SharedLog<Bool>()
      let worker = ThreadContext()
      for _ in 1...200 {
        let resident = Resident(of: home, deaths)
        EventStream<Int, Never>.just(1).via(worker) { $0 }
          .observeNext { _ in withExtendedLifetime(resident) {} }
      }
      home.run(until: { deaths.count == 200 })
      worker.join()
      home.run()
      return deaths.all
    }
    #expect(deaths == Array(repeating: true, count: 200))
  }

  @Test func anActorWhoseBagHoldsItIsReleased() async {
    let worker = ThreadContext()
    var ledger: Ledger? = Ledger()
    weak let released = ledger
    await ledger?.follow(via: worker)
    ledger = nil
    // One of the actor's own jobs may retain it briefly. That job runs before this loop ends.
    for _ in 0..<10_000 where released != nil { await Task.yield() }
    #expect(released == nil)
    worker.join()
  }

  @Test func canBeDisposedWhileElementsCross() async {
    let late = await ManualContext.onThread { home in
      let worker = ThreadContext()
      var late = 0
      for round in 1...100 {
        let numbers = PushStream<Int>()
        var isDisposed = false
        var seen = 0
        let observation = numbers.via(worker) { $0.map { $0 + 1 } }.observeNext { _ in
          if isDisposed { late += 1 }
          seen += 1
        }
        for number in 1...50 { numbers.next(number) }
        home.run(until: { seen >= round % 10 })
        observation.dispose()
        isDisposed = true
      }
      worker.join()
      home.run()
      return late
    }
    #expect(late == 0)
  }

  // MARK: Reentrancy

  @Test func anObserverMayRunTheContext() {
    let home = ManualContext()
    let far = ManualContext()
    let numbers = PushStream<Int>()
    var log: [String] = []
    let observation = home.use {
      numbers.via(far) { $0 }.observeNext { number in
        log.append("begin \(number)")
        home.run()
        log.append("end \(number)")
      }
    }
    numbers.next(1)
    numbers.next(2)
    far.run()
    home.run()
    #expect(log == ["begin 1", "end 1", "begin 2", "end 2"])
    observation.dispose()
    far.run()
  }

  // MARK: Contracts

  @Test func keepsTheContracts() {
    let turns = TurnContext()
    Current.with(context: turns) {
      expectContracts { source, probe in
        source.map {
          probe.touch()
          return $0.value
        }
        .via(turns) { $0.map { $0 + 1 } }
        .map {
          probe.touch()
          return $0
        }
      }
    }
  }

  // MARK: Misuse

  @Test func trapsWithoutAContextToReturnTo() async {
    await #expect(processExitsWith: .failure) {
      let pool = PoolContext()
      pool.execute {
        EventStream<Int, Never>.just(1).via(pool) { $0 }.observeNext { _ in }
      }
      pool.join()
    }
  }
}

/// Returns the first three elements, then completes.
private func firstThree(of numbers: EventStream<Int, Never>) -> EventStream<Int, Never> {
  .unguarded { observer in
    var count = 0
    numbers.start(
      Observer(before: observer) { number in
        count += 1
        observer.next(number)
        if count == 3 { observer.completed() }
      })
  }
}

private actor Ledger {
  private let bag = DisposeBag()
  private let amounts = PushStream<Int>()
  private let total = Property(0)
  private var sum = 0

  func sum(_ numbers: ClosedRange<Int>, via context: any ExecutionContext) async -> Int {
    await withCheckedContinuation { continuation in
      EventStream<Int, Never>.sequence(numbers)
        .via(context) { $0.map { $0 } }
        .observe(
          next: {
            self.preconditionIsolated()
            self.sum += $0
          },
          completed: { continuation.resume(returning: self.sum) })
    }
  }

  func follow(via context: any ExecutionContext) {
    amounts.via(context) { $0 }
      .observeNext { [total] amount in total.value += amount }
      .disposed(by: bag)
    amounts.next(1)
  }
}
