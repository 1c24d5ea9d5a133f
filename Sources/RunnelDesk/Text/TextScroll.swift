/// The visible part of a text that is larger than its view.
struct TextScroll {
  /// The visible rows, from top to bottom.
  private(set) var rows: [TextRow] = []
  /// The number of columns that are scrolled out on the left; zero if lines are wrapped.
  private(set) var left = 0
  /// True when the next update scrolls to the caret.
  var followsCaret = true
  /// The size of the view at the last update.
  private var size: Size?

  /// Updates the visible rows after a change of the text, the selection or the size.
  mutating func update(_ state: inout EditingState, size: Size, wraps: Bool) {
    // One column is reserved for a caret after the last character of a row.
    let width = wraps ? max(size.width - 1, 1) : nil
    // A caret that is in view stays in view. The user may have scrolled away from it.
    if let before = self.size, before != size || state.layout.width != width,
      shows(state.selection.head)
    {
      followsCaret = true
    }
    self.size = size
    state.layout.width = width
    let height = max(size.height, 1)
    state.pageRows = max(height - 1, 1)
    find(height, from: topRow(of: &state), in: &state)
    if followsCaret { showCaret(&state, size: size) }
    followsCaret = false
  }

  /// Scrolls down by a number of rows, or up if it is negative.
  mutating func scroll(by count: Int, _ state: inout EditingState) {
    let top = topRow(of: &state)
    let height = max(rows.count, 1)
    find(height, from: state.layout.row(top, movedBy: count, of: state.document), in: &state)
    followsCaret = false
  }

  /// Returns the position of the text at a point, which may be outside of the view.
  func position(at point: Point, in state: inout EditingState) -> TextPosition {
    guard let first = rows.first, let last = rows.last else { return .start }
    let below = point.y - rows.count
    let row: TextRow
    if point.y < 0 {
      let edge = state.layout.row(first, movedBy: point.y + 1, of: state.document)
      guard let above = state.layout.row(before: edge, of: state.document) else { return .start }
      row = above
    } else if below >= 0 {
      let edge = state.layout.row(last, movedBy: below, of: state.document)
      guard let next = state.layout.row(after: edge, of: state.document) else {
        return state.document.end
      }
      row = next
    } else {
      row = rows[point.y]
    }
    return state.layout.position(atColumn: point.x.plus(left), in: row, of: state.document)
  }

  /// True if a position was visible at the last update.
  private func shows(_ position: TextPosition) -> Bool {
    guard let first = rows.first, let last = rows.last else { return false }
    return first.start <= position && position <= last.end
  }

  private func topRow(of state: inout EditingState) -> TextRow {
    state.layout.row(at: state.document.clamped(state.top), of: state.document)
  }

  /// Shows the rows from `top` on, or earlier ones if the rest does not fill the view.
  private mutating func find(_ height: Int, from top: TextRow, in state: inout EditingState) {
    var top = top
    rows = [top]
    while rows.count < height,
      let next = rows.last.flatMap({
        state.layout.row(after: $0, of: state.document)
      })
    {
      rows.append(next)
    }
    while rows.count < height, let before = state.layout.row(before: top, of: state.document) {
      top = before
      rows.insert(before, at: 0)
    }
    state.top = top.start
  }

  private mutating func showCaret(_ state: inout EditingState, size: Size) {
    let head = state.selection.head
    let row = state.layout.row(at: head, of: state.document)
    if let first = rows.first, row.start < first.start {
      find(rows.count, from: row, in: &state)
    } else if let last = rows.last, row.start > last.start {
      let top = state.layout.row(row, movedBy: 1 - rows.count, of: state.document)
      find(rows.count, from: top, in: &state)
    }
    left = state.layout.width == nil ? column(toShow: head, in: &state, width: size.width) : 0
  }

  /// Returns the first visible column. It changes only as far as needed to show the position and to
  /// leave no unused space after the line.
  private func column(
    toShow position: TextPosition, in state: inout EditingState, width: Int
  ) -> Int {
    let column = state.layout.column(of: position, in: state.document)
    let needed = max(column - max(width, 1) + 1, 0)
    if left <= needed { return needed }
    let end = state.document.end(ofLine: position.line)
    let useful = max(state.layout.column(of: end, in: state.document) - max(width, 1) + 1, 0)
    return min(left, column, max(useful, needed))
  }
}
