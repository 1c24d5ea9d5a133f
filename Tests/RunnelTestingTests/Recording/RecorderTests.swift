import RunnelStreams
import RunnelTesting
import Testing

@Suite struct RecorderTests {
  private let scheduler = TestScheduler()

  @Test func recordsEventsWithTimes() {
    let names = Subject<String, ContractFailure>()
    let recorder = scheduler.record(names)
    names.next("Jim")
    scheduler.advance(ticks: 2)
    names.failed(ContractFailure())
    #expect(
      recorder.timedEvents == [
        Timed(.zero, .next("Jim")), Timed(.seconds(2), .failed(ContractFailure())),
      ])
    #expect(recorder.events == [.next("Jim"), .failed(ContractFailure())])
    #expect(recorder.elements == ["Jim"])
    #expect(recorder.termination == .failed(ContractFailure()))
    #expect(recorder.failure == ContractFailure())
    #expect(!recorder.isCompleted)
  }

  @Test func isCompletedAfterCompletion() {
    let names = PushStream<String>()
    let recorder = names.record()
    #expect(recorder.termination == nil)
    names.completed()
    #expect(recorder.isCompleted)
    #expect(recorder.failure == nil)
  }

  @Test func recordsEventsDuringTheStart() {
    #expect(EventStream<Int, Never>.just(1).record().events == [.next(1), .completed])
  }

  @Test func disposingEndsTheObservation() {
    let names = PushStream<String>()
    let recorder = names.record()
    names.next("Jim")
    recorder.dispose()
    names.next("Ann")
    #expect(recorder.elements == ["Jim"])
    #expect(!names.isObserved)
  }

  @Test func clearDiscardsEvents() {
    let names = PushStream<String>()
    let recorder = names.record()
    names.next("Jim")
    recorder.clear()
    names.next("Ann")
    #expect(recorder.elements == ["Ann"])
  }

  @Test func recordsTheStartOfTheObservation() {
    scheduler.advance(ticks: 3)
    #expect(scheduler.record(EventStream<Int, Never>.never).observedAt == .seconds(3))
  }

  @Test func timedEventHasADescription() {
    #expect("\(Timed(.seconds(3), StreamEvent<Int, Never>.next(1)))" == "next(1) @ 3.0 seconds")
  }
}
