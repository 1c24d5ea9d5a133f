// Return and Tab in lists and indented text, and the boxes of tasks.
extension TextView {
  /// Performs a command in a list item or an indented line, as editors for Markdown do. Returns
  /// false if the command has no special meaning at the caret.
  ///
  ///     editor.rDelegate.answer(\.textView_doCommand) { $0.performInList($1) }
  ///
  /// Return continues the list with the next marker, such as `- `, `2. ` or `[ ] `, or repeats the indentation. In an
  /// empty item, Return goes on with the outer list, or ends the list, and so does Backspace at the start of an item. Tab makes an item, with those below
  /// it, the next one below the item before it, and Shift+Tab the next one of the outer list. The numbers of the items
  /// after it are changed to fit. Both keys indent selected lines too.
  ///
  /// Each change is proposed as one of the user, so the delegate may refuse it and the user can undo it.
  @discardableResult
  public func performInList(_ command: Command) -> Bool {
    switch command {
    case .insertNewline, .insertTab, .insertBacktab, .delete(.left): break
    default: return false
    }
    if !selection.isEmpty { return indentSelectedLines(command) }
    let caret = selection.head
    let line = document[line: caret.line]
    if line.utf8.first.map(\.beginsPlainText) == true { return false }
    let start = line.prefixMatch(of: Self.itemStart)
    guard isEditable, let start, !start.0.isEmpty else { return false }
    let isBeforeText = caret.offset < start.0.utf8.count
    if isBeforeText && command != .insertTab && command != .insertBacktab { return false }
    switch command {
    case .delete:
      guard let marker = start.2, start.0.utf8.count == caret.offset else { return false }
      if !start.1.isEmpty { return outdent(caret.line, start.1, marker) }
      replace([(TextPosition(line: caret.line, offset: 0)..<caret, "")])
    case .insertNewline where start.0.count == line.count:
      // A second Return goes on with the outer list, or ends the list.
      if let marker = start.2, !start.1.isEmpty { return outdent(caret.line, start.1, marker) }
      let lineStart = TextPosition(line: caret.line, offset: 0)
      propose(replacing: lineStart..<document.end(ofLine: caret.line), with: "")
    case .insertNewline:
      let marker =
        start.2.map { Self.marker(after: $0) + (start.3 == nil ? " " : " [ ] ") } ?? ""
      let next = start.2.flatMap(Self.number).map { $0 + 1 }
      replace(
        [(caret..<caret, "\n" + start.1 + marker)]
          + renumbered(after: caret.line, indentedBy: start.1.count, from: next, by: 1))
    case .insertTab:
      guard let marker = start.2 else { return false }
      indent(caret.line, start.1, marker)
    default:
      guard let marker = start.2 else { return false }
      outdent(caret.line, start.1, marker)
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

  private typealias Item = (indentation: Substring, marker: Substring)

  /// The number of lines above and below an item that belong to its list at most.
  private static let longestList = 500

  /// The items above a line, from below. Two blank lines, or a paragraph, end the list.
  private func items(above line: Int) -> [Item] {
    var items: [Item] = []
    var blankCount = 0
    for number in (max(0, line - Self.longestList)..<max(0, line)).reversed() {
      let text = document[line: number]
      blankCount = text.isEmpty ? blankCount + 1 : 0
      guard let start = text.prefixMatch(of: Self.itemStart), blankCount < 2 else { break }
      if let marker = start.2 {
        items.append((start.1, marker))
      } else if start.1.isEmpty && !text.isEmpty {
        break
      }
    }
    return items
  }

  /// Puts an item, with those below it, below the item before it, if both are indented alike. The number of the first
  /// such item is 1.
  private func indent(_ line: Int, _ indentation: Substring, _ marker: Substring) {
    let above = items(above: line)
    let inside = above.prefix { $0.indentation.count > indentation.count }
    let before = above.dropFirst(inside.count).first
    guard let before, before.indentation.count == indentation.count else {
      return move(line, (indentation, marker), to: (indentation + Self.indentation, marker), [])
    }
    // The other items below the item before it have their own indentation.
    let outer = inside.min { $0.indentation.count < $1.indentation.count }?.indentation
    let inner = outer ?? indentation + String(repeating: " ", count: before.marker.count + 1)
    var next = marker
    if Self.number(marker) != nil {
      let last = inside.first { $0.indentation == inner }
      next = last.map { Self.marker(after: $0.marker) } ?? "1" + marker.suffix(1)
    }
    let others = renumbered(
      after: line, indentedBy: indentation.count, from: Self.number(marker).map { $0 + 1 }, by: -1)
    move(line, (indentation, marker), to: (inner, next), others)
  }

  /// Makes an item, with those below it, the next one of the outer list, and the items after it the first ones below
  /// it. Without an outer list, the item is indented less.
  @discardableResult
  private func outdent(_ line: Int, _ indentation: Substring, _ marker: Substring) -> Bool {
    let outer = items(above: line).first { $0.indentation.count < indentation.count }
    guard let outer else {
      let less = indentation.dropFirst(Self.indentation.count)
      if less != indentation { move(line, (indentation, marker), to: (less, marker), []) }
      return true
    }
    let (number, outerNumber) = (Self.number(marker), Self.number(outer.marker))
    let hasInner = !inner(below: line, indentedBy: indentation.count).isEmpty
    let inner =
      hasInner
      ? []
      : renumbered(
        after: line, indentedBy: indentation.count, from: number.map { $0 + 1 },
        by: -(number ?? 0))
    let others = renumbered(
      after: line, indentedBy: outer.indentation.count, from: outerNumber.map { $0 + 1 }, by: 1)
    move(
      line, (indentation, marker), to: (outer.indentation, Self.marker(after: outer.marker)),
      inner + others)
    return true
  }

  /// The lines after an item that are indented more.
  private func inner(below line: Int, indentedBy columns: Int) -> Range<Int> {
    let end = min(document.lineCount, line + Self.longestList)
    let first = (line + 1..<max(end, line + 1)).first {
      document[line: $0].prefix { $0 == " " || $0 == "\t" }.count <= columns
    }
    return line + 1..<max(first ?? end, line + 1)
  }

  /// Changes the beginning of an item, and the indentation of the lines below it as much. `others` are replacements
  /// in later lines.
  private func move(_ line: Int, _ item: Item, to new: Item, _ others: [Part]) {
    let end = item.indentation.utf8.count + item.marker.utf8.count
    let beginning = TextPosition(line: line, offset: 0)..<TextPosition(line: line, offset: end)
    let added = new.indentation.count - item.indentation.count
    let inner = inner(below: line, indentedBy: item.indentation.count).map { line -> Part in
      let start = TextPosition(line: line, offset: 0)
      if added >= 0 { return (start..<start, String(repeating: " ", count: added)) }
      return (start..<TextPosition(line: line, offset: -added), "")
    }
    replace([(beginning, String(new.indentation + new.marker))] + inner + others)
  }

  private typealias Part = (range: Range<TextPosition>, new: String)

  /// Returns the replacements of the numbers of the items after a line that are indented by some columns, as long as
  /// they count on from a number. Deeper items and their text are passed over.
  private func renumbered(
    after line: Int, indentedBy columns: Int, from number: Int?, by difference: Int
  ) -> [Part] {
    guard var number, difference != 0 else { return [] }
    var parts: [Part] = []
    var blankCount = 0
    for line in (line + 1)..<max(min(document.lineCount, line + Self.longestList), line + 1) {
      let text = document[line: line]
      blankCount = text.isEmpty ? blankCount + 1 : 0
      if text.isEmpty && blankCount < 2 { continue }
      guard let start = text.prefixMatch(of: Self.itemStart), !start.1.isEmpty || start.2 != nil
      else { break }
      guard let marker = start.2, start.1.count <= columns else { continue }
      guard start.1.count == columns, Self.number(marker) == number else { break }
      let place = TextPosition(line: line, offset: start.1.utf8.count)
      let end = TextPosition(line: line, offset: place.offset + marker.utf8.count - 1)
      parts.append((place..<end, "\(number + difference)"))
      number += 1
    }
    return parts
  }

  /// The number of an item; nil for an item without one, and for a number that is too large to count on.
  private static func number(_ marker: Substring) -> Int? {
    Int(marker.dropLast()).flatMap { $0 < 1_000_000_000 ? $0 : nil }
  }

  /// Returns the marker of the next item: the next number, or the same character.
  private static func marker(after marker: Substring) -> Substring {
    guard let number = Int(marker.dropLast()), number < .max else { return marker }
    return "\(number + 1)\(marker.suffix(1))"
  }
}

extension UInt8 {
  /// True for a letter of ASCII, which begins neither an item nor an indentation.
  fileprivate var beginsPlainText: Bool { self | 0x20 >= 0x61 && self | 0x20 <= 0x7A }
}
