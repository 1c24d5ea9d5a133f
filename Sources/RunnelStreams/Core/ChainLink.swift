/// A link that splits a long chain of operators, so that releasing the chain does not recurse.
///
/// The closure of an operator retains its source, so releasing a chain of a million operators would
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
    ReleasedLinks.ofThisThread.release(stream.take() as Any)
  }
}

extension StreamProtocol {
  /// The stream as the source of an operator: behind a ``ChainLink`` if the chain is long.
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
    EventStream(run: run, steps: source.steps + 1)
  }
}
