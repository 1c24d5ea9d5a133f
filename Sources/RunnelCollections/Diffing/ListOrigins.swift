/// The old index of each element of a new list.
@usableFromInline package struct ListOrigins: Sendable {
  /// The old index for each new index, or -1 for a new element. No old index occurs twice.
  @usableFromInline package let origins: [Int32]
  /// The new indices of the elements that must move, ascending. Their number is minimal.
  @usableFromInline package let moved: [Int]
  package let oldCount: Int

  @usableFromInline init(origins: [Int32], oldCount: Int) {
    self.origins = origins
    self.oldCount = oldCount
    moved = Self.outOfOrder(origins)
  }

  /// For each old index, true when the element is in the new list.
  @usableFromInline var stays: [Bool] {
    var stays = [Bool](repeating: false, count: oldCount)
    for origin in origins where origin >= 0 { stays[Int(origin)] = true }
    return stays
  }

  /// Returns the indices that are not part of one longest ascending subsequence of the origins.
  ///
  /// This is patience sorting: `ends` holds, for each length, the ascending subsequence with the
  /// lowest end. An element that continues the longest one is appended in O(1), which is the usual
  /// case.
  private static func outOfOrder(_ origins: [Int32]) -> [Int] {
    var kept = 0
    var last: Int32 = -1
    var isAscending = true
    for origin in origins where origin >= 0 {
      if origin < last { isAscending = false }
      last = origin
      kept += 1
    }
    guard !isAscending else { return [] }
    var previous = [Int32](repeating: -1, count: origins.count)
    var ends: [Int32] = []
    for (index, origin) in origins.enumerated() where origin >= 0 {
      var length = ends.count
      if let end = ends.last, origins[Int(end)] > origin {
        length = firstEnd(above: origin, in: ends, origins)
      }
      if length > 0 { previous[index] = ends[length - 1] }
      if length == ends.count { ends.append(Int32(index)) } else { ends[length] = Int32(index) }
    }
    var moved: [Int] = []
    moved.reserveCapacity(kept - ends.count)
    var next = ends.last ?? -1
    for index in origins.indices.reversed() where origins[index] >= 0 {
      if index == Int(next) { next = previous[index] } else { moved.append(index) }
    }
    moved.reverse()
    return moved
  }

  private static func firstEnd(above origin: Int32, in ends: [Int32], _ origins: [Int32]) -> Int {
    var (low, high) = (0, ends.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if origins[Int(ends[middle])] < origin { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension ListOrigins {
  /// Creates the origins by matching elements with the same id. Of several elements with one id,
  /// the k-th matches the k-th.
  ///
  /// Inconsistent `Hashable` conformances are tolerated: they cause additional inserts and deletes
  /// at worst.
  ///
  /// *Complexity*: linear, plus O(*m* log *m*) for the *m* elements between the first and the last
  /// that moved.
  @inlinable package init<Element, ID: Hashable>(
    from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>,
    by id: (Element) -> ID
  ) {
    self = withBuffer(old) { old in
      withBuffer(new) { new in
        ListOrigins(origins: Self.origins(from: old, to: new, by: id), oldCount: old.count)
      }
    }
  }

  @inlinable static func origins<Element, ID: Hashable>(
    from old: UnsafeBufferPointer<Element>, to new: UnsafeBufferPointer<Element>,
    by id: (Element) -> ID
  ) -> [Int32] {
    precondition(
      max(old.count, new.count) < Int32.max, "A list has 2³¹ elements or more. Diff shorter lists.")
    let common = min(old.count, new.count)
    var start = 0
    while start < common, id(old[start]) == id(new[start]) { start += 1 }
    var ending = 0
    while ending < common - start,
      id(old[old.count - 1 - ending]) == id(new[new.count - 1 - ending])
    { ending += 1 }
    var origins: [Int32] = []
    origins.reserveCapacity(new.count)
    origins.append(contentsOf: 0..<Int32(start))
    let middle = new[start..<new.count - ending]
    let surplus = append(middle, from: old[start..<old.count - ending], to: &origins, by: id)
    if !surplus.isEmpty, new.suffix(ending).contains(where: { surplus.contains(id($0).hashValue) })
    {
      // One more, or one fewer, element with an id shifts the occurrences at the common end.
      origins.removeSubrange(start...)
      _ = append(new[start...], from: old[start...], to: &origins, by: id)
    }
    let shift = Int32(old.count) - Int32(new.count)
    for index in origins.count..<new.count { origins.append(Int32(index) + shift) }
    return origins
  }

  /// Matches the elements between the common start and the common end. Returns the hashes of the
  /// ids that one side has more of. It does not return the ids, because a `Set` of an inconsistent
  /// `Hashable` type may trap.
  @inlinable static func append<Element, ID: Hashable>(
    _ new: Slice<UnsafeBufferPointer<Element>>, from old: Slice<UnsafeBufferPointer<Element>>,
    to origins: inout [Int32], by id: (Element) -> ID
  ) -> Set<Int> {
    var surplus: Set<Int> = []
    var index = OccurrenceIndex(old, by: id)
    for element in new {
      let sought = id(element)
      let origin = index.match(sought, by: id)
      origins.append(origin)
      if origin < 0 { surplus.insert(sought.hashValue) }
    }
    for element in index.left { surplus.insert(id(element).hashValue) }
    return surplus
  }
}

/// Calls a closure with the elements in contiguous memory. Many lists are contiguous, and in others
/// an index access is expensive.
@inlinable func withBuffer<Element, Result>(
  _ elements: some RandomAccessCollection<Element>,
  _ body: (UnsafeBufferPointer<Element>) -> Result
) -> Result {
  elements.withContiguousStorageIfAvailable(body)
    ?? ContiguousArray(elements).withUnsafeBufferPointer(body)
}
