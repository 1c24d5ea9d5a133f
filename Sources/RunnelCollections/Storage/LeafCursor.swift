/// A reader of list elements that caches the last leaf, so that reading nearby elements is fast.
@usableFromInline
struct LeafCursor<Element> {
  @usableFromInline let list: SharedArray<Element>
  // Safety: the list is retained, so its leaves stay alive and unchanged.
  @usableFromInline var leaf: UnsafeMutablePointer<Element>?
  /// The indices of the elements in the leaf.
  @usableFromInline var range = 0..<0

  @inlinable
  init(_ list: SharedArray<Element>) {
    self.list = list
  }

  /// Traps if the index is out of range.
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
