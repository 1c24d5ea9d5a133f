import Glibc
import RunnelStreams

/// Splits bytes into lines.
struct LineDecoder: MessageDecoder {
  private let limit: Int
  /// The number of bytes that are known to contain no line feed.
  private var searched = 0

  init(limit: Int) {
    require(limit >= 0, "The longest line cannot be negative.")
    self.limit = limit
  }

  mutating func decode(
    _ bytes: UnsafeRawBufferPointer
  ) throws(SocketError.Cause) -> (message: String, used: Int)? {
    let unsearched = UnsafeRawBufferPointer(rebasing: bytes[min(searched, bytes.count)...])
    guard let index = unsearched.firstIndex(of: UInt8(ascii: "\n"), searching: memchr) else {
      searched = bytes.count
      if bytes.count > limit { throw .tooLong(limit: limit) }
      return nil
    }
    let end = searched + index
    searched = 0
    if end > limit { throw .tooLong(limit: limit) }
    return (Self.text(UnsafeRawBufferPointer(rebasing: bytes[..<end])), end + 1)
  }

  mutating func decodeLast(
    _ bytes: UnsafeRawBufferPointer
  ) throws(SocketError.Cause) -> String? {
    bytes.isEmpty ? nil : Self.text(bytes)
  }

  private static func text(_ line: UnsafeRawBufferPointer) -> String {
    let hasReturn = line.last == UInt8(ascii: "\r")
    return String(decoding: hasReturn ? line.dropLast() : line[...], as: UTF8.self)
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the index of a byte, found by a C function such as `memchr`.
  func firstIndex(
    of byte: UInt8,
    searching search: (UnsafeRawPointer, Int32, Int) -> UnsafeMutableRawPointer?
  ) -> Int? {
    guard let baseAddress, let found = search(baseAddress, Int32(byte), count) else { return nil }
    return UnsafeRawPointer(found) - baseAddress
  }
}
