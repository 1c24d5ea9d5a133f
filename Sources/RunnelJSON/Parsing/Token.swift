/// A value or a name in a parsed text.
///
/// The tokens of a text have its order. An array or object comes before what it contains. After the
/// token of an object comes one more, with the state of its look-ups.
struct Token {
  enum Kind: UInt32 {
    case null, `false`, `true`
    /// A number without a fraction and an exponent.
    case integer
    case decimal
    case string
    case escapedString
    case array
    case object
  }

  /// The offset of the first byte. For strings, the quote is left out.
  var start: UInt32
  /// The kind in the highest four bits. Below it, the number of bytes, or for an array or object the
  /// number of tokens inside.
  private var info: UInt32

  private static let countBits: UInt32 = 28

  @inline(__always)
  init(_ kind: Kind, at start: Int, count: Int = 0) {
    self.start = UInt32(truncatingIfNeeded: start)
    info = kind.rawValue << Self.countBits | UInt32(truncatingIfNeeded: count)
  }

  /// The state of the look-ups in an object.
  @inline(__always)
  init(lookUp: LookUp, from cursor: Int) {
    start = UInt32(truncatingIfNeeded: cursor)
    info = lookUp.rawValue
  }

  @inline(__always) var kind: Kind { Kind(rawValue: info >> Self.countBits) ?? .null }
  @inline(__always) var count: Int { Int(info & (1 << Self.countBits - 1)) }
  @inline(__always) var lookUp: LookUp { LookUp(rawValue: info) ?? .inOrder }
  /// The distance to the token after the value.
  @inline(__always) var span: Int { info >> Self.countBits < Kind.array.rawValue ? 1 : 1 + count }

  @inline(__always)
  mutating func setCount(_ count: Int) {
    info = info & ~(1 << Self.countBits - 1) | UInt32(truncatingIfNeeded: count)
  }
}

/// The way in which a name is looked up in an object.
enum LookUp: UInt32 {
  /// No name occurs twice: the search begins where the last one ended.
  case inOrder
  /// A name may occur twice: the last one counts.
  case last
  /// There are many names: see ``NameTable``.
  case table
}
