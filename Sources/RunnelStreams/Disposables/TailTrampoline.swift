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
