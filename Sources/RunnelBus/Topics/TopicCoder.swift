/// A type that encodes the payloads of topics as bytes, and decodes them.
///
/// A bus needs a coder in three cases: a payload is observed as another type than it was published
/// as, a payload was published as bytes, or the bytes of a payload are read. There is one for JSON:
/// `EventBus(coder: .json)`.
///
/// Errors of the coder reach the observer as a ``TopicError``.
public protocol TopicCoder {
  /// Returns the bytes of a payload.
  func encode<Payload: Encodable>(_ payload: Payload) throws -> [UInt8]

  /// Returns the payload that the bytes represent.
  func decode<Payload: Decodable>(_ type: Payload.Type, from bytes: [UInt8]) throws -> Payload
}
