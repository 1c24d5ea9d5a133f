/// A place in a long chain of streams where releasing the chain does not recurse.
///
/// The closure of an operator holds its source, so releasing a chain of a million operators would
/// nest as many calls. Every few hundred operators the source is held by a link. Links that are
/// released within the release of another one wait until that has returned.
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
    // Handed over without a name: a variable would hold it until the release has returned.
    ReleasedLinks.ofThisThread.release(stream.take() as Any)
  }
}

extension StreamProtocol {
  /// This stream as the source of an operator.
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

  /// Makes the stream of an operator without the guard of ``init(_:)``.
  @inlinable
  static func unguarded<Input, InputFailure>(
    after source: EventStream<Input, InputFailure>,
    _ run: @escaping (Observer<Element, Failure>) -> Void
  ) -> EventStream {
    EventStream(run: run, steps: source.steps + 1)
  }
}
