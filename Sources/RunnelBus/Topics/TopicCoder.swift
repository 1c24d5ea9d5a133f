/// Writes the payloads of topics as bytes, and reads them.
///
/// A bus needs a coder where a payload is observed as another type than it was published as, where it
/// was published as bytes, and where its bytes are asked for. `RunnelFoundation` has one for JSON,
/// which is given as `EventBus(coder: .json)`.
///
/// What it throws reaches the observer as a ``TopicError``.
public protocol TopicCoder {
  /// Returns the bytes of a payload.
  func encode<Payload: Encodable>(_ payload: Payload) throws -> [UInt8]

  /// Returns the payload that bytes stand for.
  func decode<Payload: Decodable>(_ type: Payload.Type, from bytes: [UInt8]) throws -> Payload
}
