/// The contents of one cell of a grid.
public struct Cell: Hashable, Sendable {
  /// The character; a space if the cell is empty.
  public var character: Character
  /// The style of the character.
  public var style: TextStyle
  /// The number of cells that the character occupies: 1 or 2, or 0 for the second half of a wide
  /// character.
  public var width: Int

  /// Creates a cell that shows a character.
  public init(_ character: Character, style: TextStyle = .plain, width: Int = 1) {
    self.character = character
    self.style = style
    self.width = width
  }

  /// An empty cell.
  public static let blank = Cell(" ")
}

/// A cell as a grid stores it: 16 bytes without reference counting.
package struct PackedCell: Hashable, Sendable {
  /// A Unicode scalar, or an index into the grid's list of clusters with ``clusterBit`` set.
  package var glyph: UInt32
  package var style: TextStyle
  package var width: UInt8
  /// The place in the grid's list of links, counted from 1; 0 if the cell is not part of a link.
  package var link: UInt16 = 0

  package static let clusterBit: UInt32 = 1 << 31

  package static func blank(_ style: TextStyle) -> PackedCell {
    PackedCell(glyph: 0x20, style: style, width: 1)
  }

  /// The second half of a wide character.
  package static func secondHalf(_ style: TextStyle) -> PackedCell {
    PackedCell(glyph: 0x20, style: style, width: 0)
  }

  package var isCluster: Bool { glyph & Self.clusterBit != 0 }
}
