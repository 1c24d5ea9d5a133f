#if GTK
import CGTK
import RunnelDesk

/// A part of a higher content, with a scroll bar.
final class ScrollViewMirror: ViewMirror {
  private let scrollView: ScrollView
  private let body = Container(name: "scrolledwindow")
  private let scrollBar = RowScrollBar()

  init(_ scrollView: ScrollView, in window: WindowMirror) {
    self.scrollView = scrollView
    super.init(scrollView, in: window, body: body)
    gtk_widget_set_focusable(body.widget, 1)
    gtk_widget_add_css_class(body.widget, "runnel-focusable")
    body.add(scrollBar.widget)
    // Safety: `Container.end()` releases the closure before this object is released.
    body.place = { [unowned self] _, _ in
      if barPlace.isEmpty { return }
      let area = pixels(of: barPlace)
      Container.give(area, to: scrollBar.widget)
    }
    signals.connect(scrollBar.adjustment, "value-changed") { [weak self] _ in self?.scrolled() }
  }

  override func update() {
    super.update()
    scrollBar.show(scrollView.indicator, isVisible: !barPlace.isEmpty)
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
    scrollView.scroll(to: scrollBar.top)
    window.backend.needsDisplay()
  }

  override func handlesMouse(at cell: Point) -> Bool { barPlace.contains(cell) }
}
#endif
