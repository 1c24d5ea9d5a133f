/// An incremental UTF-8 decoder that takes one byte at a time.
struct UTF8Decoder {
  enum Outcome {
    /// More bytes are needed.
    case incomplete
    case scalar(Unicode.Scalar)
    case invalid
    /// The previous bytes are incomplete; this byte begins another scalar.
    case invalidBefore
  }

  private var value: UInt32 = 0
  private var missing = 0
  /// The valid range of the next byte. It excludes overlong encodings and surrogates.
  private var allowed: ClosedRange<UInt8> = 0x80...0xBF

  mutating func take(_ byte: UInt8) -> Outcome {
    if missing == 0 { return begin(byte) }
    guard allowed.contains(byte) else { return .invalidBefore }
    allowed = 0x80...0xBF
    value = value << 6 | UInt32(byte & 0x3F)
    missing -= 1
    if missing > 0 { return .incomplete }
    return Unicode.Scalar(value).map(Outcome.scalar) ?? .invalid
  }

  private mutating func begin(_ byte: UInt8) -> Outcome {
    switch byte {
    case ..<0x80: return .scalar(Unicode.Scalar(byte))
    case 0xC2...0xDF: (missing, value) = (1, UInt32(byte & 0x1F))
    case 0xE0...0xEF: (missing, value) = (2, UInt32(byte & 0x0F))
    case 0xF0...0xF4: (missing, value) = (3, UInt32(byte & 0x07))
    default: return .invalid
    }
    switch byte {
    case 0xE0: allowed = 0xA0...0xBF
    case 0xED: allowed = 0x80...0x9F
    case 0xF0: allowed = 0x90...0xBF
    case 0xF4: allowed = 0x80...0x8F
    default: break
    }
    return .incomplete
  }
}
