import RunnelStreams
import RunnelTesting
import Testing

/// What the README says of the testing kit.
@Suite struct ReadmeTests {
  @Test func marbles() {
    let scheduler = TestScheduler()
    let keys = scheduler.hot("a-b--c------d|")
    let recorder = scheduler.record(keys.debounce(for: .seconds(3), on: scheduler))
    scheduler.run()
    #expect(recorder.marbles == "--------c----(d|)")
  }
}
