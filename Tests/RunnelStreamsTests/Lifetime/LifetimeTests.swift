import RunnelStreams
import RunnelTesting
import Testing

@Suite struct LifetimeTests {
  @Test func tellsInOrderWhenTheObjectGoes() {
    var lifetime: Lifetime? = Lifetime()
    var told: [String] = []
    for number in 1...3 {
      lifetime!.ended().observe(
        next: { told.append("\(number) gone") }, completed: { told.append("\(number) completed") })
    }
    #expect(told == [])
    lifetime = nil
    #expect(told == (1...3).flatMap { ["\($0) gone", "\($0) completed"] })
  }

  @Test func tellsAtOnceWhenTheObjectHasGone() {
    var lifetime: Lifetime? = Lifetime()
    let ended = lifetime!.ended()
    lifetime = nil
    var told = 0
    ended.observe(next: { told += 1 }, completed: { told += 10 })
    #expect(told == 11)
  }

  @Test func whoDisposesIsNotToldAndReleased() {
    let lifetime = Lifetime()
    var wasReleased = false
    let observation: Disposable
    do {
      let captive = Captive { wasReleased = true }
      observation = lifetime.ended().observeNext { captive.hold() }
    }
    #expect(!wasReleased)
    observation.dispose()
    #expect(wasReleased)
    withExtendedLifetime(lifetime) {}
  }

  @Test func releasedElsewhereItTellsAtHome() async {
    let log = await ManualContext.onThread { home in
      let elsewhere = ThreadContext()
      var log: [String] = []
      // Safety: the other thread has it while this one waits.
      nonisolated(unsafe) var lifetime: Lifetime? = Lifetime()
      lifetime?.ended().observeNext { log.append(home.isCurrent ? "at home" : "elsewhere") }
      elsewhere.run { lifetime = nil }
      log.append("\(home.pending) waits")
      home.run()
      elsewhere.join()
      return log
    }
    #expect(log == ["1 waits", "at home"])
  }

  @Test func whoDisposedMeanwhileIsNotTold() async {
    let log = await ManualContext.onThread { home in
      let elsewhere = ThreadContext()
      var log: [String] = []
      // Safety: the other thread has it while this one waits.
      nonisolated(unsafe) var lifetime: Lifetime? = Lifetime()
      let observation = lifetime?.ended().observeNext { log.append("told") }
      elsewhere.run { lifetime = nil }
      observation?.dispose()
      home.run()
      elsewhere.join()
      return log
    }
    #expect(log == [])
  }

  @Test func eachObserverIsToldOnTheContextItObservedOn() async {
    let places = await ManualContext.onThread { home in
      let other = ThreadContext()
      let elsewhere = ThreadContext()
      let log = SharedLog<String>()
      // Safety: one thread at a time has it, while the others wait.
      nonisolated(unsafe) var lifetime: Lifetime? = Lifetime()
      lifetime?.ended().observeNext { log.append(home.isCurrent ? "home" : "wrong") }
      other.run {
        _ = lifetime?.ended().observeNext { log.append(other.isCurrent ? "other" : "wrong") }
      }
      elsewhere.run { lifetime = nil }
      elsewhere.join()
      other.join()
      home.run()
      return log.all
    }
    #expect(places == ["other", "home"])
  }

  @Test func releasedWhereItIsObservedItTellsAtOnce() {
    let home = ManualContext()
    var lifetime: Lifetime? = Lifetime()
    var told = 0
    home.use { _ = lifetime!.ended().observeNext { told += 1 } }
    home.use { lifetime = nil }
    #expect(told == 1)
    #expect(home.pending == 0)
  }

  /// The thread that releases the object still holds what it called when the observers at home have
  /// long been told: what they captured must not die with it.
  @Test func whatAnObserverCapturedDiesAtHome() async {
    let deaths = await ManualContext.onThread { home in
      let elsewhere = ThreadContext()
      let deaths = SharedLog<Bool>()
      let gate = Gate()
      let worker = ThreadContext()
      // Safety: the other thread has it while this one waits.
      nonisolated(unsafe) var lifetime: Lifetime? = Lifetime()
      worker.run {
        let resident = Resident(of: worker, deaths)
        lifetime?.ended().observe(completed: {
          withExtendedLifetime(resident) {}
          worker.execute { gate.open() }
        })
      }
      // Told after the first, this one keeps the releasing thread until that one is through.
      Current.with(context: Doorkeeper(gate)) { _ = lifetime?.ended().observeNext { _ in } }
      elsewhere.run { lifetime = nil }
      elsewhere.join()
      worker.join()
      return deaths.all
    }
    #expect(deaths == [true])
  }

  @Test func mayBeObservedAndReleasedByManyThreads() async {
    let places = await ManualContext.onThread { home in
      let workers = (0..<3).map { _ in ThreadContext() }
      let deaths = SharedLog<Bool>()
      for round in 0..<300 {
        let worker = workers[round % 3]
        var lifetime: Lifetime? = Lifetime()
        let resident = Resident(of: home, deaths)
        let observation = lifetime?.ended().observeNext { withExtendedLifetime(resident) {} }
        let ended = lifetime
        worker.execute { withExtendedLifetime(ended) {} }
        lifetime = nil
        if round % 4 == 0 { observation?.dispose() }
      }
      for worker in workers { worker.join() }
      home.run()
      return deaths.all
    }
    #expect(places == Array(repeating: true, count: 300))
  }
}

/// A context that takes its time to take a job, and then does nothing about it.
private final class Doorkeeper: ExecutionContext {
  private let gate: Gate

  init(_ gate: Gate) {
    self.gate = gate
  }

  var isCurrent: Bool { false }

  func execute(_ job: @escaping @Sendable () -> Void) { gate.pass() }
}
