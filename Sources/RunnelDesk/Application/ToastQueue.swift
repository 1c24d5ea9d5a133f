import RunnelStreams

/// The toast that is shown, and those that wait.
@MainActor
package final class ToastQueue {
  private var toasts: [Toast] = []
  private var end: Disposable?
  private let scheduler: any Scheduler
  private let changed: @MainActor () -> Void

  /// The cells of the screen on which the current toast was drawn last.
  package var frame = Rect.zero

  init(_ scheduler: any Scheduler, changed: @escaping @MainActor () -> Void) {
    self.scheduler = scheduler
    self.changed = changed
  }

  /// The toast that is shown.
  var current: Toast? { toasts.first }

  func add(_ toast: Toast) {
    if toast.queue != nil { return }
    toast.queue = self
    toasts.append(toast)
    if toasts.count == 1 { begin() }
  }

  func remove(_ toast: Toast) {
    guard let index = toasts.firstIndex(where: { $0 === toast }) else { return }
    toast.queue = nil
    toasts.remove(at: index)
    if index == 0 { begin() }
  }

  func removeAll() {
    for toast in toasts { toast.queue = nil }
    toasts = []
    begin()
  }

  /// Shows the first toast for its time.
  private func begin() {
    end?.dispose()
    end = nil
    frame = .zero
    changed()
    guard let current else { return }
    end = scheduler.schedule(after: current.duration) { [weak self, weak current] in
      if let current { self?.remove(current) }
    }
  }

  // MARK: - Keys and mouse

  /// Performs the action of the current toast if this is its key.
  func keyDown(_ press: KeyPress) -> Bool {
    guard let current, current.key == press else { return false }
    return current.performAction()
  }

  /// Performs the action of the current toast, or hides it, if it was pressed with the left button.
  func mouse(_ event: MouseEvent) -> Bool {
    guard event.action == .press(.left), let current, frame.contains(event.position) else {
      return false
    }
    if !current.performAction() { current.dismiss() }
    return true
  }
}
