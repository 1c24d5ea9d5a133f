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

  /// Observes a source on behalf of all. `willEnd` comes before the end is delivered.
  @inlinable
  func observe(
    _ source: EventStream<Element, Failure>, in connection: Disposable,
    willEnd: @escaping () -> Void
  ) {
    switch self {
    case .live(let subject):
      source.start(
        in: connection, next: { subject.next($0) },
        end: {
          willEnd()
          subject.end($0)
        })
    case .replaying(let replay):
      source.start(
        in: connection, next: { replay.next($0) },
        end: {
          willEnd()
          replay.end($0)
        })
    }
  }
}
