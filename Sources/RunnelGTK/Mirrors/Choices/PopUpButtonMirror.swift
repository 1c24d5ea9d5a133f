#if GTK
import CGTK
import RunnelDesk

/// A button with the selected choice, which opens a menu.
///
/// The view handles the mouse, because the button can be held until the mouse is over a choice.
final class PopUpButtonMirror: ViewMirror {
  private let button: PopUpButton
  private let title = made(gtk_label_new(nil))

  init(_ button: PopUpButton, in window: WindowMirror) {
    self.button = button
    let widget = made(gtk_button_new())
    super.init(button, in: window, native: widget)
    let row = made(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6))
    let arrow = made(gtk_image_new_from_icon_name("pan-down-symbolic"))
    gtk_widget_set_hexpand(title, 1)
    gtk_label_set_xalign(cast(title), 0)
    gtk_label_set_ellipsize(cast(title), PANGO_ELLIPSIZE_END)
    gtk_box_append(cast(row), title)
    gtk_box_append(cast(row), arrow)
    gtk_button_set_child(cast(widget), row)
    signals.connect(widget, "clicked") { [weak self] _ in
      self?.button.open()
      self?.window.backend.needsDisplay()
    }
  }

  override func update() {
    super.update()
    gtk_label_set_text(cast(title), button.selectedChoice ?? "")
  }

  override var rowHeight: Int { window.controlHeight }

  /// The name and the choice, because the widget has no value for assistive technology.
  override func accessibleName(_ description: Accessibility) -> String? {
    let parts = [button.ownLabel, button.selectedChoice].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ": ")
  }

  override func texts() -> [(cell: Point, text: String)] {
    [
      (Point(x: 2, y: 0), text(of: gtk_label_get_text(cast(title)))),
      (Point(x: max(button.bounds.width - 3, 0), y: 0), "▾"),
    ]
  }
}

/// The button that opens the choices of a combo box. Its field is a view of its own.
final class ComboBoxMirror: ViewMirror {
  private let comboBox: ComboBox
  private let body = Container(name: "box")
  private let arrow = made(gtk_button_new_from_icon_name("pan-down-symbolic"))

  init(_ comboBox: ComboBox, in window: WindowMirror) {
    self.comboBox = comboBox
    super.init(comboBox, in: window, body: body)
    gtk_widget_set_focusable(arrow, 0)
    gtk_widget_add_css_class(arrow, "flat")
    gtk_widget_add_css_class(arrow, "runnel-arrow")
    runnel_set_label(arrow, "Choices")
    body.add(arrow)
    // Safety: `Container.end()` releases the closure before this object is released.
    body.place = { [unowned self] _, _ in
      let place = Rect(
        x: self.comboBox.bounds.width - ComboBox.arrowWidth, y: 0, width: ComboBox.arrowWidth,
        height: 1)
      let area = pixels(of: place)
      Container.give(area, to: arrow)
    }
    signals.connect(arrow, "clicked") { [weak self] _ in
      self?.comboBox.open()
      self?.window.backend.needsDisplay()
    }
  }

  override func update() {
    super.update()
    gtk_widget_set_sensitive(arrow, comboBox.field.isEditable.gboolean)
    gtk_widget_queue_allocate(body.widget)
  }

  override var rowHeight: Int { window.controlHeight }

  override func texts() -> [(cell: Point, text: String)] {
    [(Point(x: max(comboBox.bounds.width - 1, 0), y: 0), "▾")]
  }
}
#endif
