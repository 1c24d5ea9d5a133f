/// A part of a line that looks different from the rest, such as a search hit.
///
///     let list = TextView("milk\nbread\nmore milk")
///     list.highlights = { _, line in line.ranges(of: "milk").map { TextHighlight($0) } }
public struct TextHighlight: Hashable, Sendable {
  /// The range in the line.
  public var range: Range<String.Index>
  /// The style; nil for the theme's style for highlights.
  public var style: TextStyle?

  /// Creates a highlight.
  public init(_ range: Range<String.Index>, style: TextStyle? = nil) {
    self.range = range
    self.style = style
  }
}
