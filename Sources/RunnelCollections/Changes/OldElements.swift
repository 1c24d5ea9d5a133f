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
    var isAscending = true
    for (part, next) in zip(parts, parts.dropFirst()) where part.origin > next.origin {
      isAscending = false
      break
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
      ordered += elements[part.start..<part.start + part.count]
    }
    return (indices, ordered)
  }
}
