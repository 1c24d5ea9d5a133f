/// Passes bytes on as they arrive.
struct PieceDecoder: MessageDecoder {
  /// The array of the last small piece. Filling it again needs no allocation unless the observer has
  /// kept it.
  private var spare: [UInt8] = []

  /// Larger pieces are not kept: an idle connection would hold them.
  private static let largestSpare = 512

  mutating func decode(
    _ bytes: UnsafeRawBufferPointer
  ) throws(SocketError.Cause) -> (message: [UInt8], used: Int)? {
    guard bytes.count <= Self.largestSpare else { return (Array(bytes), bytes.count) }
    var piece = exchange(&spare, with: [])
    piece.removeAll(keepingCapacity: true)
    piece.append(contentsOf: bytes)
    return (piece, bytes.count)
  }

  mutating func decodeLast(
    _ bytes: UnsafeRawBufferPointer
  ) throws(SocketError.Cause) -> [UInt8]? {
    bytes.isEmpty ? nil : Array(bytes)
  }

  mutating func recycle(_ message: consuming [UInt8]) {
    if message.capacity <= 2 * Self.largestSpare { spare = message }
  }
}
