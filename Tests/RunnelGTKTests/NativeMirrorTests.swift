#if GTK
import CGTK
import RunnelDesk
import Testing

@testable import RunnelGTK

/// A control of an app, with a number from 0 to 1.
private class Gauge: View {
  var level = 0.0 { didSet { needsDisplay() } }

  override var accessibility: Accessibility? {
    Accessibility(.progress, label: "Fuel", value: "\(level)")
  }
  override var canBecomeFirstResponder: Bool { true }
}

private final class SmallGauge: Gauge {}

private final class GaugeMirror: NativeMirror {
  private let gauge: Gauge
  private(set) static var count = 0

  init(_ gauge: Gauge) {
    self.gauge = gauge
    super.init(widget: gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 1, 0.1))
    Self.count += 1
    on("value-changed") { [unowned self] in
      self.gauge.level = gtk_range_get_value(widget.assumingMemoryBound(to: GtkRange.self))
    }
  }

  isolated deinit { Self.count -= 1 }

  override func update() {
    gtk_range_set_value(widget.assumingMemoryBound(to: GtkRange.self), gauge.level)
  }
  override var text: String { "level \(gauge.level)" }
}

extension GTKTests {
  @MainActor
  @Suite struct NativeMirrorTests {
    @Test func aRegisteredWidgetShowsTheControl() throws {
      GTKBackend.register(Gauge.self) { GaugeMirror($0) }
      let (gauge, other) = (Gauge(), SmallGauge())
      let app = try TestApp(StackView(.vertical, [gauge, other, Button("OK")]))
      let scale = try app.native(gauge)
      // One for each control.
      #expect(Bool(runnel_is_a(scale, gtk_scale_get_type())) && GaugeMirror.count == 2)
      gauge.level = 0.5
      #expect(app.lines[0].hasPrefix("level 0.5"))
      #expect(gtk_range_get_value(cast(scale)) == 0.5)
      // The user changes the widget.
      gtk_range_set_value(cast(scale), 0.25)
      #expect(gauge.level == 0.25 && other.level == 0)
      app.window.makeFirstResponder(gauge)
      app.settle()
      #expect(app.focus == scale)
      gauge.isEnabled = false
      app.settle()
      #expect(!Bool(gtk_widget_get_sensitive(scale)))
      gauge.removeFromSuperview()
      app.settle()
      #expect(GaugeMirror.count == 1)
      app.end()
      #expect(GaugeMirror.count == 0)
    }

    @Test func theLastRegisteredClassThatFitsIsUsed() throws {
      GTKBackend.register(Gauge.self) { GaugeMirror($0) }
      GTKBackend.register(SmallGauge.self) { _ in NativeMirror(widget: gtk_spinner_new()) }
      let (gauge, small) = (Gauge(), SmallGauge())
      let app = try TestApp(StackView(.vertical, [gauge, small, Button("OK")]))
      defer { app.end() }
      #expect(Bool(runnel_is_a(try app.native(gauge), gtk_scale_get_type())))
      #expect(Bool(runnel_is_a(try app.native(small), gtk_spinner_get_type())))
      #expect(app.lines[0].hasPrefix("level 0.0"))
    }
  }
}
#endif
