// Links of cells, which a terminal opens when the user clicks them with a modifier key.
extension Grid {
  /// Makes the cells in a rectangle a link to an address, until they are drawn over. Both halves of a
  /// wide character belong to the same link.
  package mutating func link(_ rect: Rect, to address: String, in clip: Rect? = nil) {
    let place = bounds.intersection(rect).intersection(clip ?? bounds)
    guard !place.isEmpty else { return }
    let index = links.firstIndex(of: address) ?? links.count
    guard index < UInt16.max else { return }
    if index == links.count { links.append(address) }
    for y in place.minY..<place.maxY {
      let row = y * size.width
      for x in place.minX..<place.maxX where cells[row + x].width > 0 {
        cells[row + x].link = UInt16(index + 1)
        if cells[row + x].width == 2 { cells[row + x + 1].link = UInt16(index + 1) }
      }
    }
  }

  /// Returns the address of a cell's link; nil if the cell is not part of a link.
  package func link(of cell: PackedCell) -> String? {
    cell.link == 0 ? nil : links[Int(cell.link) - 1]
  }

  /// Returns the address of the link at a position; nil if there is none.
  package func link(at point: Point) -> String? {
    bounds.contains(point) ? link(of: cells[point.y * size.width + point.x]) : nil
  }
}

extension String {
  /// The text as an address that other programs open, with only printable ASCII characters; nil if
  /// it is another text, or too long for terminals.
  var openableAddress: String? {
    let schemes = ["http", "https", "mailto", "ftp", "file"]
    guard let colon = firstIndex(of: ":"), schemes.contains(self[..<colon].lowercased()) else {
      return nil
    }
    let address = utf8.reduce(into: "") { text, byte in
      if (0x21...0x7E).contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return address.utf8.count <= 2_000 ? address : nil
  }
}
