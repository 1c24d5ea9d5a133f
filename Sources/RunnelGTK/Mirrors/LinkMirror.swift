#if GTK
import CGTK
import RunnelDesk

/// Text that opens something. The application opens it, not GTK.
final class LinkMirror: ViewMirror {
  private let link: Link

  init(_ link: Link, in window: WindowMirror) {
    self.link = link
    let widget = made(gtk_link_button_new_with_label("", ""))
    super.init(link, in: window, native: widget)
    gtk_widget_set_halign(widget, GTK_ALIGN_START)
    gtk_widget_set_has_tooltip(widget, 0)
    signals.answer(widget, "activate-link") { [weak self] _ in
      self?.link.press()
      self?.window.backend.needsDisplay()
      return true
    }
  }

  override func update() {
    super.update()
    guard let native else { return }
    gtk_button_set_label(cast(native), link.title)
    gtk_link_button_set_visited(cast(native), 0)
  }

  override func texts() -> [(cell: Point, text: String)] { [(.zero, link.title)] }
}
#endif
