/// Time, as the timed operators see it: a clock, and a way to be called at a time (C12).
///
/// `EventLoop` is one on real time, `TestScheduler` one on virtual time. A scheduler belongs to one
/// thread: it is used there, and calls back there.
public protocol Scheduler: AnyObject {
  /// The time since an origin of the scheduler's own. It never goes back.
  var now: Duration { get }

  /// Calls the action once, not before the deadline; actions of one deadline in the order they were
  /// scheduled. A deadline that has passed means as soon as possible.
  ///
  /// *Disposal*: disposing before the call means that it never comes, and releases the action.
  func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable
}

extension Scheduler {
  /// Calls the action once, after a delay. A negative delay counts as none.
  public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> Disposable {
    schedule(at: now.addingWithSaturation(max(delay, .zero)), action)
  }
}
