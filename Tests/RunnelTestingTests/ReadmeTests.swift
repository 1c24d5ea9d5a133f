import RunnelStreams
import RunnelTesting
import Testing

/// The examples of the README that use RunnelTesting.
@Suite struct ReadmeTests {
  @Test func marbleExampleWorks() {
    let scheduler = TestScheduler()
    let keys = scheduler.hot("a-b--c------d|")
    let recorder = scheduler.record(keys.debounce(for: .seconds(3), on: scheduler))
    scheduler.run()
    #expect(recorder.marbles == "--------c----(d|)")
  }
}
