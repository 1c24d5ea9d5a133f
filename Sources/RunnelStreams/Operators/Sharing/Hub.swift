/// What stands between one observation of a source and the many who share it.
@usableFromInline
enum Hub<Element, Failure: Error> {
  /// Late observers get what comes from then on.
  case live(Subject<Element, Failure>)
  /// Late observers get what they missed, as far as it is kept.
  case replaying(ReplayStream<Element, Failure>)

  /// A hub that keeps so many elements.
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

  /// Observes a source on behalf of all. `willEnd` comes before the end is delivered; a failure that
  /// there is nobody to tell is reported, with the place of the connection.
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
