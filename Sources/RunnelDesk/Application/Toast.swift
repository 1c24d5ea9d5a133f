import RunnelStreams

/// A short message above the windows that vanishes after a while, with an optional action.
///
///     let toast = Toast("Note deleted", action: "Undo")
///     toast.rx.action.observeNext { print("restored") }
///     application.show(toast)
///
/// It does not take the focus. Its key or a click performs the action; a click on a message without
/// an action hides it. Further toasts wait until the current one has vanished.
@MainActor
public final class Toast: LifetimeOwner {
  /// The lifetime of the toast, for `rx.deallocated()`.
  public let lifetime = Lifetime()

  /// The message.
  public let message: String
  /// The title of the action; nil for none.
  public let action: String?
  /// The key that performs the action while the toast is shown; nil for none.
  public let key: KeyPress?
  /// The time for which the toast is shown, measured by the application's scheduler.
  public let duration: Duration

  let actions = PushStream<Void>()
  /// The queue that contains the toast while it is shown or waits.
  weak var queue: ToastQueue?

  /// Creates a message. The key is named as in "alt+a"; an invalid name traps.
  public init(
    _ message: String, action: String? = nil, key: String = "alt+a",
    duration: Duration = .seconds(4)
  ) {
    self.message = message
    self.action = action
    self.key = action == nil ? nil : KeyPress(named: key)
    self.duration = duration
  }

  /// Performs the action, as the user does, and hides the toast. Returns false if it is not shown or
  /// has no action.
  @discardableResult
  public func performAction() -> Bool {
    guard action != nil, let queue, queue.current === self else { return false }
    queue.remove(self)
    actions.next(())
    return true
  }

  /// Hides the toast, or removes it from the queue.
  public func dismiss() { queue?.remove(self) }
}

extension Reactive where Base: Toast {
  /// Sends an element when the user performs the action.
  @MainActor public var action: ControlEvent<Void> { ControlEvent(base.actions, of: base) }
}

extension Application {
  /// Shows a toast, after those that are shown or wait already.
  public func show(_ toast: Toast) {
    if !isTerminated { toasts.add(toast) }
  }

  /// The toast that is shown now, if any. A backend with native widgets shows it after
  /// ``Backend/needsDisplay()``.
  public var toast: Toast? { toasts.current }

  /// Shows the key that quits, unless a toast is shown already.
  func explainQuitting() {
    if let quitHint, toast == nil { show(Toast(quitHint)) }
  }
}
