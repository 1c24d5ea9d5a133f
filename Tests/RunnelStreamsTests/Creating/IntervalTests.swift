import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct IntervalTests {
  let scheduler = TestScheduler()

  @Test func countsFromZeroOnceAPeriod() {
    let recorder = scheduler.record(
      EventStream<Int, Never>.interval(.seconds(3), on: scheduler).take(3))
    scheduler.run()
    #expect(
      recorder.timedEvents == [
        at(3, .next(0)), at(6, .next(1)), at(9, .next(2)), at(9, .completed),
      ])
  }

  @Test func eachObservationCountsFromZero() {
    let stream = EventStream<Int, Never>.interval(.seconds(2), on: scheduler)
    let early = scheduler.record(stream)
    scheduler.advance(ticks: 3)
    let late = scheduler.record(stream)
    scheduler.advance(ticks: 2)
    #expect(early.timedEvents == [at(2, .next(0)), at(4, .next(1))])
    #expect(late.timedEvents == [at(5, .next(0))])
    early.dispose()
    late.dispose()
    #expect(scheduler.pending == 0)
  }

  @Test func doesNotDriftOnALateScheduler() {
    /// Calls back half a second late each time, as a busy loop does.
    final class Late: Scheduler {
      let time = TestScheduler()
      var deadlines: [Duration] = []
      var now: Duration { time.now }
      func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
        deadlines.append(deadline)
        return time.schedule(at: max(deadline, now) + .milliseconds(500), action)
      }
    }
    let late = Late()
    let recorder = EventStream<Int, Never>.interval(.seconds(1), on: late).take(4).record()
    late.time.run()
    #expect(recorder.elements == [0, 1, 2, 3])
    #expect(late.deadlines.prefix(4) == [.seconds(1), .seconds(2), .seconds(3), .seconds(4)])
  }

  @Test func ticksMissedInAStallAreSkipped() {
    let late = LateScheduler()
    let recorder = EventStream<Int, Never>.interval(.seconds(10), on: late).record()
    late.wake(at: .seconds(10))
    late.wake(at: .seconds(47))
    #expect(recorder.elements == [0, 1])
    #expect(late.deadline == .seconds(50))
    late.wake(at: .seconds(50))
    #expect(recorder.elements == [0, 1, 2])
    #expect(late.deadline == .seconds(60))
    recorder.dispose()
  }

  @Test func stopsWhenItsObserverDisposesIt() {
    var log: [Int] = []
    var observation = Disposable.none
    observation = EventStream<Int, Never>.interval(.seconds(1), on: scheduler).observeNext {
      log.append($0)
      if $0 == 2 { observation.dispose() }
    }
    scheduler.run()
    #expect(log == [0, 1, 2])
  }

  @Test func worksOnAnImmediateScheduler() {
    let scheduler = ImmediateScheduler()
    let recorder = EventStream<Int, Never>.interval(.seconds(1), on: scheduler).take(3).record()
    #expect(recorder.events == [.next(0), .next(1), .next(2), .completed])
  }

  @Test func aPeriodThatIsNotPositiveTraps() async {
    await #expect(processExitsWith: .failure) { _ = EventStream<Int, Never>.interval(.zero) }
    await #expect(processExitsWith: .failure) { _ = EventStream<Int, Never>.interval(.seconds(-1)) }
  }

  @Test func keepsTheContracts() {
    expectContracts([.timed, .outlivesSource]) { source, probe in
      source.flatMap { _ in
        probe.touch()
        return EventStream<Int, ContractFailure>.interval(.seconds(1), on: probe.scheduler).take(2)
      }
    }
  }
}
