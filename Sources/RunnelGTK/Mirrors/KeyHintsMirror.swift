#if GTK
import CGTK
import RunnelDesk

/// A row with the keys that can be used now.
final class KeyHintsMirror: ViewMirror {
  private let hints: KeyHints
  private let body = Container(name: "box")
  private var labels: [(key: Widget, title: Widget)] = []
  private var shown: [(key: String, title: String, start: Int)] = []

  init(_ hints: KeyHints, in window: WindowMirror) {
    self.hints = hints
    super.init(hints, in: window, body: body)
    // Safety: `Container.end()` releases the closure before this object is released.
    body.place = { [unowned self] _, height in placeLabels(height: height) }
  }

  override func update() {
    super.update()
    shown = hints.placedHints.map { ($0.hint.key, $0.hint.title, $0.columns.lowerBound) }
    while labels.count > shown.count {
      let last = labels.removeLast()
      for label in [last.key, last.title] { gtk_widget_unparent(label) }
    }
    while labels.count < shown.count {
      let pair = (key: made(gtk_label_new(nil)), title: made(gtk_label_new(nil)))
      gtk_widget_add_css_class(pair.key, "runnel-title")
      for label in [pair.key, pair.title] { body.add(label) }
      labels.append(pair)
    }
    for (pair, hint) in zip(labels, shown) {
      gtk_label_set_text(cast(pair.key), hint.key)
      gtk_label_set_text(cast(pair.title), hint.title)
    }
    gtk_widget_queue_allocate(body.widget)
  }

  /// Places each title right after its key, which may be narrower or wider than its cells.
  private func placeLabels(height: Int) {
    for (pair, hint) in zip(labels, shown) {
      var left = gint((Double(hint.start) * metrics.width).rounded())
      for label in [pair.key, pair.title] {
        let length = gint(naturalLength(of: label, GTK_ORIENTATION_HORIZONTAL))
        let area = GtkAllocation(x: left, y: 0, width: length, height: gint(height))
        Container.give(area, to: label)
        left += length + 6
      }
    }
  }

  override func texts() -> [(cell: Point, text: String)] {
    zip(labels, shown).map { pair, hint in
      let (key, title) = (gtk_label_get_text(cast(pair.key)), gtk_label_get_text(cast(pair.title)))
      return (Point(x: hint.start, y: 0), "\(text(of: key)) \(text(of: title))")
    }
  }
}
#endif
