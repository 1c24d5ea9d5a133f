/// Has one follower do one thing after the other.
///
/// A closure of the user's, asked in the middle of a change, may send what changes the follower again,
/// or change the list that it follows. Half of what the follower knows would be of before and half of
/// after: it ends what it does first, and then begins anew.
@usableFromInline
final class ReentrancyGate<Element> {
  @usableFromInline var isBusy = false
  @usableFromInline var isOutdated = false
  /// The list that is followed, as it came with the latest of what is being done. It is kept no longer
  /// than that, or each change of the list would copy a path.
  @usableFromInline var latest: SharedArray<Element>?

  @inlinable
  init() {}

  /// Does something now; or, where something is being done, all of it anew when that is done. `anew`
  /// gets the list, if any of what was done came with one.
  @inlinable
  func take(
    _ list: SharedArray<Element>?, _ body: () -> Void, anew: (SharedArray<Element>?) -> Void
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
      anew(latest)
    }
    isBusy = false
    latest = nil
  }
}
