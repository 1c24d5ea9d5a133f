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

  /// The number of rows that the bar hides above the visible ones.
  var top: Int { Int(gtk_adjustment_get_value(adjustment).rounded()) }

  func show(_ indicator: ScrollIndicator, isVisible: Bool) {
    gtk_widget_set_visible(widget, isVisible.gboolean)
    gtk_adjustment_configure(
      adjustment, Double(indicator.top), 0, Double(indicator.lineCount), 1,
      Double(max(indicator.viewport - 1, 1)), Double(indicator.viewport))
  }
}
#endif
