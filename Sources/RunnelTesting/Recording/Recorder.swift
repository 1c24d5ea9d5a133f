import RunnelStreams

/// An event and when it happened.
public struct Timed<Event> {
  /// The time on the scheduler of the test.
  public let time: Duration
  /// What happened.
  public let event: Event

  /// An event at a time.
  public init(_ time: Duration, _ event: Event) {
    self.time = time
    self.event = event
  }
}

extension Timed: Equatable where Event: Equatable {}

extension Timed: CustomStringConvertible {
  /// `next(1) @ 3.0 seconds`.
  public var description: String { "\(event) @ \(time)" }
}

/// Observes a stream and writes down what happens, and when.
///
///     let recorder = scheduler.record(names)
///     names.next("Jim")
///     #expect(recorder.elements == ["Jim"])
public final class Recorder<Element, Failure: Error> {
  private let scheduler: TestScheduler?
  private var observation = Disposable.none

  /// All events with their times; zero where there is no scheduler.
  public private(set) var timedEvents: [Timed<StreamEvent<Element, Failure>>] = []

  /// Observes a stream.
  public init(_ stream: some StreamProtocol<Element, Failure>, on scheduler: TestScheduler? = nil) {
    self.scheduler = scheduler
    observation = stream.observe { [weak self] event in
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

  /// Ends the observation.
  public func dispose() {
    observation.dispose()
  }

  /// Forgets what was written down.
  public func clear() {
    timedEvents = []
  }
}

extension StreamProtocol {
  /// Observes the stream and writes down what happens.
  public func record() -> Recorder<Element, Failure> {
    Recorder(self)
  }
}

extension TestScheduler {
  /// Observes a stream and writes down what happens and when.
  public func record<Element, Failure>(
    _ stream: some StreamProtocol<Element, Failure>
  ) -> Recorder<Element, Failure> {
    Recorder(stream, on: self)
  }
}
