import RunnelStreams

/// A message on a topic, with its payload as bytes for a bridge to another program.
public final class TopicMessage {
  /// The topic of the message.
  public let topic: String
  let levels: TopicLevels
  let kind: MessageKind
  let payload: Payload
  private let coder: (any TopicCoder)?
  /// The bus on which the message was published, or to which a link brought it.
  let source: BusIdentity
  /// The way of the message; nil if it was published in this program.
  let arrival: Arrival?
  /// The identity of the event, once it has crossed or is about to cross to another program.
  private(set) var stamp: EventStamp?

  /// The way of a message from another program.
  struct Arrival {
    /// The place from which a link brought the message. It is not sent back there.
    let place: String
    /// True if the transport may have delivered it before.
    let isRepeated: Bool
  }

  enum Payload {
    /// A value of this program, and a closure that encodes it.
    case value(Any, encode: (any TopicCoder) throws -> [UInt8])
    /// Bytes from another program.
    case bytes([UInt8])
  }

  init(
    topic: String, levels: TopicLevels, kind: MessageKind, payload: Payload,
    coder: (any TopicCoder)?, source: BusIdentity, arrival: Arrival? = nil,
    stamp: EventStamp? = nil
  ) {
    self.topic = topic
    self.levels = levels
    self.kind = kind
    self.payload = payload
    self.coder = coder
    self.source = source
    self.arrival = arrival
    self.stamp = stamp
  }

  /// True if the message came from another program over a transport that may have delivered it
  /// before, because a confirmation was lost.
  public var isRepeated: Bool { arrival?.isRepeated ?? false }

  /// Returns the identity of the event. The first call gives it one.
  func stamped(in family: BusFamily) -> EventStamp {
    if let stamp { return stamp }
    let stamp = family.nextStamp(of: source, on: topic)
    self.stamp = stamp
    return stamp
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

  /// The last value that was decoded from the bytes, for several observers of one type.
  private var decoded: Any?

  /// Returns the payload as a value: the published one if it has this type, otherwise the decoded
  /// bytes.
  func value<Value: Decodable>(as type: Value.Type) throws(TopicError) -> Value {
    if case .value(let value as Value, _) = payload { return value }
    if let value = decoded as? Value { return value }
    guard let coder else { throw .noCoder(topic: topic) }
    let bytes = try bytes
    do {
      let value = try coder.decode(type, from: bytes)
      release(exchange(&decoded, with: value))
      return value
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
