#if GTK
import CGTK
import RunnelDesk
import RunnelText

/// Text that the user only reads.
final class LabelMirror: ViewMirror {
  private let label: Label

  init(_ label: Label, in window: WindowMirror) {
    self.label = label
    let isHeading = label.style != .body
    let widget = made(
      runnel_new_widget(
        gtk_label_get_type(), "label",
        isHeading ? GTK_ACCESSIBLE_ROLE_HEADING : GTK_ACCESSIBLE_ROLE_LABEL))
    gtk_widget_add_css_class(widget, "runnel-text")
    if isHeading { gtk_widget_add_css_class(widget, "runnel-heading") }
    if label.style == .title { gtk_widget_add_css_class(widget, "runnel-large") }
    gtk_label_set_yalign(cast(widget), 0.5)
    super.init(label, in: window, native: widget)
  }

  override func update() {
    super.update()
    guard let native else { return }
    // Wrapped as in cells, so that a view that scrolls has the same rows.
    gtk_label_set_text(cast(native), rows.joined(separator: "\n"))
    gtk_label_set_ellipsize(
      cast(native), label.wraps ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_END)
    gtk_label_set_xalign(cast(native), label.alignment.fraction)
    gtk_widget_set_css_class(native, "dim-label", label.isFaint)
    fitLines(in: native)
    setOverflows(isWhole)
  }

  /// Sets the distance of the lines of a text of several lines.
  private func fitLines(in native: Widget) {
    let isHigh = label.bounds.height > 1
    let metrics = window.metrics
    gtk_label_set_yalign(cast(native), isHigh ? 0 : 0.5)
    let isClose = isHigh && hasCloseLines
    gtk_widget_set_margin_top(native, isClose ? gint(CellMetrics.verticalPadding / 2) : 0)
    let height = isClose ? metrics.lineHeight : metrics.height
    let attributes = isHigh ? TextAttributes.lineHeight(height) : nil
    gtk_label_set_attributes(cast(native), attributes)
    if let attributes { pango_attr_list_unref(attributes) }
  }

  /// True if the lines are as close as in a text. The letters of a title are larger, and in a view that scrolls by
  /// cells each line is as high as a cell.
  private var hasCloseLines: Bool {
    label.style != .title
      && !sequence(first: label, next: \.superview).contains { $0 is ScrollView }
  }

  override func height(ofRows count: Int) -> Int {
    if !hasCloseLines { return super.height(ofRows: count) }
    return window.metrics.pixels(rows: 1)
      + Int((Double(count - 1) * window.metrics.lineHeight).rounded(.up))
  }

  /// A title is higher than other text.
  override var rowHeight: Int {
    let height = native.map { naturalLength(of: $0, GTK_ORIENTATION_VERTICAL) } ?? 0
    return label.style == .title ? max(height, super.rowHeight) : super.rowHeight
  }

  private var rows: [Substring] { label.rows(width: label.bounds.width) }

  /// True if the rows fit into their cells. They are then shown whole, even if letters are wider.
  private var isWhole: Bool { rows.allSatisfy { $0.cellWidth <= label.bounds.width } }

  override func placeNative(width: Int, height: Int) {
    guard let native, isWhole else { return super.placeNative(width: width, height: height) }
    let wanted = naturalLength(of: native, GTK_ORIENTATION_HORIZONTAL)
    let excess = gint(max(wanted - width, 0))
    let left = -gint(Float(excess) * label.alignment.fraction)
    let area = GtkAllocation(x: left, y: 0, width: gint(width) + excess, height: gint(height))
    Container.give(area, to: native)
  }

  override func texts() -> [(cell: Point, text: String)] {
    guard let native else { return [] }
    return text(ofLinesIn: native).enumerated().map { (Point(x: 0, y: $0), $1) }
  }
}

final class ButtonMirror: ViewMirror {
  private let button: Button

  init(_ button: Button, in window: WindowMirror) {
    self.button = button
    let widget = made(gtk_button_new_with_label(""))
    super.init(button, in: window, native: widget)
    signals.connect(widget, "clicked") { [weak self] _ in
      self?.button.press()
      self?.window.backend.needsDisplay()
    }
  }

  override func update() {
    super.update()
    guard let native else { return }
    gtk_button_set_label(cast(native), button.title)
    gtk_widget_set_css_class(native, "destructive-action", button.isDestructive)
    let isDefault = button.window?.defaultButton === button
    gtk_widget_set_css_class(native, "suggested-action", isDefault && !button.isDestructive)
  }

  override var rowHeight: Int { window.controlHeight }
  override var handlesMouse: Bool { true }
  override func click(at event: MouseEvent) {
    if let native { runnel_click(native) }
  }
  override func texts() -> [(cell: Point, text: String)] { [(.zero, button.title)] }
}

final class CheckboxMirror: ViewMirror {
  private let checkbox: Checkbox

  init(_ checkbox: Checkbox, in window: WindowMirror) {
    self.checkbox = checkbox
    let widget = made(gtk_check_button_new_with_label(""))
    super.init(checkbox, in: window, native: widget)
    signals.connect(widget, "toggled") { [weak self] _ in self?.toggled() }
  }

  override func update() {
    super.update()
    guard let native else { return }
    gtk_check_button_set_label(cast(native), checkbox.title)
    gtk_check_button_set_active(cast(native), checkbox.isOn.gboolean)
  }

  private func toggled() {
    guard let native, !isUpdating else { return }
    checkbox.propose(isOn: Bool(gtk_check_button_get_active(cast(native))))
    refresh()
    window.backend.needsDisplay()
  }

