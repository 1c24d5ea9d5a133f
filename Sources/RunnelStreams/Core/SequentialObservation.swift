/// Observes streams one at a time, each after the end of the one before: the engine of `concat`,
/// `catch`, `retry` and `repeated`.
///
/// When a stream ends, it is torn down first; then `next` is asked for the stream that follows.
/// Streams that end at once are run by a loop. The last stream is observed in place of the
/// succession, which is released (see ``EventStream/startTail(_:)``): so recursion in tail position
/// takes neither stack nor memory (C9).
@usableFromInline
final class SequentialObservation<Element, Failure: Error> {
  @usableFromInline
  enum Step {
    /// A stream whose end is followed by another question to `next`.
    case stream(EventStream<Element, Failure>)
    /// A stream whose end is the end of the whole.
    case last(EventStream<Element, Failure>)
  }

  @usableFromInline let observer: Observer<Element, Failure>
  /// Nil once the last stream is known.
  @usableFromInline @exclusivity(unchecked) var next: ((Termination<Failure>) -> Step?)?
  @usableFromInline let current = SerialDisposable()
  @usableFromInline @exclusivity(unchecked) var upcoming: Step?
  @usableFromInline @exclusivity(unchecked) var isLooping = false

  /// `next` names the stream that follows an end, or nil where the end is to be delivered.
  @inlinable
  init(_ observer: Observer<Element, Failure>, next: @escaping (Termination<Failure>) -> Step?) {
    self.observer = observer
    self.next = next
    observer.observation.add(current)
  }

  /// Observes a stream, after the one that runs.
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

  /// Leaves the observation to the last stream.
  @inlinable
  func leave() {
    observer.observation.detach(current)
    let finished = next.take()
    withExtendedLifetime(finished) {}
  }
}
