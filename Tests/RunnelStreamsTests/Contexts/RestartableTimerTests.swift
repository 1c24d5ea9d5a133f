import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct RestartableTimerTests {
  // MARK: Values

  @Test func firesAfterTheDelay() {
    let scheduler = TestScheduler()
    let timer = RestartableTimer(on: scheduler)
    var calls: [Duration] = []
    scheduler.advance(ticks: 1)
    timer.set(after: .seconds(2)) { calls.append(timer.now) }
    scheduler.advance(ticks: 1)
    #expect(calls == [])
    scheduler.advance(ticks: 10)
    #expect(calls == [.seconds(3)])
    #expect(scheduler.pending == 0)
  }

  @Test func settingItAgainReplacesTheAction() {
    let scheduler = TestScheduler()
    let timer = RestartableTimer(on: scheduler)
    var calls: [String] = []
    timer.set(after: .seconds(1)) { calls.append("first") }
    timer.set(at: .seconds(5)) { calls.append("second") }
    #expect(scheduler.pending == 1)
    scheduler.advance(ticks: 10)
    #expect(calls == ["second"])
  }

  @Test func aNegativeDelayCountsAsZero() {
    let scheduler = TestScheduler()
    let timer = RestartableTimer(on: scheduler)
    var calls = 0
    timer.set(after: .seconds(-1)) { calls += 1 }
    scheduler.advance(by: .zero)
    #expect(calls == 1)
    #expect(scheduler.now == .zero)
  }

  // MARK: Disposal

  @Test func cancellingReleasesTheAction() {
    let scheduler = TestScheduler()
    let timer = RestartableTimer(on: scheduler)
    var wasReleased = false
    do {
      let captive = Captive { wasReleased = true }
      timer.set(after: .seconds(1)) { captive.hold() }
    }
    timer.cancel()
    timer.cancel()
    #expect(wasReleased)
    #expect(scheduler.pending == 0)
    var calls = 0
    timer.set(after: .seconds(1)) { calls += 1 }
    scheduler.advance(ticks: 1)
    #expect(calls == 1)
  }

  @Test func settingAfterTearDownDoesNothing() {
    let scheduler = TestScheduler()
    let timer = RestartableTimer(on: scheduler)
    let observation = Disposable()
    observation.add(timer)
    timer.set(after: .seconds(1)) { Issue.record("not reached") }
    observation.dispose()
    #expect(scheduler.pending == 0)
    timer.set(after: .seconds(1)) { Issue.record("not reached") }
    #expect(scheduler.pending == 0)
    scheduler.advance(ticks: 10)
  }

  @Test func settingAfterTearDownIgnoresImmediateScheduler() {
    let timer = RestartableTimer(on: ImmediateScheduler())
    timer.tearDown()
    timer.set(after: .seconds(1)) { Issue.record("not reached") }
  }

  // MARK: Reentrancy

  @Test func mayBeSetInsideItsAction() {
    let scheduler = TestScheduler()
    let timer = RestartableTimer(on: scheduler)
    var calls: [Duration] = []
    func fire() {
      calls.append(scheduler.now)
      if calls.count < 3 { timer.set(after: .seconds(1)) { fire() } }
    }
    timer.set(after: .seconds(1)) { fire() }
    scheduler.advance(ticks: 10)
    #expect(calls == [.seconds(1), .seconds(2), .seconds(3)])
    #expect(scheduler.pending == 0)
  }

  @Test func mayBeSetInsideItsActionOnImmediateScheduler() {
    let timer = RestartableTimer(on: ImmediateScheduler())
    var calls = 0
    func fire() {
      calls += 1
      if calls < 100_000 { timer.set(after: .seconds(1)) { fire() } }
    }
    timer.set(after: .seconds(1)) { fire() }
    #expect(calls == 100_000)
  }
}
