/// The reason why a bus cannot be joined to a transport.
public enum JoinError: Error, Equatable {
  /// The prefix or a pattern is no valid topic or pattern.
  case invalidPattern(String, TopicError)
  /// The transport cannot carry the pattern or the prefix.
  case transport(TransportError)
  /// A pattern needs what the transport does not have.
  case lacks(TransportCapability, transport: String)
  /// A topic that matches an exported pattern has a sticky event, and the transport retains none.
  case notRetained(topic: String, transport: String)
  /// The bus has no coder for the events that it exports.
  case noCoder
  /// The messages of an earlier run cannot be read, or no new ones can be stored.
  case store(reason: String)
}

extension JoinError: CustomStringConvertible {
  /// A description of the problem and its remedy.
  public var description: String {
    switch self {
    case .invalidPattern(let pattern, let error): "\(pattern) is no valid pattern. \(error)"
    case .transport(let error): "\(error)"
    case .lacks(let capability, let transport):
      switch capability {
      case .retained:
        "\(transport) does not retain sticky events. Use the pattern without .retained."
      case .acknowledged:
        "\(transport) does not confirm events. Use the pattern without .acknowledged."
      case .requests: "\(transport) carries no requests. Join without .requests."
      case .presence: "\(transport) does not know who is connected. Do not ask for its peers."
      }
    case .notRetained(let topic, let transport):
      """
      There is a sticky event on \(topic), which \(transport) cannot retain. Export the topic as \
      .unretained, which sends it as an event that is not sticky, or not at all.
      """
    case .noCoder:
      "The bus has no coder for events. Create it with one, such as EventBus(coder: .json)."
    case .store(let reason): "The messages of an earlier run cannot be used: \(reason)"
    }
  }
}
