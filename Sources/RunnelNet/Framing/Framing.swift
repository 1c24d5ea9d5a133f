import RunnelStreams

/// A format that separates the messages of a stream of bytes.
///
///     let framing = Framing.lengthPrefixed(by: 4)
///     _ = client.write(framing.encode(Array("hello".utf8)))
///     client.messages(framed: framing).observe(next: { show($0) })
public struct Framing: Hashable, Sendable {
  /// The order of the bytes of a number.
  public enum ByteOrder: Hashable, Sendable {
    /// Most significant byte first, the order of network protocols.
    case bigEndian
    /// Least significant byte first.
    case littleEndian
  }

  enum Format: Hashable {
    case fixed(Int)
    case delimited([UInt8])
    case prefixed(width: Int, ByteOrder)
    case varint
  }

  let format: Format
  /// The maximum number of bytes of a message.
  public let limit: Int

  /// Messages of a fixed number of bytes.
  public static func fixed(_ count: Int) -> Framing {
    require(count > 0, "A message of a fixed size needs at least one byte.")
    return Framing(format: .fixed(count), limit: count)
  }

  /// Messages that end with a delimiter, which they must not contain.
  public static func delimited(by delimiter: [UInt8], longest limit: Int = 1 << 20) -> Framing {
    require(!delimiter.isEmpty, "A delimiter needs at least one byte.")
    return Framing(format: .delimited(delimiter), limit: checked(limit))
  }

  /// Messages after their length, a number of 1 to 8 bytes.
  public static func lengthPrefixed(
    by width: Int, _ order: ByteOrder = .bigEndian, longest limit: Int = 1 << 20
  ) -> Framing {
    require(1...8 ~= width, "The length of a message is a number of 1 to 8 bytes.")
    return Framing(format: .prefixed(width: width, order), limit: checked(limit))
  }

  /// Messages after their length, a number of 7 bits per byte, least significant first, as in
  /// Protocol Buffers.
  public static func varintPrefixed(longest limit: Int = 1 << 20) -> Framing {
    Framing(format: .varint, limit: checked(limit))
  }

  private static func checked(_ limit: Int) -> Int {
    require(limit >= 0, "The longest message cannot be negative.")
    return limit
  }

  // MARK: - Encoding

  /// Returns a message with its framing. Traps if the format cannot express it: if it is too long,
  /// has not the fixed size, or contains the delimiter.
  public func encode(_ message: [UInt8]) -> [UInt8] {
    require(
      message.count <= limit,
      "A message of \(message.count) bytes exceeds the \(limit) of its framing.")
    switch format {
    case .fixed(let count):
      require(message.count == count, "A message of this framing has exactly \(count) bytes.")
      return message
    case .delimited(let delimiter):
      let encoded = message + delimiter
      require(
        encoded.firstRange(of: delimiter)?.lowerBound == message.count,
        "A message cannot contain its delimiter.")
      return encoded
    case .prefixed(let width, let order):
      require(
        width == 8 || message.count >> (8 * width) == 0,
        "A message of \(message.count) bytes does not fit a length of \(width) bytes.")
      let length = (0..<width).map { UInt8(truncatingIfNeeded: UInt64(message.count) >> (8 * $0)) }
      return (order == .bigEndian ? length.reversed() : length) + message
    case .varint:
      var prefix: [UInt8] = []
      var length = message.count
      while length >= 0x80 {
        prefix.append(UInt8(truncatingIfNeeded: length) | 0x80)
        length >>= 7
      }
      return prefix + [UInt8(length)] + message
    }
  }
}
