/// A change of a text: a range that was replaced.
///
/// A control reports each change by the user as an edit. Applied to a copy of the text before, it
/// leads to the text after:
///
///     var copy = editor.document
///     editor.rx.edits.observeNext { copy.apply($0) }
///
/// Changes by the program are not reported. ``TextDocument/apply(_:)`` returns false once the copy
/// differs.
///
/// Applying an edit takes time in proportion to the edit and the lines that it changes, not to the
/// text.
public struct TextEdit: Hashable, Sendable {
  /// The cause of an edit.
  public enum Origin: Hashable, Sendable {
    /// The user typed, pasted, cut or deleted text.
    case typed
    /// The program has changed the text, for example because its file has changed.
    case outside
    /// The user has undone or redone an edit.
    case undo
  }

  /// The replaced range, in the text before the edit.
  public var range: Range<TextPosition>
  /// The text of the range before the edit.
  public var old: String
  /// The text that replaces it.
  public var new: String
  /// The cause.
  public var origin: Origin

  /// Creates the edit that replaces the text of a range.
  public init(
    _ range: Range<TextPosition>, old: String, new: String, origin: Origin = .outside
  ) {
    self.range = range
    self.old = old
    self.new = new
    self.origin = origin
  }

  /// The range of ``new``, in the text after the edit.
  public var newRange: Range<TextPosition> {
    range.lowerBound..<range.lowerBound.advanced(over: new)
  }

  /// The edit that restores the text before this edit.
  public var inverse: TextEdit { TextEdit(newRange, old: new, new: old, origin: .undo) }

  /// The change that the edit makes.
  package var change: TextChange { TextChange(range, new) }
}

extension TextDocument {
  /// Makes an edit of this text. Returns false, and does nothing, if the range has another text than
  /// ``TextEdit/old``.
  ///
  ///     var document = TextDocument("one two")
  ///     let two = TextPosition(line: 0, offset: 4)..<document.end
  ///     document.apply(TextEdit(two, old: "two", new: "2"))
  ///     print(document.text)  // one 2
  @discardableResult
  public mutating func apply(_ edit: TextEdit) -> Bool {
    guard accepts(edit) else { return false }
    change(edit.change, origin: edit.origin)
    return true
  }

  /// Returns true if the range of an edit has its old text.
  func accepts(_ edit: TextEdit) -> Bool {
    let isInText =
      scalarAligned(edit.range.lowerBound) == edit.range.lowerBound
      && scalarAligned(edit.range.upperBound) == edit.range.upperBound
    return isInText && self[edit.range].utf8.elementsEqual(edit.old.utf8)
  }
}
