/// A message on a topic, with its payload as bytes for a bridge to another program.
public final class TopicMessage {
  /// The topic of the message.
  public let topic: String
  let levels: TopicLevels
  let payload: Payload
  private let coder: (any TopicCoder)?

  enum Payload {
    /// A value of this program, and a closure that encodes it.
    case value(Any, encode: (any TopicCoder) throws -> [UInt8])
    /// Bytes from another program.
    case bytes([UInt8])
  }

  init(topic: String, levels: TopicLevels, payload: Payload, coder: (any TopicCoder)?) {
    self.topic = topic
    self.coder = coder
    self.levels = levels
    self.payload = payload
  }

  /// The payload as bytes: the published ones, or the encoded value. Encoding happens once, at the
  /// first access.
  public var bytes: [UInt8] { get throws(TopicError) { try written.get() } }

  private lazy var written: Result<[UInt8], TopicError> = {
    switch payload {
    case .bytes(let bytes): return .success(bytes)
    case .value(_, let encode):
      guard let coder else { return .failure(.noCoder(topic: topic)) }
      return Result { try encode(coder) }
        .mapError { .unwritablePayload(topic: topic, reason: "\($0)") }
    }
  }()

  /// Returns the payload as a value: the published one if it has this type, otherwise the decoded
  /// bytes.
  func value<Value: Decodable>(as type: Value.Type) throws(TopicError) -> Value {
    if case .value(let value as Value, _) = payload { return value }
    guard let coder else { throw .noCoder(topic: topic) }
    let bytes = try bytes
    do {
      return try coder.decode(type, from: bytes)
    } catch {
      throw .unreadablePayload(topic: topic, reason: "\(error)")
    }
  }

  /// The published value or bytes.
  var content: Any {
    switch payload {
    case .value(let value, _): value
    case .bytes(let bytes): bytes
    }
  }
}
