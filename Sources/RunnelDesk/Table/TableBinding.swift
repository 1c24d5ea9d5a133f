import RunnelCollections
import RunnelStreams

extension Reactive where Base: TableView {
  /// Shows the elements of a list, now and from now on.
  ///
  ///     let table = TableView(columns: [TableColumn("title"), TableColumn("length")])
  ///     table.rx.rows(shelf.filter { $0.count > 2 }.sorted()) { row, title in
  ///       row["title"].text = title
  ///       row["length"] = TableCell("\(title.count)", style: .faint)
  ///     }
  ///
  /// The closure says what the row of an element shows. It is called when the row is about to be seen, and
  /// again when the element was updated: a million elements cost what is visible. Typed letters go by the
  /// delegate's `typeSelectTextForRow`; where it has none, the closure is called for each row on the way.
  ///
  /// The selection stays with its elements wherever they go, and what is seen at the top, or is selected
  /// and seen, stays where it is seen. After a reset of the list nothing is selected any more.
  ///
  /// *Disposal*: it ends with the table, or when what is returned is disposed, or the table is bound to
  /// another collection. Until then it keeps the list.
  @MainActor
  @discardableResult
  public func rows<List: ObservableList>(
    _ list: List, configure: @escaping (inout TableRow, List.Base.Element) -> Void
  ) -> TableRows<List.Base.Element> {
    bind(list, configure) { _, _, _ in RowShift([], isPartial: true) }
  }

  /// The same; after a reset, the elements with the same ids as before are selected.
  @MainActor
  @discardableResult
  public func rows<List: ObservableList>(
    _ list: List, configure: @escaping (inout TableRow, List.Base.Element) -> Void
  ) -> TableRows<List.Base.Element> where List.Base.Element: Identifiable {
    bind(list, configure) { rows, old, new in RowShift(of: rows, from: old, to: new) }
  }

  /// Shows the items of sections below the headings of these, now and from now on.
  ///
  ///     let table = TableView(columns: [TableColumn("title")])
  ///     let byLength = shelf.sectioned { $0.count }
  ///     table.rx.rows(sections: byLength, title: { "\($0) letters" }) { row, title in
  ///       row["title"].text = title
  ///     }
  ///
  /// It is as with a list. An item that goes to another section is another one.
  @MainActor
  @discardableResult
  public func rows<List: ObservableCollection>(
    sections: List, title: @escaping (List.Base.Header) -> String,
    configure: @escaping (inout TableRow, List.Base.Item) -> Void
  ) -> TableRows<List.Base.Item> where List.Base: SectionedBase {
    bind(sections, title, configure) { _, _, _ in RowShift([], isPartial: true) }
  }

  /// The same; after a reset, the items with the same ids as before are selected.
  @MainActor
  @discardableResult
  public func rows<List: ObservableCollection>(
    sections: List, title: @escaping (List.Base.Header) -> String,
    configure: @escaping (inout TableRow, List.Base.Item) -> Void
  ) -> TableRows<List.Base.Item> where List.Base: SectionedBase, List.Base.Item: Identifiable {
    bind(sections, title, configure) { rows, old, new in RowShift(of: rows, from: old, to: new) }
  }
}

// MARK: - Following

extension Reactive where Base: TableView {
  /// What becomes of some rows when one source takes the place of another.
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
        case .initial: rows.reset(to: new, RowShift([], isPartial: true))
        case .reset: rows.reset(to: new, match(base.rowsToFollow, old, new))
        case .changes(let changes):
          rows.take(
            new, RowShift(changes), new.lines, updated: RangeSet(changes.updates.ranges))
        }
      }
    }
    // What operators make lives as long as somebody keeps it.
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
        case .initial: rows.reset(to: new, RowShift([], isPartial: true))
        case .reset: rows.reset(to: new, match(base.rowsToFollow, old, new))
        case .changes(let changes):
          let (before, after) = (rows.lines, rows.lines.applying(changes))
          rows.take(
            new, RowShift(changes, from: before, to: after), after,
            updated: changes.updatedRows(in: before))
        }
      }
    }
    rows.disposable.add { withExtendedLifetime(sections) {} }
    return rows
  }
}

extension TableView {
  /// The rows of which it matters where they go when all of them are others.
  fileprivate var rowsToFollow: RangeSet<Int> {
    let state = selection.value
    var rows = state.rows
    for case let row? in [state.lead, state.anchor, awaitedRow, scrollAnchor?.row] {
      rows.insert(contentsOf: row..<row + 1)
    }
    return rows
  }
}
