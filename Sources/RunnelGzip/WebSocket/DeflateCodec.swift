import RunnelNet

/// Compresses and decompresses the messages of one WebSocket, by RFC 7692, section 7.2.
package final class DeflateCodec: WebSocketCodec {
  package let minimumCount: Int
  private let level: Int
  private let window: Int
  /// True if messages do not refer to earlier ones.
  private let forgets: Bool
  private let peerWindow: Int
  private let peerForgets: Bool
  /// Made when the first message is compressed or arrives.
  private var deflater: Deflater?
  private var inflater: Inflater?

  /// The largest number of blocks of a message that are marked as the last one. Usual senders mark
  /// none.
  private static let mostFinalBlocks = 16

  package init(
    _ settings: WebSocketDeflate, window: Int, forgets: Bool, peerWindow: Int, peerForgets: Bool
  ) {
    // zlib has no window of 8 bits for raw data. A sender need not compress.
    minimumCount = window < 9 ? .max : max(1, settings.smallest)
    level = settings.level
    self.window = window
    self.forgets = forgets
    self.peerWindow = max(9, peerWindow)
    self.peerForgets = peerForgets
  }

  package func compress(_ message: UnsafeRawBufferPointer, into output: inout [UInt8]) {
    // With less memory than usual, in the proportion to the window.
    let deflater =
      self.deflater ?? Deflater(.raw, level: level, window: window, memory: max(1, window - 7))
    self.deflater = deflater
    deflater.compressAndFlush(message, into: &output)
    // The receiver adds the end of the flush again.
    output.removeLast(4)
    if forgets { deflater.reset() }
  }

  package func forgetCompressed() {
    deflater?.reset()
  }

  package func decompress(
    _ part: UnsafeRawBufferPointer, into message: inout [UInt8], limit: Int
  ) throws(WebSocketError) {
    let inflater = self.inflater ?? makeInflater()
    self.inflater = inflater
    var offset = 0
    repeat {
      do throws(GzipError) {
        // One byte more than allowed shows that there are too many.
        let most = min(limit - message.count, .max - 1) + 1
        try inflater.inflate(part, &offset, into: &message, atMost: most)
      } catch {
        throw .invalidCompression
      }
      if message.count > limit { throw .tooLarge(limit: limit) }
    } while offset < part.count || inflater.mayHaveMore
  }

  private func makeInflater() -> Inflater {
    let inflater = Inflater(.raw, window: peerWindow)
    inflater.partsLeft = Self.mostFinalBlocks
    return inflater
  }

  package func finishMessage(into message: inout [UInt8], limit: Int) throws(WebSocketError) {
    let end: [UInt8] = [0, 0, 0xFF, 0xFF]
    var result = message
    message = []
    let outcome = end.withUnsafeBytes { bytes in
      Result { () throws(WebSocketError) in
        try decompress(bytes, into: &result, limit: limit)
      }
    }
    message = result
    try outcome.get()
    inflater?.partsLeft = Self.mostFinalBlocks
    if peerForgets { inflater?.reset() }
  }
}
