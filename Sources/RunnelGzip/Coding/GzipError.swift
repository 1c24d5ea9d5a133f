/// A reason why compressed bytes could not be decompressed.
public enum GzipError: Error, Hashable {
  /// The bytes are not compressed in the expected format.
  case corrupted(String)
  /// The bytes end too early.
  case truncated
  /// The decompressed bytes are more than are allowed.
  case tooLarge(limit: Int)
}

extension GzipError: CustomStringConvertible {
  /// The error in a sentence.
  public var description: String {
    switch self {
    case .corrupted(let reason): "The compressed bytes are invalid: \(reason)."
    case .truncated: "The compressed bytes end too early."
    case .tooLarge(let limit): "The decompressed bytes are more than \(limit)."
    }
  }
}

/// A format of compressed bytes around the same method, DEFLATE.
public enum DeflateFormat: Hashable, Sendable {
  /// The format of `.gz` files and of `Content-Encoding: gzip`, by RFC 1952.
  case gzip
  /// The format of RFC 1950, which HTTP calls `deflate`.
  case zlib
  /// DEFLATE by RFC 1951 without a frame, as in `permessage-deflate`.
  case raw

  /// The number that selects the format in zlib, for a window of a number of bits.
  func bits(window: Int) -> Int32 {
    switch self {
    case .gzip: Int32(window) + 16
    case .zlib: Int32(window)
    case .raw: -Int32(window)
    }
  }
}
