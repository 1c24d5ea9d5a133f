/// The state of a transport, or of a link between a bus and a transport.
public enum LinkState: Hashable, Sendable {
  /// The connection is being made.
  case connecting
  /// The connection exists. For a link, the peer has also confirmed the subscriptions.
  case online
  /// There is no connection since a time of the scheduler. Messages wait in the queue of the link.
  case offline(since: Duration, reason: TransportError)
}

extension LinkState: CustomStringConvertible {
  /// The state in words.
  public var description: String {
    switch self {
    case .connecting: "connecting"
    case .online: "online"
    case .offline(_, let reason): "offline: \(reason)"
    }
  }
}