  override var handlesMouse: Bool { true }
  override func click(at event: MouseEvent) {
    if let native { gtk_widget_activate(native) }
  }
  override func texts() -> [(cell: Point, text: String)] { [(.zero, checkbox.title)] }
}

final class ProgressBarMirror: ViewMirror {
  private let bar: ProgressBar

  init(_ bar: ProgressBar, in window: WindowMirror) {
    self.bar = bar
    let widget = made(gtk_progress_bar_new())
    gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
    super.init(bar, in: window, native: widget)
  }

  override func update() {
    super.update()
    guard let native else { return }
    if let fraction = bar.fraction {
      gtk_progress_bar_set_fraction(cast(native), fraction > 0 ? min(fraction, 1) : 0)
    } else {
      gtk_progress_bar_pulse(cast(native))
    }
  }
}

/// Text about the state of the application, at both ends of a row.
final class StatusBarMirror: ViewMirror {
  private let bar: StatusBar
  private let left = made(gtk_label_new(nil))
  private let right = made(gtk_label_new(nil))

  init(_ bar: StatusBar, in window: WindowMirror) {
    self.bar = bar
    let widget = made(
      runnel_new_widget(gtk_box_get_type(), "box", GTK_ACCESSIBLE_ROLE_STATUS))
    gtk_widget_add_css_class(widget, "runnel-status")
    gtk_label_set_ellipsize(cast(left), PANGO_ELLIPSIZE_END)
    gtk_label_set_wrap_mode(cast(left), PANGO_WRAP_WORD_CHAR)
    gtk_label_set_xalign(cast(left), 0)
    gtk_widget_set_hexpand(left, 1)
    gtk_box_append(cast(widget), left)
    gtk_box_append(cast(widget), right)
    super.init(bar, in: window, native: widget)
    runnel_set_label(widget, "Status")
  }

  override func update() {
    super.update()
    let rows = bar.leftRows(in: bar.bounds.size)
    gtk_label_set_text(cast(left), bar.shownText)
    gtk_label_set_wrap(cast(left), (rows.count > 1).gboolean)
    gtk_label_set_lines(cast(left), rows.count > 1 ? gint(rows.count) : -1)
    gtk_label_set_text(cast(right), bar.rightText)
    gtk_widget_set_visible(right, showsRightText.gboolean)
  }

  /// A message takes the room of the right text if it needs it.
  private var showsRightText: Bool {
    bar.message == nil || bar.rightText.cellWidth <= bar.freeColumns(in: bar.bounds.size)
  }

  override func texts() -> [(cell: Point, text: String)] {
    let right = max(bar.frame.width - bar.rightText.cellWidth - 1, 0)
    let width = showsRightText ? right - 1 : bar.frame.width - 1
    let rows = bar.leftRows(in: bar.bounds.size).enumerated().map { y, row in
      (cell: Point(x: 1, y: y), text: row.padded(to: width))
    }
    return showsRightText ? rows + [(Point(x: right, y: 0), bar.rightText)] : rows
  }
}

/// Two views and the line between them, which the mouse can move.
final class SplitViewMirror: ViewMirror {
  private let split: SplitView
  private let body = Container()
  private let line: Widget

  init(_ split: SplitView, in window: WindowMirror) {
    self.split = split
    line = made(gtk_separator_new(GTK_ORIENTATION_VERTICAL))
    super.init(split, in: window, body: body)
    body.add(line)
    // Safety: `Container.end()` releases the closure before this object is released.
    body.place = { [unowned self] in placeLine(width: $0, height: $1) }
  }

  override func update() {
    super.update()
    gtk_widget_set_visible(line, split.hasDivider.gboolean)
    let isVertical = split.axis == .horizontal
    gtk_orientable_set_orientation(
      cast(line), isVertical ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL)
    gtk_widget_set_cursor_from_name(body.widget, isVertical ? "col-resize" : "row-resize")
    gtk_widget_queue_allocate(body.widget)
  }

  private func placeLine(width: Int, height: Int) {
    let isVertical = split.axis == .horizontal
    let (bounds, place) = (split.bounds, split.divider)
    let cells =
      isVertical
      ? Rect(x: place, y: 0, width: 1, height: bounds.height)
      : Rect(x: 0, y: place, width: bounds.width, height: 1)
    var area = pixels(of: cells)
    // The line is in the middle of its cells.
    if isVertical {
      area.x += area.width / 2
      area.width = 1
    } else {
      area.y += area.height / 2
      area.height = 1
    }
    Container.give(area, to: line)
  }

  override func texts() -> [(cell: Point, text: String)] {
    guard split.hasDivider, split.axis == .horizontal else { return [] }
    return (0..<split.bounds.height).map { (Point(x: split.divider, y: $0), "│") }
  }
}

extension String {
  /// The text as far as it fits, with a space after it.
  fileprivate func padded(to width: Int) -> String { prefix(cellWidth: max(width - 1, 0)) + " " }
}

extension TextAlignment {
  /// The place of text in its room, from 0 at the left to 1 at the right.
  var fraction: Float {
    switch self {
    case .leading: 0
    case .center: 0.5
    case .trailing: 1
    }
  }
}

/// Adds a class for style sheets to a widget, or removes it.
@MainActor
func gtk_widget_set_css_class(_ widget: Widget, _ name: String, _ isSet: Bool) {
  if isSet {
    gtk_widget_add_css_class(widget, name)
  } else {
    gtk_widget_remove_css_class(widget, name)
  }
}
#endif
