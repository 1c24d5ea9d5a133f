/// The loop that starts the last streams of one observation, one after the other.
///
/// Suppose that the last stream of a `concat` is itself a `concat`, and so on a million times. Each
/// of them ends within the call that started it. If each started the next one, the calls would nest.
/// Instead, only the outermost runs a loop. The others put their last stream aside for it and return.
@usableFromInline
final class TailTrampoline: Teardown {
  @usableFromInline @exclusivity(unchecked) var postponed: (() -> Void)?

  @inlinable
  init() {}

  @inlinable
  func postpone(_ start: @escaping () -> Void) { postponed = start }

  @inlinable
  func runPostponed() {
    while let start = postponed.take() { start() }
  }

  /// Drops the stream that was put aside: its observation is over.
  @usableFromInline
  func tearDown() {
    let dropped = postponed.take()
    withExtendedLifetime(dropped) {}
  }
}

extension EventStream {
  /// Starts the stream as the last step of starting another one, with the same observation.
  ///
  /// Where that other stream was itself started by this method, this one starts when the calls
  /// between both have returned. They all start their source as the last thing that they do.
  @inlinable
  func startTail(_ observer: Observer<Element, Failure>) {
    let observation = observer.observation
    if observation.postponesTailStart, let running = observation.tailTrampoline {
      return running.postpone { self.start(observer) }
    }
    let loop = TailTrampoline()
    observation.add(loop)
    observation.postponesTailStart = true
    start(observer)
    loop.runPostponed()
    observation.postponesTailStart = false
    observation.detach(loop)
  }
}
