/// A gate that lets a follower handle one event at a time.
///
/// During a change, a closure of the user may trigger another event of the follower or change the
/// source. Handling it at once would mix old and new state. The gate lets the current event finish,
/// and then makes the follower start over from the latest list.
@usableFromInline
final class ReentrancyGate<Element> {
  @usableFromInline var isBusy = false
  @usableFromInline var isOutdated = false
  /// The latest list of the source while the gate is busy. It is not stored longer, because a
  /// stored copy would make each change of the source copy a path.
  @usableFromInline var latest: SharedArray<Element>?

  @inlinable
  init() {}

  /// Runs `body`, or if the gate is busy, runs `restart` when the current event is finished. `restart`
  /// receives the latest list, or nil if no event had one.
  @inlinable
  func take(
    _ list: SharedArray<Element>?, _ body: () -> Void, restart: (SharedArray<Element>?) -> Void
  ) {
    if let list { latest = list }
    if isBusy {
      isOutdated = true
      return
    }
    isBusy = true
    body()
    while isOutdated {
      isOutdated = false
      restart(latest)
    }
    isBusy = false
    latest = nil
  }
}
