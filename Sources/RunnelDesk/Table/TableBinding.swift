import RunnelCollections
import RunnelStreams

extension Reactive where Base: TableView {
  /// Shows the elements of a list, and follows its changes.
  ///
  ///     let table = TableView(columns: [TableColumn("title"), TableColumn("length")])
  ///     table.rx.rows(shelf.filter { $0.count > 2 }.sorted()) { row, title in
  ///       row["title"].text = title
  ///       row["length"] = TableCell("\(title.count)", style: .faint)
  ///     }
  ///
  /// `configure` sets the cells of an element's row. It is called when the row is about to become
  /// visible, and again when the element is updated. A million elements therefore cost no more than
  /// the visible ones. Type selection uses the delegate's `typeSelectTextForRow`. If that returns
  /// nil, type selection calls `configure` for each row that it searches.
  ///
  /// The selection follows its elements. The selected row keeps its place on the screen if it is
  /// visible; otherwise the row at the top does. A reset of the list clears the selection.
  ///
  /// *Disposal*: the binding ends with the table, when the result is disposed, or when the table is
  /// bound to another collection. Until then it retains the list.
  @MainActor
  @discardableResult
  public func rows<List: ObservableList>(
    _ list: List, configure: @escaping (inout TableRow, List.Base.Element) -> Void
  ) -> TableRows<List.Base.Element> {
    bind(list, configure) { _, _, _ in RowShift([], isPartial: true) }
  }

  /// Shows the elements of a list, and follows its changes.
  ///
  /// After a reset, the elements whose ids were selected before are selected. Otherwise this
  /// function behaves as the one for elements without ids.
  @MainActor
  @discardableResult
  public func rows<List: ObservableList>(
    _ list: List, configure: @escaping (inout TableRow, List.Base.Element) -> Void
  ) -> TableRows<List.Base.Element> where List.Base.Element: Identifiable {
    bind(list, configure) { rows, old, new in RowShift(of: rows, from: old, to: new) }
  }

  /// Shows the items of sections below the headings of the sections, and follows changes.
  ///
  ///     let table = TableView(columns: [TableColumn("title")])
  ///     let byLength = shelf.sectioned { $0.count }
  ///     table.rx.rows(sections: byLength, title: { "\($0) letters" }) { row, title in
  ///       row["title"].text = title
  ///     }
  ///
  /// Cells, selection and disposal are handled as for a list. An item that moves to another section
  /// counts as a new item.
  @MainActor
  @discardableResult
  public func rows<List: ObservableCollection>(
    sections: List, title: @escaping (List.Base.Header) -> String,
    configure: @escaping (inout TableRow, List.Base.Item) -> Void
  ) -> TableRows<List.Base.Item> where List.Base: SectionedBase {
    bind(sections, title, configure) { _, _, _ in RowShift([], isPartial: true) }
  }

  /// Shows the items of sections below the headings of the sections, and follows changes.
  ///
  /// After a reset, the items whose ids were selected before are selected. Otherwise this function
  /// behaves as the one for items without ids.
  @MainActor
  @discardableResult
  public func rows<List: ObservableCollection>(
    sections: List, title: @escaping (List.Base.Header) -> String,
    configure: @escaping (inout TableRow, List.Base.Item) -> Void
  ) -> TableRows<List.Base.Item> where List.Base: SectionedBase, List.Base.Item: Identifiable {
    bind(sections, title, configure) { rows, old, new in RowShift(of: rows, from: old, to: new) }
  }
}

// MARK: - Binding

extension Reactive where Base: TableView {
  /// A function that maps the given rows of the first source to rows of the second one.
  private typealias Matching<Source> = (RangeSet<Int>, Source, Source) -> RowShift

  @MainActor
  private func bind<List: ObservableList>(
    _ list: List, _ configure: @escaping (inout TableRow, List.Base.Element) -> Void,
    _ match: @escaping Matching<ListRows<List.Base.Element>>
  ) -> TableRows<List.Base.Element> {
    var old = ListRows<List.Base.Element>(items: [])
    let rows = TableRows(base, old, configure: configure)
    rows.begin { rows in
      list.stream.observeNext { [weak rows, weak base] event in
        guard let rows, let base else { return }
        let new = ListRows(items: event.collection)
        defer { old = new }
        switch event.change {
        case .initial: rows.take(new, RowShift([], isPartial: true), new.lines)
        case .reset: rows.take(new, match(base.rowsToFollow, old, new), new.lines)
        case .changes(let changes): rows.take(new, RowShift(changes), new.lines)
        }
      }
    }
    // The binding retains the list, because a derived collection lives only while it is retained.
    rows.disposable.add { withExtendedLifetime(list) {} }
    return rows
  }

  @MainActor
  private func bind<List: ObservableCollection>(
    _ sections: List, _ title: @escaping (List.Base.Header) -> String,
    _ configure: @escaping (inout TableRow, List.Base.Item) -> Void,
    _ match: @escaping Matching<SectionRows<List.Base.Header, List.Base.Item>>
  ) -> TableRows<List.Base.Item> where List.Base: SectionedBase {
    var old = SectionRows<List.Base.Header, List.Base.Item>(sections: [], title: title)
    let rows = TableRows(base, old, configure: configure)
    rows.begin { rows in
      sections.stream.observeNext { [weak rows, weak base] event in
        guard let rows, let base else { return }
        let new = SectionRows(sections: event.collection, title: title)
        defer { old = new }
        switch event.change {
        case .initial: rows.take(new, RowShift([], isPartial: true), new.lines)
        case .reset: rows.take(new, match(base.rowsToFollow, old, new), new.lines)
        case .changes(let changes):
          let (before, after) = (rows.lines, rows.lines.applying(changes))
          rows.take(new, RowShift(changes, from: before, to: after), after)
        }
      }
    }
    rows.disposable.add { withExtendedLifetime(sections) {} }
    return rows
  }
}

extension TableView {
  /// The rows that a reset must find again: those of the selection and of the scroll offset.
  fileprivate var rowsToFollow: RangeSet<Int> {
    let state = selection.value
    var rows = state.rows
    for case let row? in [state.lead, state.anchor, awaitedRow, scrollAnchor?.row] {
      rows.insert(contentsOf: row..<row + 1)
    }
    return rows
  }
}
