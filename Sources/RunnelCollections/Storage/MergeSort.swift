extension Array {
  /// Sorts the elements; those that are equal keep their order.
  ///
  /// Where many elements are in no order it takes about half of what `sort(by:)` does: which of two
  /// comes first is not guessed, and so not guessed wrong. A closure that is not a strict weak
  /// order gives some order.
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

  /// Sorts each block.
  @inlinable
  mutating func sortBlocks(by precedes: (Element, Element) -> Bool) {
    // What holds references mostly takes longer to compare than a wrong guess costs.
    let usesRanks = _isPOD(Element.self)
    for start in stride(from: 0, to: count, by: width) {
      let end = min(start + width, count)
      if usesRanks, end - start == width, sortByRanks(start, by: precedes) { continue }
      insertionSort(start..<end, by: precedes)
      if usesRanks { (target + start).moveInitialize(from: source + start, count: end - start) }
    }
    if usesRanks { swap(&source, &target) }
  }

  /// Moves a whole block to the other buffer in order. It counts for each element how many go
  /// before it, without a branch, and gives up where two get one place: the closure is no order.
  @inlinable
  func sortByRanks(_ start: Int, by precedes: (Element, Element) -> Bool) -> Bool {
    let block = source + start
    var inversions = 0
    for index in 1..<8 { inversions &+= precedes(block[index], block[index - 1]) ? 1 : 0 }
    guard inversions > 0 else {
      (target + start).moveInitialize(from: block, count: 8)
      return true
    }
    // A byte for each: it begins with its index.
    var ranks: UInt64 = 0x0706_0504_0302_0100
    for later in 1..<8 {
      for earlier in 0..<later {
        let isBefore: UInt64 = precedes(block[later], block[earlier]) ? 1 : 0
        ranks &+= isBefore &<< UInt64(8 * earlier)
        ranks &-= isBefore &<< UInt64(8 * later)
      }
    }
    var taken: UInt64 = 0
    for index in 0..<8 { taken |= 1 &<< (ranks &>> UInt64(8 * index) & 7) }
    guard taken == 0xFF else { return false }
    // Safety: the ranks are from 0 to 7, and no two are the same.
    for index in 0..<8 {
      let rank = Int(truncatingIfNeeded: ranks &>> UInt64(8 * index) & 7)
      (target + start + rank).moveInitialize(from: block + index, count: 1)
    }
    return true
  }

  @inlinable
  func insertionSort(_ range: Range<Int>, by precedes: (Element, Element) -> Bool) {
    for index in range.dropFirst() {
      guard precedes(source[index], source[index - 1]) else { continue }
      let element = (source + index).move()
      var place = index
      repeat {
        (source + place).moveInitialize(from: source + place - 1, count: 1)
        place -= 1
      } while place > range.lowerBound && precedes(element, source[place - 1])
      (source + place).initialize(to: element)
    }
  }

  /// Makes one block of each two.
  @inlinable
  mutating func mergeBlocks(by precedes: (Element, Element) -> Bool) {
    var start = 0
    while start < count {
      var one = merge(at: start, by: precedes)
      var other = merge(at: start + 2 * width, by: precedes)
      // Two at a time: what a step of the one waits for, it does not wait for alone.
      while one.hasBoth && other.hasBoth {
        one.step(by: precedes)
        other.step(by: precedes)
      }
      while one.hasBoth { one.step(by: precedes) }
      while other.hasBoth { other.step(by: precedes) }
      one.finish()
      other.finish()
      start += 4 * width
    }
    swap(&source, &target)
    width *= 2
  }

  /// The merge of the two blocks from a place on, as much of them as there is.
  @inlinable @inline(__always)
  func merge(at start: Int, by precedes: (Element, Element) -> Bool) -> Merge {
    let start = min(start, count)
    let end = min(start + 2 * width, count)
    var middle = min(start + width, count)
    // All is one block if it is in order.
    if middle < end && !precedes(source[middle], source[middle - 1]) { middle = end }
    return Merge(
      left: source + start, leftEnd: source + middle, right: source + middle,
      rightEnd: source + end, place: target + start)
  }

  /// Two blocks that become one elsewhere.
  @usableFromInline
  struct Merge {
    @usableFromInline var left: Place
    @usableFromInline let leftEnd: Place
    @usableFromInline var right: Place
    @usableFromInline let rightEnd: Place
    @usableFromInline var place: Place

    @inlinable @inline(__always)
    init(left: Place, leftEnd: Place, right: Place, rightEnd: Place, place: Place) {
      self.left = left
      self.leftEnd = leftEnd
      self.right = right
      self.rightEnd = rightEnd
      self.place = place
    }

    @inlinable var hasBoth: Bool {
      @inline(__always) get { left < leftEnd && right < rightEnd }
    }

    @inlinable @inline(__always)
    mutating func step(by precedes: (Element, Element) -> Bool) {
      let takesRight = precedes(right.pointee, left.pointee) ? 1 : 0
      // A choice without a branch.
      let (a, b) = (UInt(bitPattern: left), UInt(bitPattern: right))
      let mask = UInt(bitPattern: 0 &- takesRight)
      // Safety: it is one of the two, which have an element each.
      let chosen = Place(bitPattern: a ^ ((a ^ b) & mask)).unsafelyUnwrapped
      place.initialize(to: chosen.move())
      right += takesRight
      left += 1 &- takesRight
      place += 1
    }

    @inlinable @inline(__always)
    func finish() {
      place.moveInitialize(from: left, count: leftEnd - left)
      (place + (leftEnd - left)).moveInitialize(from: right, count: rightEnd - right)
    }
  }
}
