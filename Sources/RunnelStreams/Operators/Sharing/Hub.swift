/// The subject between one observation of a source and its observers.
@usableFromInline
enum Hub<Element, Failure: Error> {
  /// A late observer receives only new elements.
  case live(Subject<Element, Failure>)
  /// A late observer receives the replayed elements first.
  case replaying(ReplayStream<Element, Failure>)

  /// Creates a hub that replays up to `count` elements.
  @inlinable
  init(replay count: Int) {
    self = count == 0 ? .live(Subject()) : .replaying(ReplayStream(capacity: count))
  }

  @inlinable
  var hasEnded: Bool {
    switch self {
    case .live(let subject): subject.ending != nil
    case .replaying(let replay): replay.subject.ending != nil
    }
  }

  @inlinable
  func add(_ observer: Observer<Element, Failure>) {
    switch self {
    case .live(let subject): subject.add(observer)
    case .replaying(let replay): replay.add(observer)
    }
  }

  /// Observes a source for all observers. `willEnd` is called before the end is delivered. A
  /// failure without observers is reported with the source location of the connection.
  @inlinable
  func observe(
    _ source: EventStream<Element, Failure>, in connection: Disposable,
    from location: SourceLocation, willEnd: @escaping () -> Void
  ) {
    let end = { (termination: Termination<Failure>) in
      willEnd()
      self.end(termination, from: location)
    }
    switch self {
    case .live(let subject):
      source.start(in: connection, next: { subject.next($0) }, end: end)
    case .replaying(let replay):
      source.start(in: connection, next: { replay.next($0) }, end: end)
    }
  }

  @inlinable
  func end(_ termination: Termination<Failure>, from location: SourceLocation) {
    let subject =
      switch self {
      case .live(let subject): subject
      case .replaying(let replay): replay.subject
      }
    if case .failed(let error) = termination, !subject.isObserved {
      Hooks.report(error, observedAt: location)
    }
    subject.end(termination)
  }
}
