/// Reads elements of a list here and there: what is in the leaf of the one before is found at once.
@usableFromInline
struct LeafCursor<Element> {
  @usableFromInline let list: SharedArray<Element>
  // Safety: the list is kept, so its leaves are.
  @usableFromInline var leaf: UnsafeMutablePointer<Element>?
  /// The indices of what is in the leaf.
  @usableFromInline var range = 0..<0

  @inlinable
  init(_ list: SharedArray<Element>) {
    self.list = list
  }

  /// The element at an index. One that is out of range traps.
  @inlinable
  mutating func element(at index: Int) -> Element {
    if !range.contains(index) { go(to: index) }
    return withExtendedLifetime(list.root) {
      guard let leaf else { SharedArray<Element>.trap(index, list.count) }
      return leaf[index &- range.lowerBound]
    }
  }

  @inlinable @inline(never)
  mutating func go(to index: Int) {
    if index < 0 || index >= list.count { SharedArray<Element>.trap(index, list.count) }
    let (elements, offset, count) = list.leaf(at: index)
    leaf = elements
    range = index - offset..<index - offset + count
  }
}
