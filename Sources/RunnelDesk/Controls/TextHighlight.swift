/// A part of a line that looks different from the rest, such as a search hit.
///
///     let list = TextView("milk\nbread\nmore milk")
///     list.highlights = { _, line in line.ranges(of: "milk").map { TextHighlight($0) } }
public struct TextHighlight: Hashable, Sendable {
  /// The letters of a part of a ``TextView`` in a window. A terminal has letters of one kind.
  public enum Letters: Hashable, Sendable {
    /// Letters like those around the part.
    case plain
    /// Letters of a heading of a level from 1. The headings of level 1 are the largest ones.
    case heading(level: Int)
    /// Letters of equal width, as for code and tables.
    case monospaced
  }

  /// The range in the line.
  public var range: Range<String.Index>
  /// The style; nil for the theme's style for highlights. A plain style does not change the text.
  public var style: TextStyle?
  /// The letters.
  public var letters: Letters

  /// Creates a highlight.
  public init(
    _ range: Range<String.Index>, style: TextStyle? = nil, letters: Letters = .plain
  ) {
    self.range = range
    self.style = style
    self.letters = letters
  }
}
