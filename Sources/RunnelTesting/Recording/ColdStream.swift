import RunnelStreams

/// A test stream that sends its events to each observer, at times relative to the start of the
/// observation (C6).
///
///     let page = scheduler.cold("-a-|")
///     let recorder = scheduler.record(page.append(page.stream))
///     scheduler.run()
///     #expect(recorder.marbles == "-a--a-|")
///     #expect(page.observations.map(\.from) == [.zero, .seconds(3)])
///
/// *Timing*: events of frame 0 are sent when the clock is next advanced, even by zero, and not
/// during the start of the observation. If the observation starts within an action, they are sent
/// at the same time.
public final class ColdStream<Element, Failure: Error> {
  private let events: [Timed<StreamEvent<Element, Failure>>]
  private let scheduler: TestScheduler
  private let log: ObservationLog

  /// Creates a stream of events at times relative to the start of the observation.
  public init(_ events: [Timed<StreamEvent<Element, Failure>>], on scheduler: TestScheduler) {
    self.events = events
    self.scheduler = scheduler
    log = ObservationLog(scheduler)
  }

  /// The periods of observation, in the order of their starts.
  public var observations: [ObservationSpan] { log.spans }
}

extension ColdStream: StreamProtocol {
  /// A stream of the events, relative to the start of each observation.
  public var stream: EventStream<Element, Failure> {
    .unguarded { [events, scheduler, log] observer in
      log.enter(observer.observation)
      for entry in events {
        observer.observation.add(
          scheduler.schedule(after: entry.time) { observer.send(entry.event) })
      }
    }
  }
}
