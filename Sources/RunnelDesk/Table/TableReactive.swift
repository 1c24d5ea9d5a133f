import RunnelStreams

extension Reactive where Base: TableView {
  /// The selected row; of several the one that was selected last.
  @MainActor public var selectedRow: ControlProperty<Int?> {
    ControlProperty(
      of: base, values: base.selection.stream.map { $0.row }.distinctUntilChanged()
    ) { $0.selectedRow = $1 }
  }

  /// The selected rows.
  @MainActor public var selectedRows: ControlProperty<RangeSet<Int>> {
    ControlProperty(
      of: base, values: base.selection.stream.map { $0.rows }.distinctUntilChanged()
    ) { $0.selectedRows = $1 }
  }

  /// The selected rows, each time that they are others.
  @MainActor public var selectionChanged: ControlEvent<RangeSet<Int>> {
    ControlEvent(base.signals.selection, of: base)
  }

  /// The row that was activated: with Return, or by a double click.
  @MainActor public var activated: ControlEvent<Int> {
    ControlEvent(base.signals.activation, of: base)
  }

  /// The column whose title was clicked.
  @MainActor public var headerClicked: ControlEvent<TableColumn> {
    ControlEvent(base.signals.header, of: base)
  }

  /// The column whose right edge was moved.
  @MainActor public var columnResized: ControlEvent<TableColumn> {
    ControlEvent(base.signals.resizing, of: base)
  }

  /// The order that the header shows: when it changes, the rows have to be put into it.
  @MainActor public var sort: ControlProperty<TableSort?> {
    ControlProperty(of: base, values: base.sorting) { $0.sort = $1 }
  }

  /// What the table says while there is nothing to show.
  @MainActor public var placeholder: Binder<String> { Binder(base) { $0.placeholder = $1 } }
}
