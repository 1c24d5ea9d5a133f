#if GTK
import CGTK
import RunnelDesk

/// A whole number between two buttons.
final class StepperMirror: ViewMirror {
  private let stepper: Stepper
  private let body = Container(name: "spinbutton", role: GTK_ACCESSIBLE_ROLE_SPIN_BUTTON)
  private let number = made(gtk_label_new(nil))
  private let less = made(gtk_button_new_from_icon_name("list-remove-symbolic"))
  private let more = made(gtk_button_new_from_icon_name("list-add-symbolic"))

  init(_ stepper: Stepper, in window: WindowMirror) {
    self.stepper = stepper
    super.init(stepper, in: window, body: body)
    gtk_widget_set_focusable(body.widget, 1)
    gtk_widget_add_css_class(body.widget, "horizontal")
    gtk_widget_add_css_class(body.widget, "runnel-focusable")
    for (button, step) in [(less, -1), (more, 1)] {
      // The stepper has the focus, not its buttons.
      gtk_widget_set_focusable(button, 0)
      gtk_widget_add_css_class(button, step < 0 ? "down" : "up")
      runnel_set_label(button, step < 0 ? "Less" : "More")
      signals.connect(button, "clicked") { [weak self] _ in self?.clicked(step) }
    }
    for part in [less, number, more] { body.add(part) }
    // Safety: `Container.end()` releases the closure before this object is released.
    body.place = { [unowned self] _, height in placeParts(height: height) }
  }

  override func update() {
    super.update()
    let (value, range) = (stepper.value, stepper.range)
    gtk_label_set_text(cast(number), "\(value)")
    gtk_widget_set_sensitive(less, (value > range.lowerBound).gboolean)
    gtk_widget_set_sensitive(more, (value < range.upperBound).gboolean)
    runnel_set_value(
      body.widget, Double(range.lowerBound), Double(range.upperBound), Double(value), "\(value)")
    gtk_widget_queue_allocate(body.widget)
  }

  private func clicked(_ step: Int) {
    if isUpdating { return }
    stepper.window?.makeFirstResponder(stepper)
    stepper.step(by: step)
    refresh()
    window.backend.needsDisplay()
  }

  // MARK: - Layout

  /// The places of the button that lessens the number, the number, and the other button.
  private var places: (less: Rect, number: Rect, more: Rect) {
    let (width, digits) = (Stepper.buttonWidth, stepper.numberWidth)
    return (
      Rect(x: 0, y: 0, width: width, height: 1),
      Rect(x: width, y: 0, width: digits + 2, height: 1),
      Rect(x: width + digits + 2, y: 0, width: width, height: 1)
    )
  }

  private func placeParts(height: Int) {
    let places = places
    for (part, place) in [(less, places.less), (number, places.number), (more, places.more)] {
      var area = pixels(of: place)
      // The style of the widget may leave some room above and below it.
      area.height = gint(height)
      Container.give(area, to: part)
    }
  }

  override var rowHeight: Int { window.controlHeight }

  private func button(at cell: Point) -> Widget? {
    if places.less.contains(cell) { return less }
    return places.more.contains(cell) ? more : nil
  }

  // MARK: - Input

  override func handlesMouse(at cell: Point) -> Bool { button(at: cell) != nil }

  override func click(at event: MouseEvent) {
    guard let button = button(at: cell(of: event)) else { return }
    stepper.window?.makeFirstResponder(stepper)
    if Bool(gtk_widget_get_sensitive(button)) { runnel_click(button) }
  }

  override func texts() -> [(cell: Point, text: String)] {
    let (places, value) = (places, text(of: gtk_label_get_text(cast(number))))
    let indent = max(stepper.numberWidth - value.count, 0) + 1
    return [
      (places.less.origin, "[-]"),
      (Point(x: places.number.minX + indent, y: 0), value),
      (places.more.origin, "[+]"),
    ]
  }
}
#endif
