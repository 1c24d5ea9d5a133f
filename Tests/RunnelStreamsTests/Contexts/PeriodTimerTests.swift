import RunnelTesting
import StreamTestSupport
import Testing

@testable import RunnelStreams

@Suite struct PeriodTimerTests {
  @Test func periodsDoNotDrift() {
    let late = LateScheduler()
    let recorder = EventStream<Int, Never>.never.buffer(for: .seconds(10), on: late).record()
    late.wake(at: .seconds(12))
    #expect(late.deadline == .seconds(20))
    late.wake(at: .seconds(21))
    #expect(late.deadline == .seconds(30))
    recorder.dispose()
  }

  @Test func missedPeriodsAreSkipped() {
    let source = PushStream<Int>()
    let late = LateScheduler()
    let recorder = source.buffer(for: .seconds(10), on: late).record()
    source.next(1)
    late.wake(at: .seconds(12))
    #expect(recorder.elements == [[1]])
    #expect(late.deadline == .seconds(20))
    source.next(2)
    late.wake(at: .seconds(47))
    #expect(recorder.elements == [[1], [2]])
    #expect(late.deadline == .seconds(50))
    recorder.dispose()
  }

  @Test func aDisposedObservationStartsNoPeriod() {
    let scheduler = TestScheduler()
    let observation = Disposable()
    observation.dispose()
    let census = Counted.Census()
    let periods = PeriodTimer(of: .seconds(1), on: scheduler)
    let held = Counted(census)
    periods.begin(in: observation) { withExtendedLifetime(held) {} }
    #expect(scheduler.pending == 0)
  }
}

/// A scheduler with one action, which it calls when the test calls ``wake(at:)``.
final class LateScheduler: Scheduler {
  private(set) var now: Duration = .zero
  private(set) var deadline: Duration = .zero
  private var action: () -> Void = {}

  func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    self.deadline = deadline
    self.action = action
    return Disposable { [weak self] in self?.action = {} }
  }

  func wake(at time: Duration) {
    now = time
    action()
  }
}
