import RunnelStreams

/// A test stream that sends its events at fixed times, observed or not.
///
///     let keys = scheduler.hot("--a-b-|")
///     keys.observe { print($0) }
///     scheduler.run()
///     #expect(keys.observations == [ObservationSpan(from: .zero, to: .seconds(6))])
///
/// *Events*: an observer receives the events after the start of its observation. After the end it
/// receives the end.
///
/// *Timing*: events are sent before all timers of the same time, whether the stream was made before
/// or after them. Events of several streams come in the order in which the streams were made. An
/// event at the present time is sent when the clock is next advanced, even by zero. Events in the
/// past are never sent.
public final class HotStream<Element, Failure: Error> {
  private let subject = Subject<Element, Failure>()
  private let log: ObservationLog

  /// Creates a stream of events at times of the scheduler.
  public init(_ events: [Timed<StreamEvent<Element, Failure>>], on scheduler: TestScheduler) {
    log = ObservationLog(scheduler)
    for entry in events {
      if entry.time >= scheduler.now {
        scheduler.scheduleInput(at: entry.time) { [subject] in subject.send(entry.event) }
      } else if let end = entry.event.termination {
        subject.end(end)
      }
    }
  }

  /// The periods of observation, in the order of their starts.
  public var observations: [ObservationSpan] { log.spans }
}

extension HotStream: StreamProtocol {
  /// A stream of the events from the start of the observation on.
  public var stream: EventStream<Element, Failure> {
    .unguarded { [subject, log] observer in
      log.enter(observer.observation)
      subject.start(observer)
    }
  }
}
