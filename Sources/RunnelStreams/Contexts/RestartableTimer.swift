/// One call that is due, on a scheduler: setting it again replaces the call before.
///
/// That holds also where the scheduler calls at once, while the alarm is being set.
public final class RestartableTimer: Teardown {
  private let scheduler: any Scheduler
  private let pending = SerialDisposable()

  /// An alarm that is not set.
  public init(on scheduler: any Scheduler) {
    self.scheduler = scheduler
  }

  /// The time on the alarm's scheduler.
  public var now: Duration { scheduler.now }

  /// Sets the alarm to go off after a delay.
  public func set(after delay: Duration, _ action: @escaping () -> Void) {
    set(at: scheduler.now.addingWithSaturation(max(delay, .zero)), action)
  }

  /// Sets the alarm to go off at a time of the scheduler. The longest duration there is stands for
  /// never, and so does a delay that would lead past it.
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

  /// Takes back the call that is due, if there is one.
  public func cancel() {
    pending.current = nil
  }

  /// Cancels it for good.
  public func tearDown() {
    pending.dispose()
  }
}
