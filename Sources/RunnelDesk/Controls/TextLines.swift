// The lines of the selection: Tab and Shift+Tab indent them, and Alt+Up and Alt+Down move them.
extension TextView {
  /// The lines that the selection reaches into, or the line of the caret.
  var selectedLines: ClosedRange<Int> {
    let (start, end) = (selection.range.lowerBound.line, selection.range.upperBound)
    // A selection that ends at the start of a line does not reach into it.
    return start...(end.offset == 0 && end.line > start ? end.line - 1 : end.line)
  }

  /// Indents the selected lines for Tab, and removes an indentation for Shift+Tab. Returns false, and changes
  /// nothing, if the selection is empty or a part of one line.
  func indentSelectedLines(_ command: Command) -> Bool {
    guard isEditable, selectsLines else { return false }
    switch command {
    case .insertTab:
      let lines = selectedLines.filter { !document[line: $0].isEmpty }
      replace(lines.map { (start(of: $0, 0), Self.indentation) }, movesLineStarts: false)
    case .insertBacktab:
      replace(
        selectedLines.compactMap { line in
          let count = document[line: line].removedIndentation(of: Self.indentation.utf8.count)
          return count > 0 ? (start(of: line, count), "") : nil
        })
    default: return false
    }
    return true
  }

  /// Exchanges the selected lines with the line above or below. Returns false if the text cannot be edited.
  func moveSelectedLines(by distance: Int) -> Bool {
    guard isEditable else { return false }
    let lines = selectedLines
    let passed = distance < 0 ? lines.lowerBound - 1 : lines.upperBound + 1
    guard (0..<document.lineCount).contains(passed) else { return true }
    let moved = document[
      start(of: lines.lowerBound, 0).lowerBound..<document.end(ofLine: lines.upperBound)]
    let texts = distance < 0 ? [moved, document[line: passed]] : [document[line: passed], moved]
    let range =
      start(of: min(passed, lines.lowerBound), 0)
      .lowerBound..<document.end(ofLine: max(passed, lines.upperBound))
    let selected = selection.map { TextPosition(line: $0.line + distance, offset: $0.offset) }
    if propose(replacing: range, with: texts.joined(separator: "\n")) {
      propose(selection: selected)
    }
    return true
  }

  /// Adds text at the end, as the user does by typing. The selection stays. Returns true if it was added.
  @discardableResult
  public func propose(appending text: String) -> Bool {
    let former = selection
    guard propose(replacing: document.end..<document.end, with: text) else { return false }
    propose(selection: former)
    return true
  }

  /// The indentation of an item or of selected lines.
  static let indentation = "  "

  /// True if more than one line is selected, or the whole text of one.
  private var selectsLines: Bool {
    let range = selection.range
    if range.isEmpty || range.lowerBound.line != range.upperBound.line { return !range.isEmpty }
    let line = document[line: range.lowerBound.line]
    let indentation = line.prefix { $0 == " " || $0 == "\t" }.utf8.count
    return range.lowerBound.offset <= indentation && range.upperBound.offset == line.utf8.count
  }

  /// Returns the range of the first bytes of a line.
  private func start(of line: Int, _ count: Int) -> Range<TextPosition> {
    TextPosition(line: line, offset: 0)..<TextPosition(line: line, offset: count)
  }

  /// Makes replacements in ascending order as one edit, which the user can undo. The selection keeps its
  /// text. If `movesLineStarts` is false, an end of it at the start of a line stays there.
  @discardableResult
  func replace(
    _ parts: [(range: Range<TextPosition>, new: String)], movesLineStarts: Bool = true
  ) -> Bool {
    guard let first = parts.first, let last = parts.last else { return false }
    var (text, end) = (first.new, first.range.upperBound)
    for part in parts.dropFirst() {
      text += document[end..<part.range.lowerBound] + part.new
      end = part.range.upperBound
    }
    let moved = parts.reversed().reduce(selection) { selection, part in
      let change = TextChange(part.range, part.new)
      return selection.map { position in
        if part.range != position..<position { return position.moved(by: change) }
        return movesLineStarts || position.offset > 0 ? change.end : position
      }
    }
    guard propose(replacing: first.range.lowerBound..<last.range.upperBound, with: text) else {
      return false
    }
    propose(selection: moved)
    return true
  }
}

extension String {
  /// Returns the number of bytes that Shift+Tab removes: one tab, or spaces up to a number.
  fileprivate func removedIndentation(of count: Int) -> Int {
    utf8.first == UInt8(ascii: "\t")
      ? 1 : utf8.prefix(count).prefix { $0 == UInt8(ascii: " ") }.count
  }
}
