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
  /// Puts old elements in the order in which they were.
  @inlinable
  mutating func sortByIndex<Old>() where Element == OldElement<Old> {
    var last = -1
    for old in self {
      guard old.index > last else { return sort { $0.index < $1.index } }
      last = old.index
    }
  }
}
