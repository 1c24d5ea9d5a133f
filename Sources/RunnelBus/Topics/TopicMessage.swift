/// What was published on a topic, as a bridge to another program needs it: in bytes.
public final class TopicMessage {
  /// The topic that it was published on.
  public let topic: String
  let levels: TopicLevels
  let payload: Payload
  private let coder: (any TopicCoder)?

  enum Payload {
    /// A value of this program, and how to write it.
    case value(Any, encode: (any TopicCoder) throws -> [UInt8])
    /// What came from elsewhere.
    case bytes([UInt8])
  }

  init(topic: String, levels: TopicLevels, payload: Payload, coder: (any TopicCoder)?) {
    self.topic = topic
    self.coder = coder
    self.levels = levels
    self.payload = payload
  }

  /// The payload in bytes: those that were published, or what the coder of the bus writes. It writes
  /// them once, when they are first asked for.
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

  /// The payload as a value: the published one where that is of this type, else what its bytes say.
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

  /// What was published.
  var content: Any {
    switch payload {
    case .value(let value, _): value
    case .bytes(let bytes): bytes
    }
  }
}
