#if GTK
import CGTK
import RunnelDesk
import RunnelStreams

/// The keyboard and mouse of one window.
///
/// Keys that type text into a text control go to its native widget, which may compose it. All other
/// keys go to the application, as on every backend. A native widget handles the left button of the
/// mouse, and a native text also the other buttons: they paste, and open a menu unless the application
/// has its own. Other views get the events in cells.
@MainActor
final class WindowInput {
  private unowned let mirror: WindowMirror
  private let signals = Signals()
  private var pressed: Press?
  private var wheel = (x: 0.0, y: 0.0)
  private var last: MouseTarget?
  private var lastPlace = (x: -1.0, y: -1.0)
  /// A press of a script on a native widget.
  private var nativePress: MouseEvent?

  init(_ mirror: WindowMirror) {
    self.mirror = mirror
  }

  /// A button that is held.
  private struct Press {
    let button: MouseEvent.Button
    /// The mirror of the view that it was pressed on.
    weak var mirror: ViewMirror?
    let x: Double
    let y: Double
    var isDragging = false

    /// The distance in pixels above which a movement is not one of an unsteady hand.
    private static let threshold = 4.0

    /// Returns true if the mouse has moved far enough once.
    mutating func drags(to x: Double, _ y: Double) -> Bool {
      if max(abs(x - self.x), abs(y - self.y)) >= Self.threshold { isDragging = true }
      return isDragging
    }
  }

  private var application: Application? { mirror.backend.application }

  /// Handles the keys of the window, or of a popover with the focus. `signals` belong to the widget.
  func connectKeys(to widget: Widget, _ signals: Signals) {
    let keys = made(gtk_event_controller_key_new())
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
    signals.answer(keys, "key-pressed") { [weak self] arguments in
      guard let self else { return false }
      // The key may close the window.
      return withExtendedLifetime(mirror) {
        keyPressed(keyval: arguments.uint(1), state: arguments.flags(3))
      }
    }
    gtk_widget_add_controller(widget, keys)
  }

  func connect() { connectKeys(to: mirror.widget, signals) }

  /// Handles the events of the mouse over the content of the window, or over a view elsewhere.
  func connectMouse(to widget: Widget) {
    let mouse = made(gtk_event_controller_legacy_new())
    gtk_event_controller_set_propagation_phase(mouse, GTK_PHASE_CAPTURE)
    signals.answer(mouse, "event") { [weak self] arguments in
      // Safety: the event is valid during the signal.
      guard let self, let event = arguments.event(1) else { return false }
      return withExtendedLifetime(mirror) { handle(event) }
    }
    gtk_widget_add_controller(widget, mouse)
  }

  func end() {
    signals.disconnectAll()
    (pressed, last) = (nil, nil)
  }

  // MARK: - Keys

  private func keyPressed(keyval: Int, state: UInt32) -> Bool {
    guard let application, mirror.window.isKey, mirror.header?.isOpen != true,
      let press = KeyPress(keyval: keyval, state: state)
    else { return false }
    let focused = mirror.focused
    if focused?.isComposing == true { return false }
    if press.text != nil, focused?.takesText == true { return false }
    return send(press, to: application)
  }

  /// Delivers a key press that the native widget does not handle. Returns true if it was handled.
  private func send(_ press: KeyPress, to application: Application) -> Bool {
    let isHandled = application.handleKey(press) || performDesktopKey(press)
    // The user of the keyboard sees which widget has the focus.
    gtk_window_set_focus_visible(cast(mirror.widget), 1)
    mirror.backend.needsDisplay()
    return isHandled
  }

  /// Handles a key of the desktop that the application does not use. Returns true if it was handled.
  private func performDesktopKey(_ press: KeyPress) -> Bool {
    if press == mirror.window.menuBar?.openKey, mirror.header?.open() == true { return true }
    // A menu that is open has used all other keys.
    if Self.helpKeys.contains(press) { return mirror.window.showShortcuts() }
    if let zoom = Self.zoomKeys.first(where: { $0.keys.contains(press) }) {
      Appearance.zoom(to: zoom.scale.map { $0 * Appearance.zoom } ?? 1)
      return true
    }
    if press == Self.fullScreenKey {
      if Bool(gtk_window_is_fullscreen(cast(mirror.widget))) {
        gtk_window_unfullscreen(cast(mirror.widget))
      } else {
        gtk_window_fullscreen(cast(mirror.widget))
      }
      return true
    }
    if press == Self.closeKey { mirror.window.close() }
    return press == Self.closeKey
  }

