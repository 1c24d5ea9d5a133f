#if GTK
import CGTK
import RunnelDesk

/// The root view of a full window: the menu bar, the search field and the content, from top to bottom.
///
/// A window with a header bar shows the search field there. Its frame in cells stays above the content,
/// which is therefore somewhat higher in pixels.
final class RootMirror: ViewMirror {
  private func child(of view: View?) -> ViewMirror? {
    view.flatMap { view in children.first { $0.view === view } }
  }

  private var search: ViewMirror? { child(of: window.window.searchField) }

  override var isMeasured: Bool { search != nil || super.isMeasured }

  override func attach(_ child: ViewMirror) {
    if let header = window.header, child.view === window.window.searchField {
      header.show(search: child)
    } else {
      super.attach(child)
    }
  }

  override func give(_ place: Rect, to child: ViewMirror) {
    // The header bar places it.
    if window.header == nil || child !== search { super.give(place, to: child) }
  }

  override func arrangement(in size: Size) -> [Rect]? {
    guard let search, let content = child(of: window.window.content) else { return nil }
    let bar = child(of: window.window.menuBar)
    var (barHeight, margin, height) = (0, 0, 0)
    if window.header == nil {
      barHeight = window.metrics.pixels(rows: bar?.view.frame.height ?? 0)
      margin = window.pixels(.edge, along: .vertical)
      height = search.rowHeight
    }
    let top = barHeight + height + 2 * margin
    if size.height - top < content.leastHeight { return nil }
    return children.map { child in
      if child === bar { return Rect(x: 0, y: 0, width: size.width, height: barHeight) }
      if child !== search {
        return Rect(x: 0, y: top, width: size.width, height: size.height - top)
      }
      return Rect(
        x: margin, y: barHeight + margin, width: max(size.width - 2 * margin, 0), height: height)
    }
  }

  override func target(x: Double, y: Double) -> MouseTarget {
    // Only the search field is above the content.
    guard y < 0, window.header != nil, let search else { return super.target(x: x, y: y) }
    let origin = search.origin
    return search.target(x: x - origin.x, y: y - origin.y)
  }
}
#endif
