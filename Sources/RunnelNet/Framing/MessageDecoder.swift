import RunnelStreams

/// A description of how bytes form messages.
protocol MessageDecoder {
  associatedtype Message

  /// Returns the first message of the bytes and the number of bytes that it uses; nil if it is not
  /// complete. `bytes` is not empty and begins where the last message ended.
  mutating func decode(
    _ bytes: UnsafeRawBufferPointer
  ) throws(SocketError.Cause) -> (message: Message, used: Int)?

  /// Returns the message that the end of the stream completes, if there is one.
  mutating func decodeLast(_ bytes: UnsafeRawBufferPointer) throws(SocketError.Cause) -> Message?

  /// Takes a message back after it was delivered, so that its memory can be used again.
  mutating func recycle(_ message: consuming Message)
}

extension MessageDecoder {
  mutating func recycle(_ message: consuming Message) {}
}

extension SocketError.Cause: Error {}
