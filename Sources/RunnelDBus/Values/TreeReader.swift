/// The position in the values of a variant.
final class TreeReader {
  private var parts: [Variant.Content]
  private var index = 0

  init(_ parts: [Variant.Content]) {
    self.parts = parts
  }

  var isAtEnd: Bool { index == parts.count }

  func next() throws(BusError) -> Variant.Content {
    guard !isAtEnd else { throw .malformed }
    defer { index += 1 }
    return parts[index]
  }

  /// Reads the parts of a container in the body.
  func nested(
    _ inner: [Variant.Content], _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    let (outerParts, outerIndex) = (parts, index)
    (parts, index) = (inner, 0)
    defer { (parts, index) = (outerParts, outerIndex) }
    try body()
  }

  /// Reads the parts of an array or a dictionary, with one call of the body for each element.
  func nestedElements(
    _ inner: [Variant.Content], _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    try nested(inner) { () throws(BusError) in
      while !isAtEnd {
        let before = index
        try body()
        // A body that reads nothing would be called without end.
        if index == before { throw .malformed }
      }
    }
  }
}
