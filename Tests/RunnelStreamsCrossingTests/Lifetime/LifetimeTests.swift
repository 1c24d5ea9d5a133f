import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct LifetimeTests {
  @Test func notifiesObserversInOrder() {
    var lifetime: Lifetime? = Lifetime()
    var received: [String] = []
    for number in 1...3 {
      lifetime!.ended().observe(
        next: { received.append("\(number) gone") },
        completed: { received.append("\(number) completed") })
    }
    #expect(received == [])
    lifetime = nil
    #expect(received == (1...3).flatMap { ["\($0) gone", "\($0) completed"] })
  }

  @Test func notifiesAtOnceAfterRelease() {
    var lifetime: Lifetime? = Lifetime()
    let ended = lifetime!.ended()
    lifetime = nil
    var received = 0
    ended.observe(next: { received += 1 }, completed: { received += 10 })
    #expect(received == 11)
  }

  @Test func aDisposedObserverIsNotNotified() {
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

  @Test func releaseOnAnotherThreadNotifiesOnContext() async {
    let log = await ManualContext.onThread { home in
      let elsewhere = ThreadContext()
      var log: [String] = []
      // Safety: only the other thread uses the variable while this thread waits.
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

  @Test func disposalBeforeDeliverySkipsTheObserver() async {
    let log = await ManualContext.onThread { home in
      let elsewhere = ThreadContext()
      var log: [String] = []
      // Safety: only the other thread uses the variable while this thread waits.
      nonisolated(unsafe) var lifetime: Lifetime? = Lifetime()
      let observation = lifetime?.ended().observeNext { log.append("received") }
      elsewhere.run { lifetime = nil }
      observation?.dispose()
      home.run()
      elsewhere.join()
      return log
    }
    #expect(log == [])
  }

  @Test func eachObserverIsNotifiedOnItsOwnContext() async {
    let places = await ManualContext.onThread { home in
      let other = ThreadContext()
      let elsewhere = ThreadContext()
      let log = SharedLog<String>()
      // Safety: one thread at a time uses the variable, while the others wait.
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

  @Test func releaseOnTheObserversContextNotifiesAtOnce() {
    let home = ManualContext()
    var lifetime: Lifetime? = Lifetime()
    var received = 0
    home.use { _ = lifetime!.ended().observeNext { received += 1 } }
    home.use { lifetime = nil }
    #expect(received == 1)
    #expect(home.pending == 0)
  }

  /// The thread that releases the object holds its closures until after the observers have been
  /// notified. The captures must still be released on their own context.
  @Test func capturesAreReleasedOnTheirContext() async {
    let deaths = await ManualContext.onThread { home in
      let elsewhere = ThreadContext()
      let deaths = SharedLog<Bool>()
      let gate = Gate()
      let worker = ThreadContext()
      // Safety: only the other thread uses the variable while this thread waits.
      nonisolated(unsafe) var lifetime: Lifetime? = Lifetime()
      worker.run {
        let resident = Resident(of: worker, deaths)
        lifetime?.ended().observe(completed: {
          withExtendedLifetime(resident) {}
          worker.execute { gate.open() }
        })
      }
      // This observer comes second and blocks the releasing thread until the first has been
      // notified.
      Current.with(context: BlockingContext(gate)) { _ = lifetime?.ended().observeNext { _ in } }
      elsewhere.run { lifetime = nil }
      elsewhere.join()
      worker.join()
      return deaths.all
    }
    #expect(deaths == [true])
  }

  @Test func manyThreadsMayObserveAndRelease() async {
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

/// A context that blocks until a gate opens and then drops the job.
private final class BlockingContext: ExecutionContext {
  private let gate: Gate

  init(_ gate: Gate) {
    self.gate = gate
  }

  var isCurrent: Bool { false }

  func execute(_ job: @escaping @Sendable () -> Void) { gate.pass() }
}
