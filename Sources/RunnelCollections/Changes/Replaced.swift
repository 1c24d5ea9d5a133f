/// What updated elements were, by the index that they had. Each is noted once.
@usableFromInline
struct Replaced<Element> {
  @usableFromInline var elements: [Int: Element] = [:]
  /// Those that were updated side by side, which a table of each of them would be too dear for.
  @usableFromInline var blocks: [(start: Int, elements: ArraySlice<Element>)] = []

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { elements.isEmpty && blocks.isEmpty }

  @inlinable
  subscript(origin: Int) -> Element? {
    get {
      if let element = elements[origin] { return element }
      for (start, elements) in blocks where origin >= start && origin - start < elements.count {
        return elements[elements.startIndex + origin - start]
      }
      return nil
    }
    set { elements[origin] = newValue }
  }

  /// Notes neighbours.
  @inlinable
  mutating func add(_ elements: ArraySlice<Element>, from start: Int) {
    guard elements.count < 8 else { return blocks.append((start, elements)) }
    for (offset, element) in elements.enumerated() { self.elements[start + offset] = element }
  }

  /// Puts what some elements were at the end of a list.
  @inlinable
  func append(_ origins: Range<Int>, to list: inout [Element]) {
    var origin = origins.lowerBound
    while origin < origins.upperBound {
      let block = origins.count < 8 ? nil : blocks.first { $0.start == origin }
      if let block, block.elements.count <= origins.upperBound - origin {
        list += block.elements
        origin += block.elements.count
      } else {
        if let element = self[origin] { list.append(element) }
        origin += 1
      }
    }
  }
}
