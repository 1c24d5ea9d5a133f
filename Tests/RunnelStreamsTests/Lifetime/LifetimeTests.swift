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

  @Test func releasedElsewhereItTellsAtHome() {
    let home = HandContext()
    var lifetime: Lifetime? = Lifetime()
    var told: [Bool] = []
    home.enter { lifetime!.ended.observeNext { told.append(home.isCurrent) } }
    lifetime = nil
    #expect(told == [])
    #expect(home.waiting == 1)
    home.run()
    #expect(told == [true])
  }

  @Test func whoDisposedMeanwhileIsNotTold() {
    let home = HandContext()
    var lifetime: Lifetime? = Lifetime()
    let observation = home.enter {
      lifetime!.ended.observeNext { Issue.record("not reached") }
    }
    lifetime = nil
    home.enter { observation.dispose() }
    home.run()
  }
}
