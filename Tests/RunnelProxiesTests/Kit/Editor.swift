import RunnelProxies
import RunnelStreams

/// A control with a table, an outline and a text, which calls one delegate for all of them.
@MainActor
final class Editor: ProxyHost, CustomStringConvertible {
  let proxies = ProxyStore()
  weak var delegate: (any EditorDelegate)?
  private(set) var selectedRow: Int?
  private(set) var sortOrders: [SortOrder] = []
  private(set) var text = ""
  private(set) var expanded: Set<String> = []
  private(set) var dropped: [Int: [String]] = [:]

  nonisolated var description: String { "the editor" }

  func select(_ row: Int) {
    guard let delegate, delegate.tableView(self, shouldSelectRowAt: row) else { return }
    delegate.tableViewSelectionIsChanging(self)
    if let former = selectedRow { delegate.tableView(self, didDeselectRowAt: former) }
    let row = delegate.tableView(self, willSelectRowAt: row) ?? row
    selectedRow = row
    delegate.tableView(self, didSelectRowAt: row)
    delegate.tableViewSelectionDidChange(self)
  }

  func click(_ column: String) {
    delegate?.tableView(self, didClick: column)
    let old = sortOrders
    let ascending = old.first?.column != column || old.first?.ascending != true
    sortOrders =
      [SortOrder(column: column, ascending: ascending)] + old.filter { $0.column != column }
    delegate?.tableView(self, sortOrdersDidChange: old)
  }

  func drag(_ rows: [Int], to row: Int) -> Bool {
    var board: [String] = []
    guard let delegate, delegate.tableView(self, write: rows, to: &board) else { return false }
    var row = row
    let operation = delegate.tableView(self, validateDropAt: &row)
    guard operation != .none,
      delegate.tableView(self, acceptDropAt: row, operation: operation)
    else { return false }
    dropped[row] = board
    return true
  }

  func type(_ characters: String, over range: Range<Int>? = nil) {
    guard let delegate, delegate.textShouldBeginEditing(self) else { return }
    delegate.textDidBeginEditing(self)
    var range = range ?? text.count..<text.count
    if delegate.textView(self, shouldReplace: &range, with: characters) {
      var characters = characters
      delegate.textView(self, willInsert: &characters)
      let all = Array(text)
      text = String(all[..<range.lowerBound]) + characters + String(all[range.upperBound...])
      delegate.textDidChange(self)
    }
    if delegate.textShouldEndEditing(self) { delegate.textDidEndEditing(self) }
  }

  func toggle(_ item: String) {
    guard let delegate, delegate.outlineView(self, isExpandable: item) else { return }
    if expanded.contains(item) {
      guard delegate.outlineView(self, shouldCollapse: item) else { return }
      delegate.outlineViewItemWillCollapse(self, item: item)
      expanded.remove(item)
      delegate.outlineViewItemDidCollapse(self, item: item)
    } else {
      guard delegate.outlineView(self, shouldExpand: item) else { return }
      delegate.outlineViewItemWillExpand(self, item: item)
      expanded.insert(item)
      delegate.outlineViewItemDidExpand(self, item: item)
    }
  }
}

extension Editor {
  var rDelegate: EditorDelegateProxy { proxy(for: \.delegate) }

  var selectedRows: EventStream<Int, Never> {
    rDelegate.stream(\.tableView_didSelectRowAt) { push, _, row in push.next(row) }
  }
}
