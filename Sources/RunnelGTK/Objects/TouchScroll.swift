#if GTK
import CGTK

/// The gestures of a touchpad that scroll a widget by pixels. After the fingers leave the touchpad, the movement
/// slows down.
@MainActor
final class TouchScroll {
  private let widget: Widget
  private let signals = Signals()
  private var momentum: Momentum?
  private var tick: guint = 0
  private var lastTime: gint64 = 0
  /// Scrolls by a number of pixels. Returns false at an end of the content.
  private let scroll: @MainActor (Double) -> Bool

  /// The pixels of a notch of the wheel, of which some devices send parts.
  private static let notch = 60.0

  init(over widget: Widget, scroll: @escaping @MainActor (Double) -> Bool) {
    self.widget = widget
    self.scroll = scroll
    let flags =
      GTK_EVENT_CONTROLLER_SCROLL_VERTICAL.rawValue | GTK_EVENT_CONTROLLER_SCROLL_KINETIC.rawValue
    let controller = made(
      gtk_event_controller_scroll_new(GtkEventControllerScrollFlags(rawValue: flags)))
    signals.connect(controller, "scroll-begin") { [weak self] _ in self?.stop() }
    /// Returns the pixels of a distance, or of one in a second.
    func pixels(_ distance: Double) -> Double {
      let unit = gtk_event_controller_scroll_get_unit(controller)
      return unit == GDK_SCROLL_UNIT_SURFACE ? distance : distance * Self.notch
    }
    signals.answer(controller, "scroll") { [weak self] arguments in
      _ = self?.scroll(pixels(arguments.double(2)))
      return true
    }
    signals.connect(controller, "decelerate") { [weak self] arguments in
      self?.decelerate(from: pixels(arguments.double(2)))
    }
    gtk_widget_add_controller(widget, controller)
  }

  private func decelerate(from velocity: Double) {
    stop()
    momentum = Momentum(velocity: velocity)
    lastTime = 0
    tick = gtk_widget_add_tick_callback(
      widget,
      { _, clock, data in
        // Safety: GTK draws on the main thread only.
        nonisolated(unsafe) let (clock, data) = (clock, data)
        return MainActor.assumeIsolated {
          guard let data else { return 0 }
          // Safety: the callback has retained the object, and releases it below.
          let scroll = Unmanaged<TouchScroll>.fromOpaque(data).takeUnretainedValue()
          return scroll.advance(to: gdk_frame_clock_get_frame_time(clock)).gboolean
        }
      }, Unmanaged.passRetained(self).toOpaque(),
      { data in
        guard let data else { return }
        // Safety: it balances the retain above. GTK calls this once.
        Unmanaged<TouchScroll>.fromOpaque(data).release()
      })
  }

  /// Scrolls on at a frame. Returns false when the movement has ended.
  private func advance(to time: gint64) -> Bool {
    defer { lastTime = time }
    guard lastTime > 0, var momentum else { return momentum != nil }
    let distance = momentum.advance(by: Double(time - lastTime) / 1_000_000)
    self.momentum = momentum
    if scroll(distance), !momentum.hasEnded { return true }
    self.momentum = nil
    tick = 0
    return false
  }

  /// Ends a movement that slows down.
  func stop() {
    momentum = nil
    if tick != 0 { gtk_widget_remove_tick_callback(widget, tick) }
    tick = 0
  }

  func end() {
    stop()
    signals.disconnectAll()
  }
}
#endif
