/// Observes streams one at a time, each after the end of the one before: the engine of `concat`,
/// `catch`, `retry` and `repeating`.
///
/// When a stream ends, it is torn down first; then `next` is asked what follows. Where nothing
/// does, the end is delivered. Streams that end at once are run by a loop, not by recursion.
final class Succession<Element, Failure: Error> {
  private let observer: Observer<Element, Failure>
  private let next: (Termination<Failure>) -> EventStream<Element, Failure>?
  private let current = SerialDisposable()
  private var upcoming: EventStream<Element, Failure>?
  private var isLooping = false

  /// `next` names the stream that follows an end, or nil where that is the end of all.
  init(
    _ observer: Observer<Element, Failure>,
    next: @escaping (Termination<Failure>) -> EventStream<Element, Failure>?
  ) {
    self.observer = observer
    self.next = next
    observer.observation.add(current)
  }

  /// Observes a stream, after the one that runs.
  func begin(with stream: EventStream<Element, Failure>) {
    upcoming = stream
    guard !isLooping else { return }
    isLooping = true
    while observer.isActive, let stream = upcoming {
      upcoming = nil
      observe(stream)
    }
    isLooping = false
  }

  private func observe(_ stream: EventStream<Element, Failure>) {
    let child = Disposable()
    current.current = child
    stream.start(
      Observer(
        next: observer.onNext,
        end: { termination in
          guard child.beginEnding() else { return }
          if let following = self.next(termination) {
            child.dispose()
            if self.observer.isActive { self.begin(with: following) }
          } else {
            self.observer.end(termination)
            child.dispose()
          }
        }, heldByEnd: child))
  }
}
