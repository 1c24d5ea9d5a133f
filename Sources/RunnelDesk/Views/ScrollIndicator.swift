/// The position of the scroll indicator of a view with more lines than it has room for.
package struct ScrollIndicator {
  /// The number of hidden lines above the visible ones.
  package var top: Int
  package var lineCount: Int
  /// The number of lines that the view has room for.
  package var viewport: Int

  /// The range of the indicator, in cells from the first visible line; empty if all lines are
  /// visible.
  var range: Range<Int> {
    guard lineCount > viewport, viewport > 0 else { return 0..<0 }
    let length = max(viewport * viewport / lineCount, 1)
    let room = viewport - length
    let hidden = lineCount - viewport
    // The indicator touches an end only if no more lines are hidden there.
    let start = top * room / hidden
    let fitted = top > 0 && room > 1 ? min(max(start, 1), top < hidden ? room - 1 : room) : start
    return fitted..<fitted + length
  }

  /// Returns the number of hidden lines that puts the middle of the indicator at a cell, as far as
  /// possible.
  func top(forMiddleAt cell: Int) -> Int {
    let length = range.count
    let room = viewport - length
    guard room > 0 else { return top }
    let start = min(max(cell - length / 2, 0), room)
    return start * (lineCount - viewport) / room
  }
}

extension Painter {
  mutating func scrollBar(_ indicator: ScrollIndicator, at point: Point, style: TextStyle) {
    verticalLine(from: point, length: indicator.viewport, style: style)
    let range = indicator.range
    let thumb = Rect(x: point.x, y: point.y + range.lowerBound, width: 1, height: range.count)
    fill(thumb, with: "█", style: style)
  }
}
