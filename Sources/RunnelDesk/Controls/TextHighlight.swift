/// A part of a line that looks different from the rest of the text: what was searched for.
///
///     let list = TextView("milk\nbread\nmore milk")
///     list.highlights = { _, line in line.ranges(of: "milk").map { TextHighlight($0) } }
public struct TextHighlight: Hashable, Sendable {
  /// Which part of the line.
  public var range: Range<String.Index>
  /// How it looks; nil for what the theme has for highlights.
  public var style: TextStyle?

  /// A part of a line.
  public init(_ range: Range<String.Index>, style: TextStyle? = nil) {
    self.range = range
    self.style = style
  }
}
