/// An element of the old list with its index.
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
  /// Sorts an array by a number. It is fast when the array is sorted already, which is the usual
  /// case.
  @inlinable
  mutating func sortUnlessAscending(by number: (Element) -> Int) {
    var last = Int.min
    for element in self {
      guard number(element) >= last else { return sort { number($0) < number($1) } }
      last = number(element)
    }
  }
}
