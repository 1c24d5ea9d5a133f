import RunnelStreams

/// An observer that records the events of a stream and their times.
///
///     let recorder = scheduler.record(names)
///     names.next("Jim")
///     #expect(recorder.elements == ["Jim"])
///
/// *Disposal*: releasing a recorder does not end its observation; ``dispose()`` does.
public final class Recorder<Element, Failure: Error> {
  private let scheduler: TestScheduler?
  private var observation = Disposable.none

  /// The events with their times, which are zero without a scheduler.
  public private(set) var timedEvents: [Timed<StreamEvent<Element, Failure>>] = []

  /// The time at which the observation started.
  public let observedAt: Duration

  /// Observes a stream.
  public init(
    _ stream: some StreamConvertible<Element, Failure>, on scheduler: TestScheduler? = nil
  ) {
    self.scheduler = scheduler
    observedAt = scheduler?.now ?? .zero
    observation = stream.stream.observe { [weak self] event in
      self?.timedEvents.append(Timed(scheduler?.now ?? .zero, event))
    }
  }

  /// The events without their times.
  public var events: [StreamEvent<Element, Failure>] { timedEvents.map(\.event) }

  /// The elements.
  public var elements: [Element] { timedEvents.compactMap { $0.event.element } }

  /// The recorded end, or nil if none was recorded since the last ``clear()``.
  public var termination: Termination<Failure>? { timedEvents.last?.event.termination }

  /// True when the stream has completed.
  public var isCompleted: Bool {
    if case .completed = termination { true } else { false }
  }

  /// The error with which the stream failed, or nil.
  public var failure: Failure? {
    if case .failed(let error) = termination { error } else { nil }
  }

  /// The length of a frame in ``marbles``.
  var tick: Duration { scheduler?.tick ?? .seconds(1) }

  /// Ends the observation.
  public func dispose() {
    observation.dispose()
  }

  /// Discards the recorded events.
  public func clear() {
    timedEvents = []
  }
}

extension StreamConvertible {
  /// Observes the stream and records its events.
  public func record() -> Recorder<Element, Failure> {
    Recorder(self)
  }
}

extension TestScheduler {
  /// Observes a stream and records its events with their times.
  public func record<Element, Failure>(
    _ stream: some StreamConvertible<Element, Failure>
  ) -> Recorder<Element, Failure> {
    Recorder(stream, on: self)
  }
}
