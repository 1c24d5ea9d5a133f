#if GTK
import CGTK
import RunnelDesk
import RunnelText

/// A switch and the text next to it. A click on either of them changes the switch.
final class SwitchMirror: ViewMirror {
  private let control: Switch
  private let body = Container(name: "box")
  private let knob = made(gtk_switch_new())
  private let title = made(gtk_label_new(nil))

  init(_ control: Switch, in window: WindowMirror) {
    self.control = control
    super.init(control, in: window, body: body)
    gtk_widget_set_valign(knob, GTK_ALIGN_CENTER)
    gtk_label_set_xalign(cast(title), 0)
    gtk_label_set_ellipsize(cast(title), PANGO_ELLIPSIZE_END)
    body.add(knob)
    body.add(title)
    // Safety: `Container.end()` releases the closure before this object is released.
    body.place = { [unowned self] in placeParts(width: $0, height: $1) }
    signals.connect(knob, "notify::active") { [weak self] _ in self?.toggled() }
  }

  override func update() {
    super.update()
    gtk_label_set_text(cast(title), control.title)
    gtk_switch_set_active(cast(knob), control.isOn.gboolean)
    setOverflows(isWide, of: [body.widget])
    gtk_widget_queue_allocate(body.widget)
  }

  /// True if the text fits into its cells.
  private var isWide: Bool { 4 + control.title.cellWidth <= control.bounds.width }

  private func toggled() {
    if isUpdating { return }
    control.propose(isOn: Bool(gtk_switch_get_active(cast(knob))))
    refresh()
    window.backend.needsDisplay()
  }

  private func placeParts(width: Int, height: Int) {
    let length = gint(naturalLength(of: knob, GTK_ORIENTATION_HORIZONTAL))
    Container.give(GtkAllocation(x: 0, y: 0, width: length, height: gint(height)), to: knob)
    let start = max(length + 4, gint(4 * metrics.width))
    let wanted = gint(naturalLength(of: title, GTK_ORIENTATION_HORIZONTAL))
    let room = max(gint(width) - start, isWide ? wanted : 0)
    Container.give(GtkAllocation(x: start, y: 0, width: room, height: gint(height)), to: title)
  }

  override var focusWidget: Widget { knob }

  override func texts() -> [(cell: Point, text: String)] {
    [
      (.zero, Bool(gtk_switch_get_active(cast(knob))) ? "━━●" : "○──"),
      (Point(x: 4, y: 0), text(of: gtk_label_get_text(cast(title)))),
    ]
  }
}
#endif
