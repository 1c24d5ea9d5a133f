/// A replacement of a range of text.
package struct TextChange: Hashable, Sendable {
  package var range: Range<TextPosition>
  package var replacement: String

  package init(_ range: Range<TextPosition>, _ replacement: String) {
    self.range = range
    self.replacement = replacement
  }

  /// The end of the new text after the change.
  package var end: TextPosition { range.lowerBound.advanced(over: replacement) }

  /// True when the change has no effect, because its range and its replacement are empty.
  package var isEmpty: Bool { range.isEmpty && replacement.isEmpty }
}
