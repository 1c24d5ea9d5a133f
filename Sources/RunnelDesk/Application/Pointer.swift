import RunnelStreams

/// What the mouse does to views: which one hears of it, and the how-manieth click it is.
@MainActor
struct Pointer {
  /// The view that a button went down in: it hears of all until the button goes up.
  private weak var captor: View?
  private var lastPress: (place: Point, button: MouseEvent.Button, time: Duration, count: Int)?

  /// How long it may take from one click to the next of a double one.
  private static let doubleClickTime = Duration.milliseconds(400)

  /// A window goes: nothing in it has the mouse any more.
  mutating func forget(_ window: Window) {
    if captor?.window === window { captor = nil }
  }

  mutating func handle(_ event: MouseEvent, in application: Application) {
    guard let window = application.keyWindow else { return }
    switch event.action {
    case .press(let button):
      let clicks = count(button, at: event.position, now: application.scheduler.now)
      let target = window.view(at: event.position)
      captor = target
      guard let target, window.focus(for: target) else { return }
      Self.deliver(event, to: target, clicks: clicks)
    case .drag, .release:
      let target = captor ?? window.view(at: event.position)
      if case .release = event.action { captor = nil }
      if let target { Self.deliver(event, to: target, clicks: lastPress?.count ?? 1) }
    case .move, .wheel:
      if let target = window.view(at: event.position) {
        Self.deliver(event, to: target, clicks: 0)
      }
    }
  }

  private mutating func count(
    _ button: MouseEvent.Button, at place: Point, now: Duration
  ) -> Int {
    var count = 1
    if let last = lastPress, last.place == place, last.button == button,
      now - last.time <= Self.doubleClickTime
    {
      count = last.count + 1
    }
    lastPress = (place, button, now, count)
    return count
  }

  /// Tells a view, and what it is in, until one of them has use for it.
  private static func deliver(_ event: MouseEvent, to view: View, clicks: Int) {
    for view in sequence(first: view, next: \.superview) {
      let frame = view.frameInWindow
      var inside = event
      inside.position = Point(
        x: event.position.x - frame.minX, y: event.position.y - frame.minY)
      if view.mouse(inside, clicks: clicks) { return }
    }
  }
}
