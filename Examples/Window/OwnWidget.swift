// A control of the app with a widget of GTK in a window. In a terminal it is drawn in cells.
import CGTK
import Runnel
import RunnelDesk
import RunnelGTK

/// A level from 0 to 1.
final class Gauge: View, CellDrawn {
  var level = 0.0 { didSet { needsDisplay() } }

  override func wantedExtent(in room: Size) -> Extent { Extent(height: 1) }

  override var accessibility: Accessibility? {
    Accessibility(.progress, value: "\(Int(level * 100)) percent")
  }

  /// For a terminal.
  func draw(in painter: inout Painter, theme: Theme) {
    let length = Int(level * Double(bounds.width))
    painter.put(String(repeating: "█", count: length), at: .zero, style: theme.text)
  }
}

/// The widget for a window.
final class GaugeMirror: NativeMirror {
  private let gauge: Gauge

  init(_ gauge: Gauge) {
    self.gauge = gauge
    super.init(widget: gtk_level_bar_new())
  }

  override func update() { gtk_level_bar_set_value(OpaquePointer(widget), gauge.level) }
  override var text: String { "\(Int(gauge.level * 100)) %" }
}

GTKBackend.register(Gauge.self) { GaugeMirror($0) }
let backend = try GTKBackend(identifier: "org.example.Gauge")
let application = Application(backend: backend)
let gauge = Gauge()
let fill = Button("Fill")
fill.rx.tap.observeNext { gauge.level = min(gauge.level + 0.25, 1) }
let window = Window(title: "Gauge", content: StackView(.vertical, [gauge, fill, View()]))
window.makeFirstResponder(fill)
application.show(window)

let script = try Script(
  """
  key space
  key space
  expect "50 %"
  key ctrl+q
  expect-end
  """)
let running = Single<Void, any Error>.task {
  try await ScriptRunner(application, on: backend).run(script)
}
try EventLoop.main.run(until: running.stream)
print("The gauge has the level \(gauge.level).")

// Output:
// The gauge has the level 0.5.
