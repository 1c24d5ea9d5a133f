/// A delegate that logs its calls and whose answers differ from the defaults.
@MainActor
final class EditorController: EditorDelegate {
  var log: [String] = []
  var isRichText: Bool { false }
  var typingAttributes = ["T": "T"]
  var zoom = 7.5

  private func note<each Argument>(
    _ argument: repeat each Argument, function: String = #function
  ) {
    log.append("\(function) \(arguments(repeat each argument))")
  }

  func scrollViewDidScroll(_ view: Editor) { note(view) }
  func scrollViewWillBeginDragging(_ view: Editor) { note(view) }
  func scrollView(_ view: Editor, willEndDraggingWith velocity: Double, target: inout Double) {
    note(view, velocity, target)
    target += 1
  }
  func scrollView(_ view: Editor, didEndDraggingAndWillDecelerate decelerates: Bool) {
    note(view, decelerates)
  }
  func scrollViewWillBeginDecelerating(_ view: Editor) { note(view) }
  func scrollViewDidEndDecelerating(_ view: Editor) { note(view) }
  func scrollViewShouldScrollToTop(_ view: Editor) -> Bool {
    note(view)
    return false
  }
  func scrollViewDidScrollToTop(_ view: Editor) { note(view) }
  func tableView(_ table: Editor, didSelectRowAt row: Int) { note(table, row) }
  func tableView(_ table: Editor, didDeselectRowAt row: Int) { note(table, row) }
  func tableViewSelectionIsChanging(_ table: Editor) { note(table) }
  func tableViewSelectionDidChange(_ table: Editor) { note(table) }
  func tableView(_ table: Editor, willDisplay cell: String, forRowAt row: Int) {
    note(table, cell, row)
  }
  func tableView(_ table: Editor, didEndDisplaying cell: String, forRowAt row: Int) {
    note(table, cell, row)
  }
  func tableView(_ table: Editor, didClick column: String) { note(table, column) }
  func tableView(_ table: Editor, didDrag column: String) { note(table, column) }
  func tableViewColumnDidMove(_ table: Editor, from old: Int, to new: Int) { note(table, old, new) }
  func tableViewColumnDidResize(_ table: Editor, column: String, from width: Double) {
    note(table, column, width)
  }
  func tableView(_ table: Editor, sortOrdersDidChange old: [SortOrder]) { note(table, old) }
  func tableView(_ table: Editor, commit edit: RowEdit, forRowAt row: Int) {
    note(table, edit, row)
  }
  func tableView(_ table: Editor, moveRowAt row: Int, to new: Int) { note(table, row, new) }
  func tableView(_ table: Editor, shouldSelectRowAt row: Int) -> Bool {
    note(table, row)
    return false
  }
  func tableView(_ table: Editor, willSelectRowAt row: Int) -> Int? {
    note(table, row)
    return 7
  }
  func tableView(_ table: Editor, selectionFor proposed: [Int]) -> [Int] {
    note(table, proposed)
    return [7]
  }
  func numberOfRows(in table: Editor) -> Int {
    note(table)
    return 7
  }
  func tableView(_ table: Editor, cellFor column: String?, row: Int) -> String? {
    note(table, column, row)
    return "T"
  }
  func tableView(_ table: Editor, heightOfRow row: Int) -> Double {
    note(table, row)
    return 7.5
  }
  func tableView(_ table: Editor, isGroupRow row: Int) -> Bool {
    note(table, row)
    return true
  }
  func tableView(_ table: Editor, shouldEdit column: String?, row: Int) -> Bool {
    note(table, column, row)
    return false
  }
  func tableView(_ table: Editor, shouldMove column: Int, to new: Int) -> Bool {
    note(table, column, new)
    return false
  }
  func tableView(_ table: Editor, typeSelectTextFor row: Int) -> String? {
    note(table, row)
    return "T"
  }
  func tableView(_ table: Editor, write rows: [Int], to board: inout [String]) -> Bool {
    note(table, rows, board)
    board.append("T")
    return true
  }
  func tableView(_ table: Editor, validateDropAt row: inout Int) -> DropOperation {
    note(table, row)
    row += 1
    return .on
  }
  func tableView(_ table: Editor, acceptDropAt row: Int, operation: DropOperation) -> Bool {
    note(table, row, operation)
    return true
  }
  func outlineViewItemWillExpand(_ outline: Editor, item: String) { note(outline, item) }
  func outlineViewItemDidExpand(_ outline: Editor, item: String) { note(outline, item) }
  func outlineViewItemWillCollapse(_ outline: Editor, item: String) { note(outline, item) }
  func outlineViewItemDidCollapse(_ outline: Editor, item: String) { note(outline, item) }
  func outlineView(_ outline: Editor, didAdd item: String, forRowAt row: Int) {
    note(outline, item, row)
  }
  func outlineView(_ outline: Editor, didRemove item: String, forRowAt row: Int) {
    note(outline, item, row)
  }
  func outlineView(_ outline: Editor, numberOfChildrenOf item: String?) -> Int {
    note(outline, item)
    return 7
  }
  func outlineView(_ outline: Editor, child index: Int, of item: String?) -> String {
    note(outline, index, item)
    return "T"
  }
  func outlineView(_ outline: Editor, isExpandable item: String) -> Bool {
    note(outline, item)
    return true
  }
  func outlineView(_ outline: Editor, shouldExpand item: String) -> Bool {
    note(outline, item)
    return false
  }
  func outlineView(_ outline: Editor, shouldCollapse item: String) -> Bool {
    note(outline, item)
    return false
  }
  func outlineView(_ outline: Editor, tipFor item: String) -> String? {
    note(outline, item)
    return "T"
  }
  func textDidBeginEditing(_ text: Editor) { note(text) }
  func textDidChange(_ text: Editor) { note(text) }
  func textDidEndEditing(_ text: Editor) { note(text) }
  func textViewDidChangeSelection(_ text: Editor, from old: Range<Int>) { note(text, old) }
  func textView(_ text: Editor, clickedOn link: String, at index: Int) { note(text, link, index) }
  func textView(_ text: Editor, willInsert characters: inout String) {
    note(text, characters)
    characters += "T"
  }
  func textView(_ text: Editor, didFind ranges: Range<Int>...) { note(text, ranges) }
  func textShouldBeginEditing(_ text: Editor) -> Bool {
    note(text)
    return false
  }
  func textShouldEndEditing(_ text: Editor) -> Bool {
    note(text)
    return false
  }
  func textView(_ text: Editor, shouldReplace range: inout Range<Int>, with new: String?) -> Bool {
    note(text, range, new)
    range = range.lowerBound..<9
    return false
  }
  func textView(_ text: Editor, willSelect new: Range<Int>, insteadOf old: Range<Int>) -> Range<Int>
  {
    note(text, new, old)
    return 7..<9
  }
  func textView(_ text: Editor, completionsFor range: Range<Int>, index: inout Int) -> [String] {
    note(text, range, index)
    index += 1
    return ["T"]
  }
  func textView(_ text: Editor, doCommand command: String) -> Bool {
    note(text, command)
    return true
  }
  func textView(_ text: Editor, menuAt index: Int) -> [String] {
    note(text, index)
    return ["T"]
  }
  func editorWillClose(_ editor: Editor) { note(editor) }
  func editorShouldClose(_ editor: Editor) -> Bool {
    note(editor)
    return false
  }
  func title(of editor: Editor) -> String {
    note(editor)
    return "T"
  }
}

/// Returns the arguments as one string.
func arguments<each Argument>(_ argument: repeat each Argument) -> String {
  var texts: [String] = []
  for argument in repeat each argument { texts.append("\(argument)") }
  return texts.joined(separator: ", ")
}
