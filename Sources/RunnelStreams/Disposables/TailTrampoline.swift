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
    release(postponed.take())
  }
}
