import RunnelStreams

/// A test stream whose events happen at their times whether it is observed or not.
///
///     let keys = scheduler.hot("--a-b-|")
///     keys.observe { print($0) }
///     scheduler.run()
///     #expect(keys.observations == [ObservationSpan(from: .zero, to: .seconds(6))])
///
/// *Events*: an observer gets what happens from then on; after the end, the end.
///
/// *Timing*: an event of the present moment happens when the clock is next advanced, even by zero.
/// What lies in the past has happened before anybody could observe it.
public final class HotStream<Element, Failure: Error> {
  private let subject = Subject<Element, Failure>()
  private let log: ObservationLog

  /// A stream of events at times of the scheduler.
  public init(_ events: [Timed<StreamEvent<Element, Failure>>], on scheduler: TestScheduler) {
    log = ObservationLog(scheduler)
    for entry in events {
      if entry.time >= scheduler.now {
        _ = scheduler.schedule(at: entry.time) { [subject] in subject.send(entry.event) }
      } else if let end = entry.event.termination {
        subject.end(end)
      }
    }
  }

  /// When it was observed, in the order in which the observations began.
  public var observations: [ObservationSpan] { log.spans }
}

extension HotStream: StreamProtocol {
  /// The events from the observation on.
  public var stream: EventStream<Element, Failure> {
    .unguarded { [subject, log] observer in
      log.enter(observer.observation)
      subject.start(observer)
    }
  }
}
