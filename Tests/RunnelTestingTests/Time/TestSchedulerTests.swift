import RunnelStreams
import RunnelTesting
import Testing

@Suite struct TestSchedulerTests {
  @Test func runsInOrderOfDeadlineThenOfScheduling() {
    let scheduler = TestScheduler()
    var log: [String] = []
    _ = scheduler.schedule(after: .seconds(2)) { log.append("b") }
    _ = scheduler.schedule(after: .seconds(1)) { log.append("a") }
    _ = scheduler.schedule(after: .seconds(2)) { log.append("c") }
    scheduler.advance(by: .seconds(1))
    #expect(log == ["a"])
    scheduler.advance(by: .seconds(1))
    #expect(log == ["a", "b", "c"])
    #expect(scheduler.now == .seconds(2))
  }
}
