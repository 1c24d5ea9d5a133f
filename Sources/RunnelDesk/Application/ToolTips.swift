import RunnelStreams

/// The tool tip of the view under the mouse, which is shown after the mouse has rested.
@MainActor
final class ToolTips {
  /// The time for which the mouse rests before a tool tip appears.
  static let delay = Duration.milliseconds(600)

  private weak var view: View?
  private var point = Point.zero
  private var isShown = false
  private var timer: Disposable?

  /// Handles an event of the mouse over a view, at a position on the screen.
  func mouse(_ event: MouseEvent, over target: View?, in application: Application) {
    guard event.action == .move, let owner = target?.toolTipOwner else {
      return hide(in: application)
    }
    if isShown && owner === view { return }
    hide(in: application)
    view = owner
    point = event.position
    timer = application.scheduler.schedule(after: Self.delay) { [weak self, weak application] in
      self?.isShown = true
      application?.needsDisplay()
    }
  }

  /// Hides the tool tip, for example because a key was pressed.
  func hide(in application: Application) {
    timer?.dispose()
    timer = nil
    view = nil
    if isShown { application.needsDisplay() }
    isShown = false
  }

  /// The text to show in front of a window, and the position of the mouse.
  func shown(in window: Window?) -> (text: String, point: Point)? {
    guard isShown, let view, let window, view.window === window, window.overlay == nil,
      window.view(at: point).map(view.contains) == true, let text = view.toolTip, !text.isEmpty
    else { return nil }
    return (text, point)
  }
}

extension Application {
  /// True when a view of the front window that is not hidden has a tool tip. The backend then reports
  /// the movements of the mouse.
  package var needsMouseMotion: Bool { keyWindow?.root.hasToolTip ?? false }
}

extension View {
  /// The view, or its nearest ancestor, with a tool tip; nil if there is none.
  var toolTipOwner: View? {
    sequence(first: self, next: \.superview).first { $0.toolTip != nil }
  }

  fileprivate var hasToolTip: Bool {
    !isHidden && (toolTip?.isEmpty == false || subviews.contains(where: \.hasToolTip))
  }
}
