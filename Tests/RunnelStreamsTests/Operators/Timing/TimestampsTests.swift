import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct TimestampsTests {
  let scheduler = TestScheduler()

  @Test func sendsEachElementWithItsTime() {
    let numbers = scheduler.subject(
      at(2, .next(1)), at(6, .next(2)), at(7, StreamEvent<Int, ContractFailure>.completed))
    let recorder = numbers.timestamps(on: scheduler).record()
    scheduler.run()
    #expect(recorder.elements.map(\.time) == [.seconds(2), .seconds(6)])
    #expect(recorder.elements.map(\.element) == [1, 2])
    #expect(recorder.isCompleted)
  }

  @Test func passesOnAFailure() {
    let recorder = NumberStream.failed(ContractFailure()).timestamps(on: scheduler).record()
    #expect(recorder.failure == ContractFailure())
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in source.timestamps(on: probe.scheduler) }
  }
}
