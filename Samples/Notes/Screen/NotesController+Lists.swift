import RunnelDesk

// Return and Tab in lists and indented text.
extension NotesController {
  /// Handles a command in the text. Returns false if it has no special meaning there.
  func editList(by command: Command) -> Bool {
    let (editor, caret) = (screen.editor, screen.editor.selection.head)
    let line = editor.document[line: caret.line]
    // The indentation, and the marker of an item if there is one.
    let start = line.prefixMatch(of: #/(\s*)(?:([-*+]|\d+[.)]) (\[[ xX]\] )?)?/#)
    guard editor.isEditable, editor.selection.isEmpty, let start, !start.0.isEmpty,
      caret.offset >= start.0.utf8.count
    else { return false }
    let lineStart = TextPosition(line: caret.line, offset: 0)
    switch command {
    case .insertNewline where start.0.count == line.count:
      // A second Return ends the list.
      return editor.propose(
        replacing: lineStart..<editor.document.end(ofLine: caret.line), with: "")
    case .insertNewline:
      let marker = start.2.map { Self.marker(after: $0) + (start.3 == nil ? " " : " [ ] ") } ?? ""
      return editor.propose(replacing: caret..<caret, with: "\n" + start.1 + marker)
    case .insertTab where start.2 != nil: return indent(caret, from: 0, to: "  ")
    case .insertBacktab where start.2 != nil:
      return indent(caret, from: min(start.1.utf8.count, 2), to: "")
    default: return false
    }
  }

  /// Replaces the beginning of a line. The caret keeps its place in the text.
  private func indent(_ caret: TextPosition, from count: Int, to new: String) -> Bool {
    var (start, end) = (caret, caret)
    (start.offset, end.offset) = (0, caret.offset - count + new.utf8.count)
    let replaced = start..<TextPosition(line: caret.line, offset: count)
    screen.editor.propose(replacing: replaced, with: new)
    return screen.editor.propose(selection: TextSelection(caret: end))
  }

  /// Returns the marker of the next item: the next number, or the same character.
  private static func marker(after marker: Substring) -> String {
    guard let number = Int(marker.dropLast()), number < .max else { return String(marker) }
    return "\(number + 1)\(marker.suffix(1))"
  }
}
