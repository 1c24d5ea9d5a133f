extension EditingState {
  /// Does what a command asks for if that changes what is selected, and not the text. Returns whether
  /// it is such a command.
  package mutating func perform(_ command: Command) -> Bool {
    switch command {
    case .move(let movement): move(movement)
    case .extend(let movement): go(movement) { TextSelection(anchor: $0, head: $1) }
    case .selectAll: select(TextSelection(document.bounds))
    case .insertNewline, .insertTab, .insertBacktab, .cancel, .complete, .delete, .undo, .redo,
      .cut, .copy, .paste, .quit:
      return false
    }
    return true
  }

  private mutating func move(_ movement: Movement) {
    // Out of a selection, one goes to its end first.
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

  // MARK: - Where to

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

  /// The ends of a line are those of all its rows for deleting; and there, it is the break that goes.
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

  /// The beginning of the row; who is there already goes on to that of the line.
  private mutating func rowStart(of position: TextPosition) -> TextPosition {
    let start = layout.row(at: position, of: document).start
    return position == start ? TextPosition(line: position.line, offset: 0) : start
  }

  /// The end of the row; who is there already goes on to that of the line.
  private mutating func rowEnd(of position: TextPosition) -> TextPosition {
    let row = layout.row(at: position, of: document)
    let end = layout.position(atColumn: .max, in: row, of: document)
    return position == end ? document.end(ofLine: position.line) : end
  }

  /// A place some rows below, or above. Beyond the first row is the beginning, and beyond the last one
  /// the end.
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
