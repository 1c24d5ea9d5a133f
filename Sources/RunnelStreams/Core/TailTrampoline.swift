/// The loop that starts the last streams of one observation, one after the other.
///
/// The last stream of a `concat` may itself be a `concat`, a million levels deep. Each of them ends
/// within the call that started it, so starting the next one there would nest the calls. Instead,
/// only the outermost call runs a loop; the others postpone their last stream and return.
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

  /// Drops the postponed stream, because its observation is over.
  @usableFromInline
  func tearDown() {
    let dropped = postponed.take()
    withExtendedLifetime(dropped) {}
  }
}

extension EventStream {
  /// Starts the stream as the last step of starting another one, in the same observation.
  ///
  /// If the other stream was itself started by this method, this one starts when the calls between
  /// them have returned. All of these calls start their source as their last statement.
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
