/// A text in the place of another.
package struct TextChange: Hashable, Sendable {
  /// What is replaced.
  package var range: Range<TextPosition>
  /// What comes in its place.
  package var replacement: String

  package init(_ range: Range<TextPosition>, _ replacement: String) {
    self.range = range
    self.replacement = replacement
  }

  /// Where the replacement will end.
  package var end: TextPosition { range.lowerBound.behind(replacement) }

  /// Whether nothing is replaced by nothing.
  package var isEmpty: Bool { range.isEmpty && replacement.isEmpty }
}
