/// What one cell of a grid shows.
public struct Cell: Hashable, Sendable {
  /// The character; a space where nothing is.
  public var character: Character
  /// How it looks.
  public var style: TextStyle
  /// How many cells the character takes: 1 or 2; 0 in the second half of a wide one.
  public var width: Int

  /// A cell that shows a character.
  public init(_ character: Character, style: TextStyle = .plain, width: Int = 1) {
    self.character = character
    self.style = style
    self.width = width
  }

  /// A cell that shows nothing.
  public static let blank = Cell(" ")
}

/// A cell as a grid keeps it: sixteen bytes that nobody has to count references of.
package struct PackedCell: Hashable, Sendable {
  /// A Unicode scalar; or, where that takes more than one, its place in the grid's list of clusters.
  package var glyph: UInt32
  package var style: TextStyle
  package var width: UInt8

  package static let clusterBit: UInt32 = 1 << 31

  package static func blank(_ style: TextStyle) -> PackedCell {
    PackedCell(glyph: 0x20, style: style, width: 1)
  }

  /// The second half of a wide cell of a style.
  package static func secondHalf(_ style: TextStyle) -> PackedCell {
    PackedCell(glyph: 0x20, style: style, width: 0)
  }

  package var isCluster: Bool { glyph & Self.clusterBit != 0 }
}
