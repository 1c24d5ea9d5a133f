extension Grid {
  /// Returns a copy with another size: cut off, or extended with blanks, on the right and at the
  /// bottom.
  public func resized(to size: Size) -> Grid {
    var grid = Grid(size)
    grid.cursor = cursor
    for y in 0..<min(self.size.height, grid.size.height) {
      for x in 0..<min(self.size.width, grid.size.width) {
        let cell = self[Point(x: x, y: y)]
        if cell.width == 0 { continue }
        let place = Point(x: x, y: y)
        grid.put(String(cell.character), at: place, style: cell.style)
        if let address = link(at: place) {
          grid.link(Rect(origin: place, size: Size(width: 1, height: 1)), to: address)
        }
      }
    }
    return grid
  }
}
