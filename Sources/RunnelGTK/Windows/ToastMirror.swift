#if GTK
import CGTK
import RunnelDesk

/// A short message above the last row of a window.
@MainActor
final class ToastMirror {
  private unowned let window: WindowMirror
  private let label = made(gtk_label_new(nil))

  init(in window: WindowMirror) {
    self.window = window
    g_object_ref_sink(label)
    gtk_widget_add_css_class(label, "runnel-toast")
    gtk_label_set_ellipsize(cast(label), PANGO_ELLIPSIZE_END)
    gtk_widget_set_visible(label, 0)
    window.addFloating(label)
  }

  /// The toast, if this window shows it.
  private var toast: Toast? {
    window.window.isKey ? window.backend.application?.toast : nil
  }

  func update() {
    gtk_widget_set_visible(label, (toast != nil).gboolean)
    guard let toast else { return }
    let key = toast.key.map { " \($0.label)" } ?? ""
    gtk_label_set_text(cast(label), toast.message + (toast.action.map { "   \($0)\(key)" } ?? ""))
    // In front of everything else.
    gtk_widget_insert_before(label, window.contentWidget, nil)
  }

  func place(width: Int, height: Int) {
    guard Bool(gtk_widget_get_visible(label)), let application = window.backend.application else {
      return
    }
    let size = window.size
    let columns = min(text(of: gtk_label_get_text(cast(label))).count + 4, size.width)
    let cells = Rect(
      x: (size.width - columns) / 2, y: max(size.height - 2, 0), width: columns, height: 1)
    application.toasts.frame = cells
    Container.give(window.metrics.pixels(of: cells), to: label)
  }

  /// Returns the cell of the toast at a pixel of the content; nil if it is elsewhere.
  func cell(x: Double, y: Double) -> Point? {
    guard Bool(gtk_widget_get_visible(label)), let toasts = window.backend.application?.toasts
    else {
      return nil
    }
    let cell = window.metrics.cell(x: x, y: y)
    return toasts.frame.contains(cell) ? cell : nil
  }

  func end() {
    if gtk_widget_get_parent(label) != nil { gtk_widget_unparent(label) }
    g_object_unref(label)
  }
}
#endif
