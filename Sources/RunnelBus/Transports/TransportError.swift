/// The reason why a transport is offline, or why it did not carry a message.
public enum TransportError: Error, Hashable, Sendable {
  /// There is no connection to the peer, or the connection was lost. The transport tries again.
  case unreachable(reason: String)
  /// The peer does not accept the name, the password or the certificate of this program.
  case refusedLogin(reason: String)
  /// The peer does not let this program send on the topic, or subscribe to the pattern.
  case refusedTopic(String, reason: String)
  /// The peer has no room, or receives too much at once.
  case overloaded(reason: String)
  /// The message has more bytes than the peer accepts.
  case tooLarge(limit: Int)
  /// The peer does not keep to the protocol, or says so of this program.
  case brokenProtocol(reason: String)
  /// The topic or pattern cannot be written in the syntax of the transport.
  case unmappable(String, reason: String)
  /// The link was disposed, or the transport was closed.
  case closed
}

extension TransportError: CustomStringConvertible {
  /// A description of the problem and its remedy.
  public var description: String {
    switch self {
    case .unreachable(let reason): "The peer cannot be reached: \(reason)"
    case .refusedLogin(let reason):
      "The peer refuses the login: \(reason) Check the name, the password and the certificate."
    case .refusedTopic(let topic, let reason):
      "The peer refuses \(topic): \(reason) Check the rights of this program there."
    case .overloaded(let reason): "The peer is overloaded: \(reason)"
    case .tooLarge(let limit): "The peer accepts at most \(limit) bytes in a message."
    case .brokenProtocol(let reason): "The protocol was broken: \(reason)"
    case .unmappable(let name, let reason):
      "The topic \(name) cannot cross: \(reason) Give it another name."
    case .closed: "The link was disposed, or its transport was closed."
    }
  }
}
