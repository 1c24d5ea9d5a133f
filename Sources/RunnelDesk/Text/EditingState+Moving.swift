extension EditingState {
  /// Performs a command that changes only the selection. Returns false for other commands.
  package mutating func perform(_ command: Command) -> Bool {
    switch command {
    case .move(let movement): move(movement)
    case .extend(let movement): go(movement) { TextSelection(anchor: $0, head: $1) }
    case .selectAll: select(TextSelection(document.bounds))
    case .insertNewline, .insertTab, .insertBacktab, .cancel, .complete, .delete, .undo, .redo,
      .moveLinesUp, .moveLinesDown, .cut, .copy, .paste, .quit:
      return false
    }
    return true
  }

  private mutating func move(_ movement: Movement) {
    // Left and right first collapse a selection to its start or its end.
    switch movement {
    case .left where !selection.isEmpty: select(TextSelection(caret: selection.range.lowerBound))
    case .right where !selection.isEmpty: select(TextSelection(caret: selection.range.upperBound))
    case .left, .right, .wordLeft, .wordRight, .lineStart, .lineEnd, .start, .end, .up, .down,
      .pageUp, .pageDown:
      go(movement) { _, head in TextSelection(caret: head) }
    }
  }

  private mutating func go(
    _ movement: Movement,
    _ selecting: (_ anchor: TextPosition, _ head: TextPosition) -> TextSelection
  ) {
    let goal = movement.isVertical ? goalColumn ?? column(of: selection.head) : nil
    let target = destination(of: movement, goal ?? 0)
    select(selecting(selection.anchor, target))
    goalColumn = goal
  }

  // MARK: - Destinations

  private mutating func destination(of movement: Movement, _ goal: Int) -> TextPosition {
    let head = selection.head
    return switch movement {
    case .left: document.position(before: head) ?? head
    case .right: document.position(after: head) ?? head
    case .wordLeft: document.wordStart(before: head)
    case .wordRight: document.wordEnd(after: head)
    case .lineStart: rowStart(of: head)
    case .lineEnd: rowEnd(of: head)
    case .start: .start
    case .end: document.end
    case .up: place(rowsBelow: -1, goal)
    case .down: place(rowsBelow: 1, goal)
    case .pageUp: place(rowsBelow: -max(pageRows, 1), goal)
    case .pageDown: place(rowsBelow: max(pageRows, 1), goal)
    }
  }

  /// Returns the end of the text to delete. Line movements cover the whole line, not only a wrapped
  /// row. At the start or the end of the line they cover the line break.
  mutating func destination(ofDeleting movement: Movement) -> TextPosition {
    let head = selection.head
    switch movement {
    case .lineStart where head.offset > 0: return TextPosition(line: head.line, offset: 0)
    case .lineStart: return document.position(before: head) ?? head
    case .lineEnd:
      let end = document.end(ofLine: head.line)
      return head < end ? end : document.position(after: head) ?? head
    case .left, .right, .wordLeft, .wordRight, .start, .end, .up, .down, .pageUp, .pageDown:
      return destination(of: movement, movement.isVertical ? column(of: head) : 0)
    }
  }

  /// Returns the start of the row, or that of the line if the position is the start of the row.
  private mutating func rowStart(of position: TextPosition) -> TextPosition {
    let start = layout.row(at: position, of: document).start
    return position == start ? TextPosition(line: position.line, offset: 0) : start
  }

  /// Returns the end of the row, or that of the line if the position is the end of the row.
  private mutating func rowEnd(of position: TextPosition) -> TextPosition {
    let row = layout.row(at: position, of: document)
    let end = layout.position(atColumn: .max, in: row, of: document)
    return position == end ? document.end(ofLine: position.line) : end
  }

  /// Returns the position `count` rows below the caret, or above it if `count` is negative. Beyond
  /// the first or the last row, this is the start or the end of the text.
  private mutating func place(rowsBelow count: Int, _ goal: Int) -> TextPosition {
    let from = layout.row(at: selection.head, of: document)
    let row = layout.row(from, movedBy: count, of: document)
    if row == from { return count < 0 ? .start : document.end }
    return layout.position(atColumn: goal, in: row, of: document)
  }

  private mutating func column(of position: TextPosition) -> Int {
    layout.column(of: position, in: document)
  }
}

extension Movement {
  fileprivate var isVertical: Bool {
    switch self {
    case .up, .down, .pageUp, .pageDown: true
    case .left, .right, .wordLeft, .wordRight, .lineStart, .lineEnd, .start, .end: false
    }
  }
}
