import RunnelStreams

/// The state of a connection, which ends on the loop of the connection.
final class ConnectionCore {
  let state = Property(BusConnection.State.connecting)
  var transport: BusSocket?
  let signals = SignalTable()
  let owners = OwnerTable()
  let objects = ObjectTable()
  let clients = ClientTable()
  /// Sends when no message waits for room in the socket.
  let written = PushStream<Void>()
  /// The number of messages that the last connection had written when it ended.
  var lastWrittenCount = 0
  /// The handler that removes the clients that have left. It is set when the first object is served.
  var departures: Disposable?
  /// The report of a connection that could not be made.
  var report = Disposable.none

  /// Ends everything because the connection is released. Another thread may release the rest.
  func end() {
    report.dispose()
    exchange(&transport, with: nil)?.close()
    clients.removeAll()
    objects.removeAll()
    owners.removeAll()
    signals.removeAll()
    release(exchange(&departures, with: nil))
    report = .none
  }
}
