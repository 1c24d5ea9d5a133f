/// Old elements that a batch has come by, with their old indices, in any order.
@usableFromInline
struct OldElements<Element> {
  @usableFromInline var elements: [Element] = []
  @usableFromInline var parts: [Part] = []

  /// Neighbours that came together.
  @usableFromInline
  struct Part {
    @usableFromInline let origin: Int
    @usableFromInline var count: Int
    /// Where they are among `elements`.
    @usableFromInline let start: Int

    @inlinable
    init(origin: Int, count: Int, start: Int) {
      self.origin = origin
      self.count = count
      self.start = start
    }
  }

  @inlinable
  init() {}

  @inlinable
  mutating func reserveCapacity(_ count: Int) {
    elements.reserveCapacity(count)
    parts.reserveCapacity(count)
  }

  @inlinable
  mutating func append(_ element: Element, origin: Int) {
    if let last = parts.indices.last, parts[last].origin + parts[last].count == origin {
      parts[last].count += 1
    } else {
      parts.append(Part(origin: origin, count: 1, start: elements.count))
    }
    elements.append(element)
  }

  /// The indices, ascending, and the elements in their order.
  @inlinable
  consuming func inOrder() -> (indices: IndexRuns, elements: [Element]) {
    var indices = IndexRuns()
    indices.reserveCapacity(parts.count)
    var isAscending = true
    var last = -1
    for part in parts {
      if part.origin < last { isAscending = false }
      last = part.origin
    }
    guard !isAscending else {
      for part in parts { indices.append(part.origin..<part.origin + part.count) }
      return (indices, elements)
    }
    parts.sort { $0.origin < $1.origin }
    var ordered: [Element] = []
    ordered.reserveCapacity(elements.count)
    for part in parts {
      indices.append(part.origin..<part.origin + part.count)
      for index in part.start..<part.start + part.count { ordered.append(elements[index]) }
    }
    return (indices, ordered)
  }
}
