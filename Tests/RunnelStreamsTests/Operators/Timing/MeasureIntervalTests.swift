import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct MeasureIntervalTests {
  let scheduler = TestScheduler()

  @Test func measuresTheTimeSinceThePreviousElement() {
    let numbers = scheduler.subject(
      at(3, .next(1)), at(7, .next(2)), at(7, .next(3)),
      at(9, StreamEvent<Int, ContractFailure>.completed))
    scheduler.advance(ticks: 1)
    let recorder = scheduler.record(numbers.measureInterval(on: scheduler))
    scheduler.run()
    #expect(
      recorder.timedEvents == [
        at(3, .next(.seconds(2))), at(7, .next(.seconds(4))), at(7, .next(.zero)),
        at(9, .completed),
      ])
  }

  @Test func passesOnAFailure() {
    let recorder = NumberStream.failed(ContractFailure()).measureInterval(on: scheduler).record()
    #expect(recorder.events == [.failed(ContractFailure())])
  }

  @Test func eachObservationMeasuresFromItsStart() {
    let numbers = PushStream<Int>()
    let stream = numbers.measureInterval(on: scheduler)
    let early = stream.record()
    scheduler.advance(ticks: 2)
    let late = stream.record()
    scheduler.advance(ticks: 1)
    numbers.next(1)
    #expect(early.elements == [.seconds(3)])
    #expect(late.elements == [.seconds(1)])
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in source.measureInterval(on: probe.scheduler) }
  }
}
