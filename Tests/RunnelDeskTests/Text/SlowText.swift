import RunnelDesk
import RunnelTesting

/// A text in a single string, to compare with.
struct SlowText {
  var text: String

  /// Returns the number of bytes before a position.
  func offset(_ position: TextPosition) -> Int {
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    return lines[..<position.line].reduce(position.offset) { $0 + $1.count + 1 }
  }

  mutating func replace(_ range: Range<TextPosition>, with replacement: String) {
    var bytes = Array(text.utf8)
    bytes.replaceSubrange(
      offset(range.lowerBound)..<offset(range.upperBound), with: Array(replacement.utf8))
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// All positions between two characters.
  var positions: [TextPosition] { places { $0.indices.map { $0 } } }

  /// All positions between two scalars, where typing of characters can begin or end.
  var scalarPositions: [TextPosition] { places { $0.unicodeScalars.indices.map { $0 } } }

  private func places(_ indices: (String) -> [String.Index]) -> [TextPosition] {
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    return lines.enumerated().flatMap { number, bytes in
      let line = String(Substring(bytes))
      return (indices(line) + [line.endIndex]).map {
        TextPosition(line: number, offset: line.utf8.distance(from: line.startIndex, to: $0))
      }
    }
  }
}

/// Parts of random texts.
enum RandomText {
  /// Some join the preceding or following scalar, some are wide, some end words or lines.
  static let pieces = [
    "a", "b", "word", "e", "\u{301}", " ", "  ", "-", "\n", "\t", "世", "界", "\u{1F1E8}",
    "\u{1F1ED}",
    "👩", "\u{200D}", "👍", "🏽", "\r", "_", "7", ".", "\u{1100}", "\u{1161}", "\u{200B}", "ж",
  ]

  static func text(atMost most: Int, using random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 0...most, using: &random)).map { _ in piece(using: &random) }.joined()
  }

  static func piece(using random: inout SeededGenerator) -> String {
    pieces.randomElement(using: &random) ?? "a"
  }
}

extension Array where Element == TextPosition {
  /// Returns a random range between two of the positions.
  func randomRange(using random: inout SeededGenerator) -> Range<TextPosition> {
    let ends = (0..<2).map { _ in randomElement(using: &random) ?? .start }
    return Swift.min(ends[0], ends[1])..<Swift.max(ends[0], ends[1])
  }
}
