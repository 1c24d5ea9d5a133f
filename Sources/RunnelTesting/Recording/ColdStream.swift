import RunnelStreams

/// A test stream whose events happen anew for each observer, at times from its observation on (C6).
///
///     let page = scheduler.cold("-a-|")
///     let recorder = scheduler.record(page.append(page.stream))
///     scheduler.run()
///     #expect(recorder.marbles == "-a--a-|")
///     #expect(page.observations.map(\.from) == [.zero, .seconds(3)])
///
/// *Timing*: an event of frame 0 happens when the clock is next advanced, even by zero, and not
/// within the observation itself. Observed from within an action, it happens in the same moment.
public final class ColdStream<Element, Failure: Error> {
  private let events: [Timed<StreamEvent<Element, Failure>>]
  private let scheduler: TestScheduler
  private let log: ObservationLog

  /// A stream of events at times that count from the observation.
  public init(_ events: [Timed<StreamEvent<Element, Failure>>], on scheduler: TestScheduler) {
    self.events = events
    self.scheduler = scheduler
    log = ObservationLog(scheduler)
  }

  /// When it was observed, in the order in which the observations began.
  public var observations: [ObservationSpan] { log.spans }
}

extension ColdStream: StreamProtocol {
  /// The events, from each observation on.
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
