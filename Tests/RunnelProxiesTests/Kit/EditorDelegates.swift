import RunnelProxies
import RunnelStreams

// The delegates of a desktop kit, as a control with a table, an outline and a text would have.

struct SortOrder: Equatable {
  let column: String
  let ascending: Bool
}

enum RowEdit { case insert, delete }
enum DropOperation { case none, on, above }

@Proxied
@MainActor
protocol ScrollViewDelegate: AnyObject {
  func scrollViewDidScroll(_ view: Editor)
  func scrollViewWillBeginDragging(_ view: Editor)
  func scrollView(_ view: Editor, willEndDraggingWith velocity: Double, target: inout Double)
  func scrollView(_ view: Editor, didEndDraggingAndWillDecelerate decelerates: Bool)
  func scrollViewWillBeginDecelerating(_ view: Editor)
  func scrollViewDidEndDecelerating(_ view: Editor)
  @Default(true) func scrollViewShouldScrollToTop(_ view: Editor) -> Bool
  func scrollViewDidScrollToTop(_ view: Editor)
}

@Proxied(refining: ScrollViewDelegate.self)
@MainActor
protocol TableViewDelegate: ScrollViewDelegate {
  func tableView(_ table: Editor, didSelectRowAt row: Int)
  func tableView(_ table: Editor, didDeselectRowAt row: Int)
  func tableViewSelectionIsChanging(_ table: Editor)
  func tableViewSelectionDidChange(_ table: Editor)
  func tableView(_ table: Editor, willDisplay cell: String, forRowAt row: Int)
  func tableView(_ table: Editor, didEndDisplaying cell: String, forRowAt row: Int)
  func tableView(_ table: Editor, didClick column: String)
  func tableView(_ table: Editor, didDrag column: String)
  func tableViewColumnDidMove(_ table: Editor, from old: Int, to new: Int)
  func tableViewColumnDidResize(_ table: Editor, column: String, from width: Double)
  func tableView(_ table: Editor, sortOrdersDidChange old: [SortOrder])
  func tableView(_ table: Editor, commit edit: RowEdit, forRowAt row: Int)
  func tableView(_ table: Editor, moveRowAt row: Int, to new: Int)

  @Default(true) func tableView(_ table: Editor, shouldSelectRowAt row: Int) -> Bool
  @Default(Int?.none) func tableView(_ table: Editor, willSelectRowAt row: Int) -> Int?
  @Default([Int]()) func tableView(_ table: Editor, selectionFor proposed: [Int]) -> [Int]
  func numberOfRows(in table: Editor) -> Int
  func tableView(_ table: Editor, cellFor column: String?, row: Int) -> String?
  @Default(20.0) func tableView(_ table: Editor, heightOfRow row: Int) -> Double
  @Default(false) func tableView(_ table: Editor, isGroupRow row: Int) -> Bool
  @Default(true) func tableView(_ table: Editor, shouldEdit column: String?, row: Int) -> Bool
  @Default(true) func tableView(_ table: Editor, shouldMove column: Int, to new: Int) -> Bool
  @Default(String?.none) func tableView(_ table: Editor, typeSelectTextFor row: Int) -> String?
  func tableView(_ table: Editor, write rows: [Int], to board: inout [String]) -> Bool
  @Default(DropOperation.none)
  func tableView(_ table: Editor, validateDropAt row: inout Int) -> DropOperation
  func tableView(_ table: Editor, acceptDropAt row: Int, operation: DropOperation) -> Bool
}

@Proxied(refining: TableViewDelegate.self)
@MainActor
protocol OutlineViewDelegate: TableViewDelegate {
  func outlineViewItemWillExpand(_ outline: Editor, item: String)
  func outlineViewItemDidExpand(_ outline: Editor, item: String)
  func outlineViewItemWillCollapse(_ outline: Editor, item: String)
  func outlineViewItemDidCollapse(_ outline: Editor, item: String)
  @Default func outlineView(_ outline: Editor, didAdd item: String, forRowAt row: Int)
  @Default func outlineView(_ outline: Editor, didRemove item: String, forRowAt row: Int)

  func outlineView(_ outline: Editor, numberOfChildrenOf item: String?) -> Int
  func outlineView(_ outline: Editor, child index: Int, of item: String?) -> String
  @Default(false) func outlineView(_ outline: Editor, isExpandable item: String) -> Bool
  @Default(true) func outlineView(_ outline: Editor, shouldExpand item: String) -> Bool
  @Default(true) func outlineView(_ outline: Editor, shouldCollapse item: String) -> Bool
  @Default(String?.none) func outlineView(_ outline: Editor, tipFor item: String) -> String?
}

@Proxied
@MainActor
protocol TextViewDelegate: AnyObject {
  func textDidBeginEditing(_ text: Editor)
  func textDidChange(_ text: Editor)
  func textDidEndEditing(_ text: Editor)
  func textViewDidChangeSelection(_ text: Editor, from old: Range<Int>)
  func textView(_ text: Editor, clickedOn link: String, at index: Int)
  func textView(_ text: Editor, willInsert characters: inout String)
  func textView(_ text: Editor, didFind ranges: Range<Int>...)

  @Default(true) func textShouldBeginEditing(_ text: Editor) -> Bool
  @Default(true) func textShouldEndEditing(_ text: Editor) -> Bool
  @Default(true)
  func textView(_ text: Editor, shouldReplace range: inout Range<Int>, with new: String?) -> Bool
  func textView(
    _ text: Editor, willSelect new: Range<Int>, insteadOf old: Range<Int>
  ) -> Range<Int>
  @Default([String]())
  func textView(_ text: Editor, completionsFor range: Range<Int>, index: inout Int) -> [String]
  @Default(false) func textView(_ text: Editor, doCommand command: String) -> Bool
  @Default([String]()) func textView(_ text: Editor, menuAt index: Int) -> [String]
  @Default(true) var isRichText: Bool { get }
  var typingAttributes: [String: String] { get set }
}

@Proxied(refining: OutlineViewDelegate.self, TextViewDelegate.self)
@MainActor
protocol EditorDelegate: OutlineViewDelegate, TextViewDelegate {
  func editorWillClose(_ editor: Editor)
  @Default(true) func editorShouldClose(_ editor: Editor) -> Bool
  func title(of editor: Editor) -> String
  var zoom: Double { get set }
}
