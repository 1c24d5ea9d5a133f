import RunnelStreams
import RunnelTesting
import Testing

@Suite struct RestartableTimerTests {
  // MARK: Values

  @Test func goesOffAfterTheDelay() {
    let scheduler = TestScheduler()
    let alarm = RestartableTimer(on: scheduler)
    var calls: [Duration] = []
    scheduler.advance(ticks: 1)
    alarm.set(after: .seconds(2)) { calls.append(alarm.now) }
    scheduler.advance(ticks: 1)
    #expect(calls == [])
    scheduler.advance(ticks: 10)
    #expect(calls == [.seconds(3)])
    #expect(scheduler.pending == 0)
  }

  @Test func settingItAgainReplacesTheCallBefore() {
    let scheduler = TestScheduler()
    let alarm = RestartableTimer(on: scheduler)
    var calls: [String] = []
    alarm.set(after: .seconds(1)) { calls.append("first") }
    alarm.set(at: .seconds(5)) { calls.append("second") }
    #expect(scheduler.pending == 1)
    scheduler.advance(ticks: 10)
    #expect(calls == ["second"])
  }

  @Test func aNegativeDelayCountsAsNone() {
    let scheduler = TestScheduler()
    let alarm = RestartableTimer(on: scheduler)
    var calls = 0
    alarm.set(after: .seconds(-1)) { calls += 1 }
    scheduler.advance(by: .zero)
    #expect(calls == 1)
    #expect(scheduler.now == .zero)
  }

  // MARK: Disposal

  @Test func cancellingTakesTheCallBackAndReleasesIt() {
    let scheduler = TestScheduler()
    let alarm = RestartableTimer(on: scheduler)
    var wasReleased = false
    do {
      let captive = Captive { wasReleased = true }
      alarm.set(after: .seconds(1)) { captive.hold() }
    }
    alarm.cancel()
    alarm.cancel()
    #expect(wasReleased)
    #expect(scheduler.pending == 0)
    var calls = 0
    alarm.set(after: .seconds(1)) { calls += 1 }
    scheduler.advance(ticks: 1)
    #expect(calls == 1)
  }

  @Test func isNotSetAnyMoreAfterItWasTornDown() {
    let scheduler = TestScheduler()
    let alarm = RestartableTimer(on: scheduler)
    let observation = Disposable()
    observation.add(alarm)
    alarm.set(after: .seconds(1)) { Issue.record("not reached") }
    observation.dispose()
    #expect(scheduler.pending == 0)
    alarm.set(after: .seconds(1)) { Issue.record("not reached") }
    #expect(scheduler.pending == 0)
    scheduler.advance(ticks: 10)
  }

  @Test func isNotSetAnyMoreAlsoWhereTheSchedulerCallsBackAtOnce() {
    let alarm = RestartableTimer(on: ImmediateScheduler())
    alarm.tearDown()
    alarm.set(after: .seconds(1)) { Issue.record("not reached") }
  }

  // MARK: Re-entrancy

  @Test func mayBeSetAgainFromItsOwnCall() {
    let scheduler = TestScheduler()
    let alarm = RestartableTimer(on: scheduler)
    var calls: [Duration] = []
    func ring() {
      calls.append(scheduler.now)
      if calls.count < 3 { alarm.set(after: .seconds(1)) { ring() } }
    }
    alarm.set(after: .seconds(1)) { ring() }
    scheduler.advance(ticks: 10)
    #expect(calls == [.seconds(1), .seconds(2), .seconds(3)])
    #expect(scheduler.pending == 0)
  }

  @Test func mayBeSetAgainFromItsOwnCallWhereTheSchedulerCallsBackAtOnce() {
    let alarm = RestartableTimer(on: ImmediateScheduler())
    var calls = 0
    func ring() {
      calls += 1
      if calls < 100_000 { alarm.set(after: .seconds(1)) { ring() } }
    }
    alarm.set(after: .seconds(1)) { ring() }
    #expect(calls == 100_000)
  }
}
