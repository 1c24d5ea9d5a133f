/// An event of a stream of server-sent events that a client has received.
public struct ReceivedEvent: Hashable, Sendable {
  /// The name, which is `message` if the server gives none.
  public let name: String
  /// The text, whose lines are separated by line feeds.
  public let data: String
  /// The last identifier that the server has sent, in this event or before; empty if there was none.
  public let id: String

  /// Creates an event, for example for a test.
  public init(_ data: String, name: String = "message", id: String = "") {
    self.data = data
    self.name = name
    self.id = id
  }
}
