import RunnelStreams
import RunnelTesting
import Testing

@Suite struct ColdStreamTests {
  private let scheduler = TestScheduler()

  @Test func eachObservationStartsTheEvents() {
    let cold = scheduler.cold("-a-b|")
    let first = scheduler.record(cold)
    scheduler.advance(ticks: 2)
    let second = scheduler.record(cold)
    scheduler.run()
    #expect(first.marbles == "-a-b|")
    #expect(second.marbles == "--^a-b|")
    #expect(
      cold.observations == [
        ObservationSpan(from: .zero, to: .seconds(4)),
        ObservationSpan(from: .seconds(2), to: .seconds(6)),
      ])
  }

  @Test func appendedObservationStartsLater() {
    let page = scheduler.cold("-a-|")
    let recorder = scheduler.record(page.append(page.stream))
    scheduler.run()
    #expect(recorder.marbles == "-a--a-|")
    #expect(page.observations.map(\.from) == [.zero, .seconds(3)])
  }

  @Test func eventOfFrameZeroWaitsForTheClock() {
    let recorder = scheduler.record(scheduler.cold("(a|)"))
    #expect(recorder.events.isEmpty)
    scheduler.advance(by: .zero)
    #expect(recorder.events == [.next("a"), .completed])
  }

  @Test func observationInAnActionStartsAtTheSameTime() {
    let inner = scheduler.cold("(xy|)")
    let recorder = scheduler.record(scheduler.hot("-a-b-|").flatMap { _ in inner.stream })
    scheduler.run()
    #expect(recorder.marbles == "-(xy)-(xy)-|")
  }

  @Test func eventsAfterTheEndAreDropped() {
    let cold = ColdStream<Int, Never>(
      [Timed(.seconds(1), .next(1)), Timed(.seconds(2), .completed), Timed(.seconds(3), .next(2))],
      on: scheduler)
    let recorder = scheduler.record(cold)
    scheduler.run()
    #expect(recorder.timedEvents == [Timed(.seconds(1), .next(1)), Timed(.seconds(2), .completed)])
  }

  @Test func disposalCancelsPendingEvents() {
    let cold = scheduler.cold("-a-b-|")
    let recorder = scheduler.record(cold)
    scheduler.advance(ticks: 1)
    recorder.dispose()
    #expect(scheduler.pending == 0)
    #expect(recorder.events == [.next("a")])
    #expect(cold.observations == [ObservationSpan(from: .zero, to: .seconds(1))])
  }
}
