/// Has one follower do one thing after the other.
///
/// A closure of the user's, asked in the middle of a change, may send what changes the follower again,
/// or change the list that it follows. Half of what the follower knows would be of before and half of
/// after: it ends what it does first, and then begins anew.
@usableFromInline
final class Turns {
  @usableFromInline var isBusy = false
  @usableFromInline var isOutdated = false

  @inlinable
  init() {}

  /// Does something now; or, where something is being done, all of it anew when that is done.
  @inlinable
  func take(_ body: () -> Void, anew: () -> Void) {
    if isBusy {
      isOutdated = true
      return
    }
    isBusy = true
    body()
    while isOutdated {
      isOutdated = false
      anew()
    }
    isBusy = false
  }
}
