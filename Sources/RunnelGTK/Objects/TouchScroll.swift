#if GTK
import CGTK
import Glibc

/// The gestures of a touchpad that scroll a widget by pixels. The movement goes on when the fingers leave the
/// touchpad, ever slower.
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
    signals.answer(controller, "scroll") { [weak self] arguments in
      let isPixels =
        gtk_event_controller_scroll_get_unit(controller) == GDK_SCROLL_UNIT_SURFACE
      _ = self?.scroll(arguments.double(2) * (isPixels ? 1 : Self.notch))
      return true
    }
    signals.connect(controller, "decelerate") { [weak self] arguments in
      // GTK measures the speed in pixels per second.
      self?.goOn(Momentum(velocity: arguments.double(2)))
    }
    gtk_widget_add_controller(widget, controller)
  }

  private func goOn(_ momentum: Momentum) {
    stop()
    self.momentum = momentum
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

  private func stop() {
    momentum = nil
    if tick != 0 { gtk_widget_remove_tick_callback(widget, tick) }
    tick = 0
  }

  func end() {
    stop()
    signals.disconnectAll()
  }
}

/// A movement that becomes slower by the same part in each moment.
struct Momentum {
  /// The pixels per second.
  private(set) var velocity: Double

  private static let friction = 4.0

  init(velocity: Double) {
    self.velocity = velocity
  }

  var hasEnded: Bool { abs(velocity) < 20 }

  /// Returns the distance that is covered in a time.
  mutating func advance(by seconds: Double) -> Double {
    let rest = exp(-Self.friction * seconds)
    defer { velocity *= rest }
    return velocity * (1 - rest) / Self.friction
  }
}
#endif
