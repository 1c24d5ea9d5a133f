import NAME
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Test func theAverageFollowsTheElements() {
  let scheduler = TestScheduler()
  let source = scheduler.cold("-a-b-|", values: ["a": 1.0, "b": 4.0])
  let recorder = scheduler.record(source.runningAverage())
  scheduler.run()
  #expect(recorder.elements == [1, 2.5])
  #expect(recorder.isCompleted)
}
