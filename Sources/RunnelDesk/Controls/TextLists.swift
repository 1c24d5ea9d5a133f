// Return and Tab in lists and indented text.
extension TextView {
  /// Performs a command in a list item or an indented line, as editors for Markdown do. Returns
  /// false if the command has no special meaning at the caret.
  ///
  ///     editor.rDelegate.answer(\.textView_doCommand) { $0.performInList($1) }
  ///
  /// Return continues the list with the next marker, such as `- `, `2. ` or `[ ] `, or repeats the
  /// indentation; in an empty item it ends the list. Tab and Shift+Tab indent an item. Each change
  /// is proposed as one of the user, so the delegate may refuse it and the user can undo it.
  @discardableResult
  public func performInList(_ command: Command) -> Bool {
    switch command {
    case .insertNewline, .insertTab, .insertBacktab: break
    default: return false
    }
    let caret = selection.head
    let line = document[line: caret.line]
    if line.utf8.first.map(\.beginsPlainText) == true { return false }
    let start = line.prefixMatch(of: Self.itemStart)
    guard isEditable, selection.isEmpty, let start, !start.0.isEmpty,
      caret.offset >= start.0.utf8.count
    else { return false }
    switch command {
    case .insertNewline where start.0.count == line.count:
      // A second Return ends the list.
      let lineStart = TextPosition(line: caret.line, offset: 0)
      propose(replacing: lineStart..<document.end(ofLine: caret.line), with: "")
    case .insertNewline:
      let marker = start.2.map { Self.marker(after: $0) + (start.3 == nil ? " " : " [ ] ") } ?? ""
      propose(replacing: caret..<caret, with: "\n" + start.1 + marker)
    case .insertTab where start.2 != nil: indent(caret, from: 0, to: "  ")
    case .insertBacktab where start.2 != nil:
      indent(caret, from: min(start.1.utf8.count, 2), to: "")
    default: return false
    }
    return true
  }

  /// The indentation, and the marker of an item if there is one.
  private static let itemStart = #/(\s*)(?:([-*+]|\d+[.)]) (\[[ xX]\] )?)?/#

  /// Replaces the beginning of a line. The caret keeps its place in the text.
  private func indent(_ caret: TextPosition, from count: Int, to new: String) {
    let replaced =
      TextPosition(line: caret.line, offset: 0)..<TextPosition(line: caret.line, offset: count)
    guard propose(replacing: replaced, with: new) else { return }
    let end = TextPosition(line: caret.line, offset: caret.offset - count + new.utf8.count)
    propose(selection: TextSelection(caret: end))
  }

  /// Returns the marker of the next item: the next number, or the same character.
  private static func marker(after marker: Substring) -> String {
    guard let number = Int(marker.dropLast()), number < .max else { return String(marker) }
    return "\(number + 1)\(marker.suffix(1))"
  }
}

extension UInt8 {
  /// True for a letter of ASCII, which begins neither an item nor an indentation.
  fileprivate var beginsPlainText: Bool { self | 0x20 >= 0x61 && self | 0x20 <= 0x7A }
}
