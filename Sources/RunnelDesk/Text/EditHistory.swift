/// What can be undone and redone. Typing is undone word by word, and so is deleting.
struct EditHistory {
  /// What takes a change back, or makes it again.
  struct Step {
    var change: TextChange
    /// What was selected before the text was edited.
    var before: TextSelection
    /// What was selected afterwards.
    var after: TextSelection
  }

  /// What may be added to the last step.
  private enum Addition: Equatable {
    /// Nothing: something else was done since.
    case nothing
    /// More of a word, or spaces behind it.
    case word(TextEdit.Kind)
    /// More spaces: a character that is none begins another word.
    case space(TextEdit.Kind)
  }

  private var undoable: [Step] = []
  private var redoable: [Step] = []
  private var addition = Addition.nothing

  /// What undoes the last change.
  var undo: Step? { undoable.last }
  /// What makes the change again that was undone last.
  var redo: Step? { redoable.last }

  /// Enters a change that a person has made.
  mutating func record(_ edit: TextEdit, _ step: Step) {
    redoable = []
    let touched = edit.kind == .typing ? edit.replacement : step.change.replacement
    if adds(touched, edit.kind), let last = undoable.last,
      let joined = last.change.joined(withLater: step.change)
    {
      undoable[undoable.count - 1] = Step(change: joined, before: last.before, after: step.after)
    } else {
      undoable.append(step)
    }
    addition = Self.addition(after: touched, edit.kind)
  }

  /// The last step has been undone; another one would make it again.
  mutating func didUndo(_ redo: TextChange) {
    guard var step = undoable.popLast() else { return }
    step.change = redo
    redoable.append(step)
    addition = .nothing
  }

  /// The last step has been redone; another one would undo it again.
  mutating func didRedo(_ undo: TextChange) {
    guard var step = redoable.popLast() else { return }
    step.change = undo
    undoable.append(step)
    addition = .nothing
  }

  /// What comes next is a step of its own: something else was done.
  mutating func close() { addition = .nothing }

  private func adds(_ text: String, _ kind: TextEdit.Kind) -> Bool {
    switch addition {
    case .nothing: false
    case .word(let last): last == kind
    case .space(let last): last == kind && text.first?.isWhitespace == true
    }
  }

  private static func addition(after text: String, _ kind: TextEdit.Kind) -> Addition {
    switch kind {
    case .typing, .deleting: text.last?.isWhitespace == true ? .space(kind) : .word(kind)
    case .other, .undo, .redo: .nothing
    }
  }
}

extension TextChange {
  /// Of two changes that take something back: one that does what the later one and then this one do.
  /// Nil where that is not one text at one place.
  fileprivate func joined(withLater later: TextChange) -> TextChange? {
    let start = range.lowerBound
    if later.replacement.isEmpty && later.range.lowerBound == range.upperBound {
      return TextChange(start..<later.range.upperBound, replacement)
    }
    guard range.isEmpty && later.range.isEmpty else { return nil }
    if later.end == start {
      return TextChange(later.range, later.replacement + replacement)
    }
    if later.range.lowerBound == start {
      return TextChange(range, replacement + later.replacement)
    }
    return nil
  }
}