  /// The keys of the desktop that change the size of texts: the factor, or nil for the usual size.
  private static let zoomKeys: [(keys: [KeyPress], scale: Double?)] = [
    (["ctrl+plus", "ctrl+shift+plus", "ctrl+="].compactMap { KeyPress($0) }, 1.1),
    (["ctrl+-", "ctrl+shift+_"].compactMap { KeyPress($0) }, 1 / 1.1),
    (["ctrl+0"].compactMap { KeyPress($0) }, nil),
  ]

  /// The keys of the desktop that show the keys of a window.
  static let helpKeys = ["f1", "ctrl+?", "ctrl+shift+?"].compactMap { KeyPress($0) }
  /// The key of the desktop that lets a window fill the screen, and ends that.
  static let fullScreenKey = KeyPress("f11")
  /// The key of the desktop that closes a window.
  static let closeKey = KeyPress(.character("w"), .control)

  /// Delivers a key press as the keyboard does.
  func press(_ press: KeyPress) {
    guard let application else { return }
    if let text = press.text, let focused = mirror.focused, focused.takesText {
      focused.type(String(text))
    } else {
      _ = send(press, to: application)
    }
  }

  // MARK: - Mouse

  private func handle(_ event: OpaquePointer) -> Bool {
    let kind = gdk_event_get_event_type(event)
    if gdk_event_get_surface(event) != gtk_native_get_surface(cast(mirror.widget)) {
      // A popover, which has a surface of its own, handles its events. But when widgets move below a menu, GTK
      // repeats the last movement in the window, and then sends a click on the menu to the widget below it.
      return mirror.menuTakesButton(event)
    }
    let modifiers = Modifiers(state: gdk_event_get_modifier_state(event).rawValue)
    if [GDK_BUTTON_PRESS, GDK_TOUCH_BEGIN].contains(kind), let place = place(of: event) {
      target(x: place.x, y: place.y).mirror?.willScroll()
    }
    // Events of the wheel have no place.
    if kind == GDK_SCROLL { last?.mirror?.willScroll() }
    switch kind {
    case GDK_BUTTON_PRESS, GDK_BUTTON_RELEASE:
      guard let button = Self.buttons[gdk_button_event_get_button(event)],
        let place = place(of: event)
      else { return false }
      if kind == GDK_BUTTON_PRESS {
        return press(button, x: place.x, y: place.y, modifiers)
      }
      return release(button, x: place.x, y: place.y, modifiers)
    case GDK_MOTION_NOTIFY:
      guard let place = place(of: event) else { return false }
      return move(x: place.x, y: place.y, modifiers)
    case GDK_SCROLL: return scroll(event, modifiers)
    default: return false
    }
  }

  private static let buttons: [guint: MouseEvent.Button] = [1: .left, 2: .middle, 3: .right]

  /// Returns the place of an event in the content of the window.
  private func place(of event: OpaquePointer) -> (x: Double, y: Double)? {
    guard let (x, y) = WindowMirror.place(of: event, in: mirror.widget) else { return nil }
    var (left, top) = (0.0, 0.0)
    gtk_widget_translate_coordinates(
      mirror.widget, mirror.contentWidget, x, y, &left, &top)
    return (left, top)
  }

  /// Returns the view at a place, and its cell. While a button is held, that is the view that it was pressed on, also
  /// outside of it.
  private func target(x: Double, y: Double) -> MouseTarget {
    guard mirror.window.overlay == nil, let pressed = pressed?.mirror, !pressed.isEnded else {
      return mirror.target(x: x, y: y)
    }
    let origin = pressed.origin
    return MouseTarget(mirror: pressed, cell: pressed.cell(x: x - origin.x, y: y - origin.y))
  }

  /// Handles a pressed button. Returns false if a native widget should handle it.
  private func press(
    _ button: MouseEvent.Button, x: Double, y: Double, _ modifiers: Modifiers
  ) -> Bool {
    pressed = nil
    mirror.finishComposing()
    if mirror.isEnded { return true }
    let target = target(x: x, y: y)
    if target.isNative(button) {
      return button == .left && target.mirror?.handlesPress(x: x, y: y, modifiers) == true
    }
    if button == .right { target.mirror?.willOpenMenu(x: x, y: y) }
    pressed = Press(button: button, mirror: target.mirror, x: x, y: y)
    send(MouseEvent(.press(button), at: target.cell, modifiers), over: target.mirror?.view)
    return true
  }

