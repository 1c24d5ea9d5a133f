import RunnelStreams
import RunnelTesting
import Testing

@Suite struct LifetimeTests {
  @Test func tellsInOrderWhenTheObjectGoes() {
    var lifetime: Lifetime? = Lifetime()
    var told: [String] = []
    for number in 1...3 {
      lifetime!.ended.observe(
        next: { told.append("\(number) gone") }, completed: { told.append("\(number) completed") })
    }
    #expect(told == [])
    lifetime = nil
    #expect(told == (1...3).flatMap { ["\($0) gone", "\($0) completed"] })
  }

  @Test func tellsAtOnceWhenTheObjectHasGone() {
    var lifetime: Lifetime? = Lifetime()
    let ended = lifetime!.ended
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
      observation = lifetime.ended.observeNext { captive.hold() }
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
      lifetime?.ended.observeNext { log.append(home.isCurrent ? "at home" : "elsewhere") }
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
      let observation = lifetime?.ended.observeNext { log.append("told") }
      elsewhere.run { lifetime = nil }
      observation?.dispose()
      home.run()
      elsewhere.join()
      return log
    }
    #expect(log == [])
  }
}
