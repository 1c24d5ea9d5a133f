// Return and Tab in lists and indented text, and the boxes of tasks.
extension TextView {
  /// Performs a command in a list item or an indented line, as editors for Markdown do. Returns
  /// false if the command has no special meaning at the caret.
  ///
  ///     editor.rDelegate.answer(\.textView_doCommand) { $0.performInList($1) }
  ///
  /// Return continues the list with the next marker, such as `- `, `2. ` or `[ ] `, or repeats the
  /// indentation; in an empty item it ends the list. Tab and Shift+Tab indent an item or all selected lines. Each
  /// change is proposed as one of the user, so the delegate may refuse it and the user can undo it.
  @discardableResult
  public func performInList(_ command: Command) -> Bool {
    switch command {
    case .insertNewline, .insertTab, .insertBacktab: break
    default: return false
    }
    if !selection.isEmpty { return indentSelectedLines(command) }
    let caret = selection.head
    let line = document[line: caret.line]
    if line.utf8.first.map(\.beginsPlainText) == true { return false }
    let start = line.prefixMatch(of: Self.itemStart)
    guard isEditable, let start, !start.0.isEmpty,
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
    case .insertTab where start.2 != nil: indent(caret, from: 0, to: Self.indentation)
    case .insertBacktab where start.2 != nil:
      indent(caret, from: min(start.1.utf8.count, 2), to: "")
    default: return false
    }
    return true
  }

  /// Checks or unchecks a task, such as `- [ ] milk`, if a position is in its box. Returns false if
  /// nothing was changed.
  ///
  ///     editor.rDelegate.answer(\.textView_didPressAt_with) { view, position, _ in
  ///       view.toggleTask(at: position)
  ///     }
  @discardableResult
  public func toggleTask(at position: TextPosition) -> Bool {
    guard let box = box(ofLine: position.line), box.range.contains(position.offset) else {
      return false
    }
    return toggle([position.line], checks: !box.isChecked)
  }

  /// Checks the tasks in the selected lines, or unchecks them if all are checked. If no line is a task, each
  /// becomes one: `milk` becomes `- [ ] milk`. Returns false if nothing was changed.
  @discardableResult
  public func toggleTasks() -> Bool {
    let selected = selectedLines
    let tasks = selected.filter { box(ofLine: $0) != nil }
    if !tasks.isEmpty {
      return toggle(tasks, checks: !tasks.allSatisfy { box(ofLine: $0)?.isChecked == true })
    }
    return replace(
      selected.compactMap { number in
        let start = document[line: number].prefixMatch(of: Self.itemStart)
        let place = TextPosition(line: number, offset: start?.0.utf8.count ?? 0)
        let isEmpty = selected.count > 1 && document[line: number].isEmpty
        return isEmpty ? nil : (place..<place, start?.2 == nil ? "- [ ] " : "[ ] ")
      })
  }

  private func toggle(_ tasks: [Int], checks: Bool) -> Bool {
    replace(
      tasks.compactMap { number in
        guard let box = box(ofLine: number), box.isChecked != checks else { return nil }
        let mark = TextPosition(line: number, offset: box.range.lowerBound + 1)
        return (mark..<TextPosition(line: number, offset: mark.offset + 1), checks ? "x" : " ")
      })
  }

  /// Returns the offsets of the box of a task, such as `[ ]`; nil if a line is no task.
  private func box(ofLine number: Int) -> (range: Range<Int>, isChecked: Bool)? {
    guard let start = document[line: number].prefixMatch(of: Self.itemStart), let box = start.3
    else { return nil }
    let end = start.0.utf8.count
    return (end - box.utf8.count..<end - 1, !box.hasPrefix("[ "))
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
