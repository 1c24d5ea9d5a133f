#if GTK
import CGTK
import RunnelDesk

/// A part of a higher content, with a scroll bar.
final class ScrollViewMirror: Mirror {
  private let scrollView: ScrollView
  private let body = Container(name: "scrolledwindow")
  private let scrollBar: Widget
  private let adjustment = made(gtk_adjustment_new(0, 0, 0, 1, 10, 1))

  init(_ scrollView: ScrollView, in window: WindowMirror) {
    self.scrollView = scrollView
    scrollBar = made(gtk_scrollbar_new(GTK_ORIENTATION_VERTICAL, adjustment))
    super.init(scrollView, in: window, native: body.widget)
    gtk_widget_set_focusable(body.widget, 1)
    gtk_widget_add_css_class(body.widget, "runnel-focusable")
    body.add(scrollBar)
    // Safety: `Container.end()` releases the closure before this object is released.
    body.place = { [unowned self] _, _ in
      if barPlace.isEmpty { return }
      let area = window.metrics.pixels(of: barPlace, in: window.origin(of: self.scrollView))
      Container.give(area, to: scrollBar)
    }
    signals.connect(adjustment, "value-changed") { [weak self] _ in self?.scrolled() }
  }

  override func update() {
    super.update()
    let indicator = scrollView.indicator
    gtk_widget_set_visible(scrollBar, (!barPlace.isEmpty).g)
    gtk_adjustment_configure(
      adjustment, Double(indicator.top), 0, Double(indicator.lineCount), 1,
      Double(max(indicator.viewport - 1, 1)), Double(indicator.viewport))
    gtk_widget_queue_allocate(body.widget)
  }

  /// The last column, if the content is too high.
  private var barPlace: Rect {
    let bounds = scrollView.bounds
    if !scrollView.overflows || bounds.width < 2 { return .zero }
    return Rect(x: bounds.width - 1, y: 0, width: 1, height: bounds.height)
  }

  private func scrolled() {
    if isUpdating { return }
    // The bar moves by pixels, the view by rows, so the bar is not moved back while it is dragged.
    scrollView.scroll(to: Int(gtk_adjustment_get_value(adjustment).rounded()))
    window.backend.needsDisplay()
  }

  override func handlesMouse(at cell: Point) -> Bool { barPlace.contains(cell) }

  override func end() {
    super.end()
    body.end()
  }
}
#endif
