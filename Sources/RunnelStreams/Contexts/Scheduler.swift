/// A clock that can call an action at a given time. All timed operators use one (C12).
///
/// `EventLoop` is a scheduler in real time, `TestScheduler` one in virtual time. A scheduler
/// belongs to one thread: it is used on that thread, and calls its actions there.
public protocol Scheduler: AnyObject {
  /// The time since an origin that the scheduler chooses. It never decreases.
  var now: Duration { get }

  /// Calls an action once, not before its deadline. Actions with equal deadlines run in the order
  /// in which they were scheduled. A deadline in the past means as soon as possible.
  ///
  /// *Disposal*: cancels the call and releases the action.
  func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable
}

extension Scheduler {
  /// Calls an action once, after a delay. A negative delay counts as zero.
  public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> Disposable {
    schedule(at: now.plus(max(delay, .zero)), action)
  }
}
