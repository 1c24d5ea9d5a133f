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
      guard number(element) >= last else {
        self = ascendingOrder(of: map(number)).map { self[$0] }
        return
      }
      last = number(element)
    }
  }
}

// Not inlinable, since each client would compile the algorithm, which is long, again.

/// Returns the indices of the numbers in ascending order of the numbers.
@usableFromInline
func ascendingOrder(of numbers: [Int]) -> [Int] {
  numbers.indices.sorted { numbers[$0] < numbers[$1] }
}

extension [Int] {
  @usableFromInline
  mutating func sortAscending() { sort() }
}
