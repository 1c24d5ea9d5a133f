extension Array {
  /// Sorts the elements; those that are equal keep their order.
  ///
  /// Where elements are in no order it takes about half of what `sort(by:)` does: which of two comes
  /// first is never guessed, and so never guessed wrong. A closure that is not a strict weak order
  /// gives some order.
  @inlinable
  mutating func mergeSort(by precedes: (Element, Element) -> Bool) {
    guard count > 1 else { return }
    withUnsafeMutableBufferPointer { elements in
      guard let start = elements.baseAddress else { return }
      // Safety: each element is moved from one buffer to the other as a whole, so that at any time
      // it is in one of them; in the end all are where they were found.
      let other = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
      defer { other.deallocate() }
      var sorting = MergeSorting(source: start, target: other, count: elements.count)
      sorting.sortBlocks(by: precedes)
      while sorting.width < elements.count { sorting.mergeBlocks(by: precedes) }
      if sorting.source != start { start.moveInitialize(from: other, count: elements.count) }
    }
  }
}

/// Elements that are sorted block by block, and two buffers between which they are moved.
@usableFromInline
struct MergeSorting<Element> {
  @usableFromInline typealias Place = UnsafeMutablePointer<Element>

  /// Where they are.
  @usableFromInline var source: Place
  /// Where they come to.
  @usableFromInline var target: Place
  @usableFromInline let count: Int
  /// How long the blocks are that are in order.
  @usableFromInline var width = 8

  @inlinable
  init(source: Place, target: Place, count: Int) {
    self.source = source
    self.target = target
    self.count = count
  }

  @inlinable
  func sortBlocks(by precedes: (Element, Element) -> Bool) {
    for start in stride(from: 0, to: count, by: width) {
      for index in start + 1..<max(start + 1, min(start + width, count)) {
        guard precedes(source[index], source[index - 1]) else { continue }
        let element = (source + index).move()
        var place = index
        repeat {
          (source + place).moveInitialize(from: source + place - 1, count: 1)
          place -= 1
        } while place > start && precedes(element, source[place - 1])
        (source + place).initialize(to: element)
      }
    }
  }

  /// Makes one block of each two.
  @inlinable
  mutating func mergeBlocks(by precedes: (Element, Element) -> Bool) {
    for start in stride(from: 0, to: count, by: 2 * width) {
      let middle = min(start + width, count)
      let end = min(start + 2 * width, count)
      if middle == end || !precedes(source[middle], source[middle - 1]) {
        (target + start).moveInitialize(from: source + start, count: end - start)
      } else {
        merge(start, middle, end, by: precedes)
      }
    }
    swap(&source, &target)
    width *= 2
  }

  @inlinable @inline(__always)
  func merge(_ start: Int, _ middle: Int, _ end: Int, by precedes: (Element, Element) -> Bool) {
    var (left, right, place) = (source + start, source + middle, target + start)
    let (leftEnd, rightEnd) = (source + middle, source + end)
    while left < leftEnd && right < rightEnd {
      let takesRight = precedes(right.pointee, left.pointee)
      // A choice without a branch.
      place.moveInitialize(from: takesRight ? right : left, count: 1)
      right += takesRight ? 1 : 0
      left += takesRight ? 0 : 1
      place += 1
    }
    place.moveInitialize(from: left, count: leftEnd - left)
    (place + (leftEnd - left)).moveInitialize(from: right, count: rightEnd - right)
  }
}
