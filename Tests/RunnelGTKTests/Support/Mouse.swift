#if GTK
import CGTK
import Foundation
import RunnelDesk
import Testing

@testable import RunnelGTK

/// The mouse of the display, which a program moves.
@MainActor
enum Mouse {
  private nonisolated static let program = "/usr/bin/xdotool"

  nonisolated static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// Clicks the middle of a widget.
  static func click(_ widget: Widget, button: Int = 1, in app: TestApp) throws {
    let place = place(widget, 0.5, 0.5, in: app)
    try run(["mousemove", "\(place.x)", "\(place.y)", "click", "\(button)"], in: app)
  }

  /// Clicks a pixel of a widget.
  static func click(
    _ widget: Widget, x: Int, y: Int, button: Int = 1, in app: TestApp
  ) throws {
    let origin = place(widget, 0, 0, in: app)
    try run(
      ["mousemove", "\(origin.x + x)", "\(origin.y + y)", "click", "\(button)"], in: app)
  }

  /// Clicks the beginning of a text of the window.
  static func click(text wanted: String, in app: TestApp) throws {
    let found = try label(wanted, in: app)
    try click(found, x: 8, y: Int(gtk_widget_get_height(found)) / 2, in: app)
  }

  /// Moves the mouse over a text of the window.
  static func move(overText wanted: String, in app: TestApp) throws {
    let place = place(try label(wanted, in: app), 0.5, 0.5, in: app)
    try run(["mousemove", "\(place.x)", "\(place.y)"], in: app)
  }

  /// Clicks where the mouse is.
  static func click(in app: TestApp) throws { try run(["click", "1"], in: app) }

  private static func label(_ wanted: String, in app: TestApp) throws -> Widget {
    let window = try #require(app.backend.windows.last)
    let label = [Widget](below: window.widget).first {
      Bool(runnel_is_a($0, gtk_label_get_type())) && Bool(gtk_widget_get_mapped($0))
        && text(of: gtk_label_get_text(cast($0))).hasPrefix(wanted)
    }
    return try #require(label, "There is no label \(wanted).")
  }

  /// Drags from one part of the length of a widget to another one.
  static func drag(_ widget: Widget, from: Double, to: Double, in app: TestApp) throws {
    let isWide = gtk_widget_get_width(widget) > gtk_widget_get_height(widget)
    func place(_ part: Double) -> (x: Int, y: Int) {
      isWide ? self.place(widget, part, 0.5, in: app) : self.place(widget, 0.5, part, in: app)
    }
    let start = place(from)
    try run(["mousemove", "\(start.x)", "\(start.y)", "mousedown", "1"], in: app)
    for step in 1...4 {
      let next = place(from + (to - from) * Double(step) / 4)
      try run(["mousemove", "\(next.x)", "\(next.y)"], in: app)
    }
    try run(["mouseup", "1"], in: app)
  }

  /// Turns the wheel by one notch.
  static func turnWheel(over widget: Widget, in app: TestApp) throws {
    let place = place(widget, 0.5, 0, in: app)
    try run(["mousemove", "\(place.x)", "100", "click", "5"], in: app)
  }

  /// Returns a place in a widget, on the screen. The window is at the top left.
  private static func place(
    _ widget: Widget, _ x: Double, _ y: Double, in app: TestApp
  ) -> (x: Int, y: Int) {
    let (width, height) = (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
    var (left, top) = (0.0, 0.0)
    // A popover has a surface of its own.
    let native: Widget = cast(made(gtk_widget_get_native(widget)))
    gtk_widget_translate_coordinates(
      widget, native, x * Double(max(width - 1, 0)), y * Double(max(height - 1, 0)), &left, &top)
    if let window = app.backend.windows.last, native != window.widget {
      let origin = window.originInWindow(ofPopover: native)
      (left, top) = (left + origin.x, top + origin.y)
    }
    return (Int(left), Int(top))
  }

  private static func run(_ arguments: [String], in app: TestApp) throws {
    app.settle()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    app.settle()
  }
}
#endif
