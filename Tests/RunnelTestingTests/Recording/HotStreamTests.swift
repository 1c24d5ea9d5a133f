import RunnelStreams
import RunnelTesting
import Testing

@Suite struct HotStreamTests {
  private let scheduler = TestScheduler()

  @Test func sendsToCurrentObservers() {
    let hot = scheduler.hot("-a-b-c-|")
    let early = scheduler.record(hot)
    scheduler.advance(ticks: 3)
    let late = scheduler.record(hot)
    early.dispose()
    scheduler.run()
    #expect(early.elements == ["a", "b"])
    #expect(late.elements == ["c"])
    #expect(late.isCompleted)
  }

  /// At each tick, whether or not the timer of that tick was scheduled before the stream was made.
  @Test(arguments: [true, false])
  func eventsComeBeforeTimersOfTheSameTime(_ isMadeFirst: Bool) {
    var order: [String] = []
    func hot() { scheduler.hot("-ab-c").observeNext { order.append($0) } }
    func timers() {
      EventStream<Int, Never>.interval(.seconds(1), on: scheduler).take(5)
        .observeNext { order.append("\($0)") }
    }
    if isMadeFirst { hot() }
    timers()
    if !isMadeFirst { hot() }
    scheduler.run()
    #expect(order == ["a", "0", "b", "1", "2", "c", "3", "4"])
  }

  @Test func severalStreamsSendInTheOrderOfTheirCreation() {
    var order: [String] = []
    for marbles in ["-a-c", "-b-d"] { scheduler.hot(marbles).observeNext { order.append($0) } }
    scheduler.run()
    #expect(order == ["a", "b", "c", "d"])
  }

  @Test func recordsPeriodsOfObservation() {
    let hot = scheduler.hot("-a-b-c-|")
    let first = scheduler.record(hot)
    scheduler.advance(ticks: 2)
    let second = scheduler.record(hot)
    #expect(
      hot.observations == [ObservationSpan(from: .zero), ObservationSpan(from: .seconds(2))])
    scheduler.advance(ticks: 2)
    first.dispose()
    #expect(hot.observations.first == ObservationSpan(from: .zero, to: .seconds(4)))
    scheduler.run()
    #expect(hot.observations.last == ObservationSpan(from: .seconds(2), to: .seconds(7)))
    withExtendedLifetime(second) {}
  }

  @Test func lateObserversReceiveTheEnd() {
    let hot = scheduler.hot("-aX")
    scheduler.run()
    let recorder = scheduler.record(hot)
    #expect(recorder.events == [.failed(MarbleFailure())])
    #expect(hot.observations == [ObservationSpan(from: .seconds(2), to: .seconds(2))])
  }

  @Test func acceptsTimedEvents() {
    let hot = HotStream<Int, ContractFailure>(
      [
        Timed(.seconds(1), .next(1)), Timed(.milliseconds(1_500), .next(2)),
        Timed(.seconds(2), .failed(ContractFailure())), Timed(.seconds(3), .next(4)),
      ], on: scheduler)
    let recorder = scheduler.record(hot)
    scheduler.run()
    #expect(
      recorder.timedEvents == [
        Timed(.seconds(1), .next(1)), Timed(.milliseconds(1_500), .next(2)),
        Timed(.seconds(2), .failed(ContractFailure())),
      ])
  }

  @Test func pastEventsAreNotSent() {
    scheduler.advance(ticks: 2)
    let open = HotStream<Int, Never>(
      [Timed(.seconds(1), .next(1)), Timed(.seconds(3), .next(2))], on: scheduler)
    let over = HotStream<Int, Never>([Timed(.seconds(1), .completed)], on: scheduler)
    let recorder = scheduler.record(open)
    #expect(scheduler.record(over).events == [.completed])
    scheduler.run()
    #expect(recorder.events == [.next(2)])
  }

  @Test func presentEventWaitsForTheClock() {
    let recorder = scheduler.record(scheduler.hot("a"))
    #expect(recorder.events.isEmpty)
    scheduler.advance(by: .zero)
    #expect(recorder.events == [.next("a")])
  }

  @Test func disposalInAnEventEndsTheObservation() {
    let hot = scheduler.hot("-a-b-|")
    let observation = Disposable()
    var events: [StreamEvent<String, MarbleFailure>] = []
    observation.add(
      hot.observe { event in
        events.append(event)
        observation.dispose()
      })
    scheduler.run()
    #expect(events == [.next("a")])
    #expect(hot.observations == [ObservationSpan(from: .zero, to: .seconds(1))])
  }
}