  private func release(
    _ button: MouseEvent.Button, x: Double, y: Double, _ modifiers: Modifiers
  ) -> Bool {
    guard pressed?.button == button else { return false }
    let target = target(x: x, y: y)
    pressed = nil
    send(MouseEvent(.release(button), at: target.cell, modifiers), over: target.mirror?.view)
    return true
  }

  private func move(x: Double, y: Double, _ modifiers: Modifiers) -> Bool {
    // GTK repeats the last movement when widgets move, or a menu opens, under the mouse.
    if (x, y) == lastPlace { return pressed != nil }
    lastPlace = (x, y)
    if pressed?.drags(to: x, y) == false { return true }
    let target = target(x: x, y: y)
    if target.cell == last?.cell, target.mirror === last?.mirror { return pressed != nil }
    last = target
    if let pressed {
      send(
        MouseEvent(.drag(pressed.button), at: target.cell, modifiers), over: target.mirror?.view)
    } else if mirror.window.overlay != nil {
      send(MouseEvent(.move, at: target.cell, modifiers), over: target.mirror?.view)
    }
    return pressed != nil
  }

  private func scroll(_ event: OpaquePointer, _ modifiers: Modifiers) -> Bool {
    guard let last, last.mirror?.handlesWheel != true else { return false }
    var (dx, dy) = (0.0, 0.0)
    switch gdk_scroll_event_get_direction(event) {
    case GDK_SCROLL_UP: dy = -1
    case GDK_SCROLL_DOWN: dy = 1
    case GDK_SCROLL_LEFT: dx = -1
    case GDK_SCROLL_RIGHT: dx = 1
    default:
      gdk_scroll_event_get_deltas(event, &dx, &dy)
      let isWheel = gdk_scroll_event_get_unit(event) == GDK_SCROLL_UNIT_WHEEL
      let isNotch = isWheel && dx == dx.rounded() && dy == dy.rounded()
      if !isNotch && last.mirror?.takesTouch == true { return false }
    }
    // Touchpads send parts of a notch.
    wheel = (wheel.x + dx, wheel.y + dy)
    while abs(wheel.y) >= 1 { turn(&wheel.y, .up, .down, over: last, modifiers) }
    while abs(wheel.x) >= 1 { turn(&wheel.x, .left, .right, over: last, modifiers) }
    return true
  }

  private func turn(
    _ distance: inout Double, _ back: MouseEvent.Direction, _ forward: MouseEvent.Direction,
    over target: MouseTarget, _ modifiers: Modifiers
  ) {
    let isForward = distance > 0
    distance -= isForward ? 1 : -1
    let event = MouseEvent(.wheel(isForward ? forward : back), at: target.cell, modifiers)
    send(event, over: target.mirror?.view)
  }

  private func target(at cell: Point) -> MouseTarget {
    MouseTarget(mirror: mirror.window.view(at: cell).flatMap(mirror.knownMirror), cell: cell)
  }

  /// Delivers an event of the mouse at a cell. A native widget gets a click.
  func deliver(_ event: MouseEvent) {
    switch event.action {
    case .press(let button) where target(at: event.position).isNative(button): nativePress = event
    case .release where nativePress != nil:
      guard let press = exchange(&nativePress, with: nil) else { return }
      target(at: press.position).mirror?.click(at: press)
    default: send(event)
    }
  }

  func send(_ event: MouseEvent) { send(event, over: mirror.window.view(at: event.position)) }

  private func send(_ event: MouseEvent, over view: View?) {
    application?.handle(event, over: view)
    mirror.backend.needsDisplay()
  }
}

extension MouseTarget {
  /// Returns true if the native widget handles a button of the mouse.
  @MainActor
  fileprivate func isNative(_ button: MouseEvent.Button) -> Bool {
    guard let mirror, mirror.mayTake(button) else { return false }
    let frame = mirror.view.frameInWindow
    let inside = Point(x: cell.x - frame.minX, y: cell.y - frame.minY)
    return mirror.view.isAvailable && mirror.handlesMouse(at: inside)
  }
}

extension ViewMirror {
  /// True if the native widget may handle a button of the mouse.
  fileprivate func mayTake(_ button: MouseEvent.Button) -> Bool {
    switch button {
    case .left: true
    case .middle: hasTextMenu
    case .right: hasTextMenu && view.nearestContextMenu == nil
    }
  }
}
#endif
