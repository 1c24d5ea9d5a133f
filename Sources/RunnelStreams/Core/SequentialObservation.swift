/// The observation of streams one at a time: the implementation of `concat`, `catch`, `retry` and
/// `repeated`.
///
/// When a stream ends, it is torn down first; then `next` returns the stream that follows. A loop
/// runs streams that end at once. The last stream is observed in place of this object, which is
/// released (see ``EventStream/startTail(_:)``). Recursion in tail position therefore uses neither
/// stack nor memory (C9).
@usableFromInline
final class SequentialObservation<Element, Failure: Error> {
  @usableFromInline
  enum Step {
    /// A stream whose end is passed to `next`.
    case stream(EventStream<Element, Failure>)
    /// The last stream: its end is delivered to the observer.
    case last(EventStream<Element, Failure>)
  }

  @usableFromInline let observer: Observer<Element, Failure>
  /// The function that returns the next step; nil once the last stream is known.
  @usableFromInline @exclusivity(unchecked) var next: ((Termination<Failure>) -> Step?)?
  @usableFromInline let current = SerialDisposable()
  @usableFromInline @exclusivity(unchecked) var upcoming: Step?
  @usableFromInline @exclusivity(unchecked) var isLooping = false

  /// `next` returns the step that follows an end, or nil to deliver the end.
  @inlinable
  init(_ observer: Observer<Element, Failure>, next: @escaping (Termination<Failure>) -> Step?) {
    self.observer = observer
    self.next = next
    observer.observation.add(current)
  }

  /// Creates an observation that ends with the first failure. `next` returns the stream that follows a
  /// completion, or nil to deliver it.
  @inlinable
  convenience init(
    _ observer: Observer<Element, Failure>, untilFailure next: @escaping () -> Step?
  ) {
    self.init(observer) { end in
      if case .failed = end { return nil }
      return next()
    }
  }

  /// Observes a stream after the current one.
  @inlinable
  func begin(with step: Step) {
    upcoming = step
    guard !isLooping else { return }
    isLooping = true
    while observer.isActive, let step = upcoming.take() {
      switch step {
      case .stream(let stream): observe(stream)
      case .last(let stream):
        leave()
        stream.startTail(observer)
      }
    }
    isLooping = false
  }

  @inlinable
  func observe(_ stream: EventStream<Element, Failure>) {
    let child = Disposable()
    current.current = child
    stream.start(
      Observer(
        next: observer.onNext,
        end: { termination in
          guard child.beginEnding() else { return }
          if let following = self.next?(termination) {
            child.dispose()
            if self.observer.isActive { self.begin(with: following) }
          } else {
            self.observer.end(termination)
            child.dispose()
          }
        }, heldByEnd: child))
  }

  /// Hands the observation over to the last stream.
  @inlinable
  func leave() {
    observer.observation.detach(current)
    release(next.take())
  }
}
