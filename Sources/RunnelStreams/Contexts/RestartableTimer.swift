/// A timer with at most one pending call. Setting it again replaces that call.
///
/// This also holds if the scheduler calls immediately, while the timer is being set.
public final class RestartableTimer: Teardown {
  private let scheduler: any Scheduler
  private let pending = SerialDisposable()

  /// Creates a timer that is not set.
  public init(on scheduler: any Scheduler) {
    self.scheduler = scheduler
  }

  /// The current time of the scheduler.
  public var now: Duration { scheduler.now }

  /// Sets the timer to fire after a delay.
  public func set(after delay: Duration, _ action: @escaping () -> Void) {
    set(at: scheduler.now.plus(max(delay, .zero)), action)
  }

  /// Sets the timer to fire at a time of the scheduler. The longest `Duration` means never, and so
  /// does a delay that would exceed it.
  public func set(at deadline: Duration, _ action: @escaping () -> Void) {
    guard !pending.isDisposed else { return }
    guard deadline < .longest else { return cancel() }
    let call = Disposable()
    pending.current = call
    call.add(
      scheduler.schedule(at: deadline) {
        call.dispose()
        action()
      })
  }

  /// Cancels the pending call, if there is one.
  public func cancel() {
    pending.current = nil
  }

  /// Cancels the pending call, and ignores later calls of `set`.
  public func tearDown() {
    pending.dispose()
  }
}
