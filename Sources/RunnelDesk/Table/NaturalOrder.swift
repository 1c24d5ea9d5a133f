import RunnelText

/// A text that is compared without case and accents, and in which numbers are compared by value:
/// "Note 2" is before "Note 10". The order does not depend on the user's language.
struct NaturalOrder: Comparable {
  /// The folded text, divided into numbers and the text between them.
  private let parts: [Part]

  private enum Part: Equatable {
    /// A number: its digits without leading zeros.
    case number([UInt8])
    case text([UInt8])
  }

  init(_ text: String) {
    let bytes = FoldedText(text).bytes
    var parts: [Part] = []
    var rest = bytes[...]
    while let first = rest.first {
      let isNumber = Self.isDigit(first)
      let run = rest.prefix { Self.isDigit($0) == isNumber }
      rest = rest.dropFirst(run.count)
      parts.append(
        isNumber ? .number(Array(run.drop { $0 == UInt8(ascii: "0") })) : .text(Array(run)))
    }
    self.parts = parts
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func < (left: NaturalOrder, right: NaturalOrder) -> Bool {
    left.parts.lexicographicallyPrecedes(right.parts) { left, right in
      switch (left, right) {
      case (.number(let left), .number(let right)):
        left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
      case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
      case (.number, .text): true
      case (.text, .number): false
      }
    }
  }
}
