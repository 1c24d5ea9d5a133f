import RunnelStreams

/// Observes a stream and writes down what happens, and when.
///
///     let recorder = scheduler.record(names)
///     names.next("Jim")
///     #expect(recorder.elements == ["Jim"])
///
/// *Disposal*: letting go of a recorder does not end its observation; ``dispose()`` does.
public final class Recorder<Element, Failure: Error> {
  private let scheduler: TestScheduler?
  private var observation = Disposable.none

  /// All events with their times; zero where there is no scheduler.
  public private(set) var timedEvents: [Timed<StreamEvent<Element, Failure>>] = []

  /// When the observation began.
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

  /// How the stream ended, if it has.
  public var termination: Termination<Failure>? { timedEvents.last?.event.termination }

  /// Whether the stream has completed.
  public var isCompleted: Bool {
    if case .completed = termination { true } else { false }
  }

  /// The error that the stream failed with, if it has.
  public var failure: Failure? {
    if case .failed(let error) = termination { error } else { nil }
  }

  /// The length of a frame in ``marbles``.
  var tick: Duration { scheduler?.tick ?? .seconds(1) }

  /// Ends the observation.
  public func dispose() {
    observation.dispose()
  }

  /// Forgets what was written down.
  public func clear() {
    timedEvents = []
  }
}

extension StreamConvertible {
  /// Observes the stream and writes down what happens.
  public func record() -> Recorder<Element, Failure> {
    Recorder(self)
  }
}

extension TestScheduler {
  /// Observes a stream and writes down what happens and when.
  public func record<Element, Failure>(
    _ stream: some StreamConvertible<Element, Failure>
  ) -> Recorder<Element, Failure> {
    Recorder(stream, on: self)
  }
}
