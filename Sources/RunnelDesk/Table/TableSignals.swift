import RunnelStreams

/// What a table tells those who observe it, beside its delegate: they hear of it whoever that is.
struct TableSignals {
  /// Other rows are selected, or the same ones have other numbers.
  let selection = PushStream<RangeSet<Int>>()
  /// A row was activated.
  let activation = PushStream<Int>()
  /// The title of a column was clicked.
  let header = PushStream<TableColumn>()
  /// The edge of a column was moved.
  let resizing = PushStream<TableColumn>()
}
