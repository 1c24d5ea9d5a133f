#if GTK
import CGTK
import RunnelDesk
import RunnelText

/// The labels and validation messages of a form. The controls are views of their own.
final class FormMirror: ViewMirror {
  private let form: Form
  private let body = Container(name: "box")
  private var labels: [Widget] = []
  private var messages: [Widget] = []

  init(_ form: Form, in window: WindowMirror) {
    self.form = form
    super.init(form, in: window, body: body)
    // Safety: `Container.end()` releases the closure before this object is released.
    body.place = { [unowned self] _, _ in placeParts() }
  }

  override func update() {
    super.update()
    let rows = form.rows
    resize(&labels, to: rows.count, name: "runnel-label")
    resize(&messages, to: rows.count, name: "runnel-invalid")
    for (row, (label, message)) in zip(rows, zip(labels, messages)) {
      gtk_label_set_text(cast(label), row.text)
      gtk_label_set_xalign(cast(label), form.labelAlignment.fraction)
      gtk_widget_set_sensitive(label, row.control.isAvailable.gboolean)
      gtk_label_set_text(cast(message), row.message.joined(separator: "\n"))
      gtk_widget_set_visible(message, (!row.message.isEmpty).gboolean)
    }
    gtk_widget_queue_allocate(body.widget)
  }

  private func resize(_ labels: inout [Widget], to count: Int, name: String) {
    while labels.count > count { gtk_widget_unparent(labels.removeLast()) }
    while labels.count < count {
      let label = made(gtk_label_new(nil))
      gtk_widget_add_css_class(label, name)
      gtk_label_set_xalign(cast(label), 0)
      gtk_label_set_ellipsize(cast(label), PANGO_ELLIPSIZE_END)
      body.add(label)
      labels.append(label)
    }
  }

  private func placeParts() {
    let (metrics, origin) = (window.metrics, window.origin(of: form))
    for (row, (label, message)) in zip(form.rows, zip(labels, messages)) {
      // The free columns between labels and controls leave room for wide letters.
      var place = row.label
      place.size.width += 1
      Container.give(metrics.pixels(of: place, in: origin), to: label)
      if row.message.isEmpty { continue }
      place = Rect(
        x: row.frame.minX, y: row.frame.maxY, width: form.bounds.width - row.frame.minX,
        height: row.message.count)
      Container.give(metrics.pixels(of: place, in: origin), to: message)
    }
  }

  override func texts() -> [(cell: Point, text: String)] {
    zip(form.rows, zip(labels, messages)).flatMap { row, parts in
      let label = text(of: gtk_label_get_text(cast(parts.0)))
      let free = max(row.label.width - label.cellWidth, 0)
      let indent = Int(Float(free) * form.labelAlignment.fraction)
      let lines = text(of: gtk_label_get_text(cast(parts.1))).split(separator: "\n")
      return [(Point(x: row.label.minX + indent, y: row.label.minY), label)]
        + lines.enumerated().map { index, line in
          (Point(x: row.frame.minX, y: row.frame.maxY + index), String(line))
        }
    }
  }
}
#endif
