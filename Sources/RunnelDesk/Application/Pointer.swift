import RunnelStreams

/// The state of the mouse, which routes events to views and counts clicks.
@MainActor
final class Pointer {
  /// The view in which a button was pressed. It receives all events until the button is released.
  private weak var captor: View?
  private var lastPress: Press?

  private struct Press {
    weak var view: View?
    let place: Point
    let button: MouseEvent.Button
    let time: Duration
    let count: Int
  }

  /// The longest time between two clicks of a double click.
  private static let doubleClickTime = Duration.milliseconds(400)

  /// Handles an event over a view; nil if there is none.
  func handle(_ event: MouseEvent, over found: View?, in application: Application) {
    guard let window = application.keyWindow else { return }
    switch event.action {
    case .press(let button):
      captor = nil
      guard let view = found else { return lastPress = nil }
      let now = application.scheduler.now
      let count = count(button, at: event.position, in: view, now: now)
      lastPress = Press(
        view: view, place: event.position, button: button, time: now, count: count)
      guard view.isAvailable, window.focus(for: view) else { return }
      captor = view
      deliver(event, to: view, of: window, clicks: count)
    case .drag, .release:
      // The button was not pressed in a view.
      guard let view = captor else { return }
      if case .release = event.action { captor = nil }
      deliver(event, to: view, of: window, clicks: lastPress?.count ?? 1)
    case .move, .wheel:
      guard let view = found else { return }
      deliver(event, to: view, of: window, clicks: 0)
    }
  }

  private func count(
    _ button: MouseEvent.Button, at place: Point, in view: View, now: Duration
  ) -> Int {
    guard let last = lastPress, last.view === view, last.place == place, last.button == button,
      now - last.time <= Self.doubleClickTime
    else { return 1 }
    return last.count + 1
  }

  /// Delivers an event to a view and then to its ancestors until one of them handles it. Does
  /// nothing if the view has been removed, or another window was shown, since the button was
  /// pressed.
  private func deliver(_ event: MouseEvent, to view: View, of window: Window, clicks: Int) {
    guard view.window === window, window.isKey, view.isAvailable else { return }
    for view in sequence(first: view, next: \.superview) {
      let frame = view.frameInWindow
      var inside = event
      inside.position = Point(
        x: event.position.x.minus(frame.minX), y: event.position.y.minus(frame.minY))
      if view.mouse(inside, clicks: clicks) { return }
    }
    guard event.action == .press(.right), view.window === window else { return }
    let frame = view.frameInWindow
    view.openContextMenu(
      at: Point(x: event.position.x.minus(frame.minX), y: event.position.y.minus(frame.minY)))
  }
}
