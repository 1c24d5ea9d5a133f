import FoundationEssentials

/// What was published on a topic, as a bridge to another program needs it: in bytes.
public final class TopicMessage {
  /// The topic that it was published on.
  public let topic: String
  let levels: TopicLevels
  let payload: Payload

  enum Payload {
    /// A value of this program, and how to write it.
    case value(Any, encode: () throws -> [UInt8])
    /// What came from elsewhere.
    case bytes([UInt8])
  }

  init(topic: String, levels: TopicLevels, payload: Payload) {
    self.topic = topic
    self.levels = levels
    self.payload = payload
  }

  /// The payload in bytes, which are JSON unless somebody published others. Written once, by the
  /// first who asks.
  public var bytes: [UInt8] { get throws(TopicError) { try written.get() } }

  private lazy var written: Result<[UInt8], TopicError> = {
    switch payload {
    case .bytes(let bytes): return .success(bytes)
    case .value(_, let encode):
      return Result { try encode() }
        .mapError { .unwritablePayload(topic: topic, reason: "\($0)") }
    }
  }()

  /// The payload as a value: the published one where that is of this type, else what its bytes say.
  func value<Value: Decodable>(as type: Value.Type) throws(TopicError) -> Value {
    if case .value(let value as Value, _) = payload { return value }
    let bytes = try bytes
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      throw .unreadablePayload(topic: topic, reason: "\(error)")
    }
  }

  /// What was published.
  var content: Any {
    switch payload {
    case .value(let value, _): value
    case .bytes(let bytes): bytes
    }
  }
}
