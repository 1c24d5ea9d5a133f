#if GTK
import CGTK
import RunnelDesk

/// A scroll bar of a view that scrolls by rows.
@MainActor
final class RowScrollBar {
  let widget: Widget
  /// The object that sends "value-changed".
  let adjustment = made(gtk_adjustment_new(0, 0, 0, 1, 10, 1))

  init() {
    widget = made(gtk_scrollbar_new(GTK_ORIENTATION_VERTICAL, adjustment))
  }

  /// The number of rows that the bar hides above the visible ones, with a part of a row.
  var position: Double { gtk_adjustment_get_value(adjustment) }
  /// The number of whole rows that the bar hides above the visible ones.
  var top: Int { Int(position.rounded()) }

  /// Shows the place of a view. `part` is the part of the first row that is hidden, and `page` the number of rows that
  /// fit, with a part of one; nil for whole rows.
  func show(
    _ indicator: ScrollIndicator, part: Double = 0, page: Double? = nil, isVisible: Bool
  ) {
    gtk_widget_set_visible(widget, isVisible.gboolean)
    gtk_adjustment_configure(
      adjustment, Double(indicator.top) + part, 0, Double(indicator.lineCount), 1,
      Double(max(indicator.viewport - 1, 1)), page ?? Double(indicator.viewport))
  }
}
#endif
