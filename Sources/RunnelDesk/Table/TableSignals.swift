import RunnelStreams

/// The streams of a table's `rx`. They report the user's actions independently of the delegate.
struct TableSignals {
  /// Sends the selected rows when they or their numbers have changed.
  let selection = PushStream<RangeSet<Int>>()
  /// Sends the row that was activated.
  let activation = PushStream<Int>()
  /// Sends the column whose title was clicked.
  let header = PushStream<TableColumn>()
  /// Sends the column whose edge was moved.
  let resizing = PushStream<TableColumn>()
}
