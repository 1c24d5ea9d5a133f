/// An element that was in a list, and where.
@usableFromInline
struct OldElement<Element> {
  @usableFromInline let index: Int
  @usableFromInline let element: Element

  @inlinable
  init(_ element: Element, at index: Int) {
    self.index = index
    self.element = element
  }
}

extension OldElement: Sendable where Element: Sendable {}

extension Array {
  /// Sorts what mostly is in order already.
  @inlinable
  mutating func sortUnlessAscending(by number: (Element) -> Int) {
    var last = Int.min
    for element in self {
      guard number(element) >= last else { return sort { number($0) < number($1) } }
      last = number(element)
    }
  }
}
