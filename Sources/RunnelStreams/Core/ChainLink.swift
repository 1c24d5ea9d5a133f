/// A link that splits a long chain of operators, so that releasing the chain does not recurse.
///
/// The closure of an operator retains its sources, so releasing a chain of a million operators would
/// nest a million calls. A link holds the source once every 256 operators. A link that is released
/// while another one is being released waits until that release has returned.
@usableFromInline
final class ChainLink<Element, Failure: Error> {
  private var stream: EventStream<Element, Failure>?

  init(to stream: EventStream<Element, Failure>) {
    self.stream = stream
  }

  func start(_ observer: Observer<Element, Failure>) {
    stream?.run(observer)
  }

  deinit {
    // Passed without a local variable, which would retain the stream until the release returns.
    ReleaseQueue.ofThisThread.release(stream.take() as Any)
  }
}

extension StreamProtocol {
  /// The stream as a source of an operator: behind a ``ChainLink`` if the chain is long.
  @inlinable
  var link: EventStream<Element, Failure> {
    let stream = stream
    return stream.steps < 256 ? stream : stream.linked
  }
}

extension EventStream {
  @usableFromInline
  var linked: EventStream {
    let link = ChainLink(to: self)
    return EventStream(run: { link.start($0) })
  }

  /// Creates the stream of an operator, without the checks of ``init(_:)``.
  @inlinable
  static func unguarded<Input, InputFailure>(
    after source: EventStream<Input, InputFailure>,
    _ run: @escaping (Observer<Element, Failure>) -> Void
  ) -> EventStream {
    unguarded(afterSteps: source.steps, run)
  }

  /// Creates the stream of an operator with two sources.
  @inlinable
  static func unguarded<Input, InputFailure, Other, OtherFailure>(
    after source: EventStream<Input, InputFailure>, and other: EventStream<Other, OtherFailure>,
    _ run: @escaping (Observer<Element, Failure>) -> Void
  ) -> EventStream {
    unguarded(afterSteps: max(source.steps, other.steps), run)
  }

  /// Creates the stream of an operator whose sources have at most the given number of steps.
  @inlinable
  static func unguarded(
    afterSteps steps: Int, _ run: @escaping (Observer<Element, Failure>) -> Void
  ) -> EventStream {
    EventStream(run: run, steps: steps + 1)
  }
}

extension Sequence {
  /// The streams of an array as sources of an operator, or nil for another sequence, which is read
  /// each time that the operator is observed.
  @inlinable
  func links<Part, Failure>() -> [EventStream<Part, Failure>]?
  where Element == EventStream<Part, Failure> {
    withContiguousStorageIfAvailable { $0.map(\.link) }
  }
}

extension Array where Element: StreamProtocol {
  @inlinable
  var mostSteps: Int { reduce(0) { Swift.max($0, $1.stream.steps) } }
}
