import RunnelStreams
import RunnelTesting
import Testing

@Suite struct ImmediateSchedulerTests {
  private let scheduler = ImmediateScheduler()

  @Test func runsAtOnceAndMovesToTheDeadline() {
    var time: Duration?
    let ticket = scheduler.schedule(after: .seconds(5)) { time = scheduler.now }
    #expect(time == .seconds(5))
    #expect(ticket.isDisposed)
    _ = scheduler.schedule(at: .seconds(2)) { time = scheduler.now }
    #expect(time == .seconds(5), "time does not go back")
  }

  @Test func nestedActionsRunAfterwardsByDeadline() {
    var log: [String] = []
    _ = scheduler.schedule(after: .seconds(1)) {
      _ = scheduler.schedule(after: .seconds(2)) { log.append("third") }
      _ = scheduler.schedule(after: .seconds(1)) { log.append("second") }
      log.append("first")
    }
    #expect(log == ["first", "second", "third"])
    #expect(scheduler.now == .seconds(3))
  }

  @Test func pendingActionCanBeCancelled() {
    var log: [String] = []
    _ = scheduler.schedule(after: .zero) {
      let ticket = scheduler.schedule(after: .zero) { log.append("cancelled") }
      ticket.dispose()
    }
    #expect(log.isEmpty)
  }

  @Test func longChainDoesNotGrowTheStack() {
    var count = 0
    func again() {
      count += 1
      if count < 100_000 { _ = scheduler.schedule(after: .seconds(1)) { again() } }
    }
    again()
    #expect(count == 100_000)
  }

  @Test func timedOperatorsDoNotWait() {
    let recorder = EventStream<Int, Never>.sequence([1, 2, 3])
      .debounce(for: .seconds(1), on: scheduler).record()
    #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
  }
}
