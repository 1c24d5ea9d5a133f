import RunnelCollections
import RunnelStreams
import RunnelText

extension Reactive where Base: TableView {
  /// Shows the elements of a list, sorted by the text of the cells in the column that the user has
  /// chosen in the header. Until then, the elements have the order of the list.
  ///
  ///     let table = TableView(columns: [TableColumn("title", title: "Title", isSortable: true)])
  ///     table.rx.sortedRows(shelf) { row, title in row["title"].text = title }
  ///
  /// Case and accents are ignored, and numbers are compared by value: "Note 2" is before "Note 10".
  /// To sort by other values than texts, observe ``sort`` and use `rows(_:configure:)` with a
  /// sorted list. Row numbers are those of the sorted rows: use ``TableRows/selectedItem``.
  ///
  /// *Complexity*: sorting `n` elements calls `configure` O(*n* log *n*) times.
  @MainActor
  @discardableResult
  public func sortedRows<List: ObservableList>(
    _ list: List, configure: @escaping (inout TableRow, List.Base.Element) -> Void
  ) -> TableRows<List.Base.Element> {
    typealias Element = List.Base.Element
    let orders = sort.map { sort -> (Element, Element) -> Bool in
      guard let sort else { return { _, _ in false } }
      func key(_ element: Element) -> FoldedText {
        var row = TableRow()
        configure(&row, element)
        return FoldedText(row[sort.column].text)
      }
      return {
        sort.isAscending
          ? key($0).naturallyPrecedes(key($1)) : key($1).naturallyPrecedes(key($0))
      }
    }
    return rows(list.sorted(by: orders), configure: configure)
  }
}
