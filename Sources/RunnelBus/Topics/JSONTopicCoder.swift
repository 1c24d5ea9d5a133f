import RunnelJSON

/// A coder for the payloads of topics in JSON.
///
///     let bus = EventBus(coder: .json)
///     try bus.publish(21.5, on: "home.kitchen.temperature")
public struct JSONTopicCoder: TopicCoder {
  private let limits: JSONLimits

  /// Creates a coder for payloads within limits.
  public init(within limits: JSONLimits = JSONLimits()) {
    self.limits = limits
  }

  /// Returns a payload as JSON.
  public func encode<Payload: Encodable>(_ payload: Payload) throws -> [UInt8] {
    try JSON.encode(payload, within: limits)
  }

  /// Returns the payload that JSON represents.
  public func decode<Payload: Decodable>(
    _ type: Payload.Type, from bytes: [UInt8]
  ) throws -> Payload {
    try JSON.decode(type, from: bytes, within: limits)
  }
}

extension TopicCoder where Self == JSONTopicCoder {
  /// A coder for JSON with the default limits.
  public static var json: JSONTopicCoder { JSONTopicCoder() }
}
