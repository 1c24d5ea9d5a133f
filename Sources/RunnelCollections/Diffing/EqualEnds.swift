/// The numbers of equal elements at the start and at the end of two lists.
package struct EqualEnds {
  package let start: Int
  /// Elements that are counted at the start are not counted again.
  package let end: Int

  /// Compares the elements at pairs of indices. `isSame` gets an index in each list.
  package init(_ count: Int, _ otherCount: Int, isSame: (Int, Int) -> Bool) {
    let least = min(count, otherCount)
    var (start, end) = (0, 0)
    while start < least, isSame(start, start) { start += 1 }
    while end < least - start, isSame(count - 1 - end, otherCount - 1 - end) { end += 1 }
    self.start = start
    self.end = end
  }
}
