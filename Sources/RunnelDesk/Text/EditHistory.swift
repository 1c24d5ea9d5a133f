/// The undo and redo history of a text. Typing and deleting are undone word by word.
struct EditHistory {
  /// A change that undoes or redoes an edit, with the selections before and after the edit.
  struct Step {
    var change: TextChange
    var before: TextSelection
    var after: TextSelection
    /// True if the program has made the edit.
    var isOutside = false
    /// True if the step is undone together with the step before it.
    var joinsFormer = false

    /// Returns true if undoing or redoing the edit restores a selection. After an edit of the program,
    /// the caret goes to the changed range, so that the user sees it.
    func restores(_ selection: TextSelection, in range: Range<TextPosition>) -> Bool {
      !isOutside || range.lowerBound <= selection.head && selection.head <= range.upperBound
    }
  }

  /// The edits that can be merged into the last step.
  private enum Addition: Equatable {
    /// None, because something else was done since.
    case nothing
    /// More letters of a word, or the spaces after it.
    case word(EditProposal.Kind)
    /// More spaces. Any other character begins a new step.
    case space(EditProposal.Kind)
  }

  private var undoable: [Step] = []
  private var redoable: [Step] = []
  private var addition = Addition.nothing

  var undo: Step? { undoable.last }
  var redo: Step? { redoable.last }

  /// True if the next undo belongs to the step that was undone last.
  var continuesUndo: Bool { redoable.last?.joinsFormer == true && !undoable.isEmpty }
  /// True if the next step is made again together with the last one.
  var continuesRedo: Bool { redoable.last?.joinsFormer == true }

  /// Adds a change that the program has made.
  mutating func record(outside step: Step) {
    redoable = []
    undoable.append(step)
    addition = .nothing
  }

  mutating func record(_ edit: EditProposal, _ step: Step) {
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

  /// Moves the last step to the redo list. `redo` is the change that makes the edit again.
  mutating func didUndo(_ redo: TextChange) {
    guard var step = undoable.popLast() else { return }
    step.change = redo
    redoable.append(step)
    addition = .nothing
  }

  /// Moves the last undone step back to the undo list. `undo` is the change that undoes it again.
  mutating func didRedo(_ undo: TextChange) {
    guard var step = redoable.popLast() else { return }
    step.change = undo
    undoable.append(step)
    addition = .nothing
  }

  /// Lets the last two steps be undone together.
  mutating func joinLastSteps() {
    if undoable.count > 1 { undoable[undoable.count - 1].joinsFormer = true }
  }

  /// Makes the next edit a separate step, because something else was done.
  mutating func close() { addition = .nothing }

  private func adds(_ text: String, _ kind: EditProposal.Kind) -> Bool {
    switch addition {
    case .nothing: false
    case .word(let last): last == kind
    case .space(let last): last == kind && text.first?.isWhitespace == true
    }
  }

  private static func addition(after text: String, _ kind: EditProposal.Kind) -> Addition {
    switch kind {
    case .typing, .deleting: text.last?.isWhitespace == true ? .space(kind) : .word(kind)
    case .other, .undo, .redo: .nothing
    }
  }
}

extension TextChange {
  /// Returns one undo change with the effect of undoing `later` and then this change; nil if they
  /// do not combine to one replacement.
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
