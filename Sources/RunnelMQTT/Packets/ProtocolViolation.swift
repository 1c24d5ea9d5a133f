/// A packet that violates the protocol, which ends the connection.
struct ProtocolViolation: Error, Hashable {
  /// The reason code for the peer.
  let reason: MQTTReason
  let detail: String

  init(_ reason: MQTTReason, _ detail: String) {
    self.reason = reason
    self.detail = detail
  }

  static func malformed(_ detail: String) -> Self { Self(.malformedPacket, detail) }
  static func protocolError(_ detail: String) -> Self { Self(.protocolError, detail) }
}
