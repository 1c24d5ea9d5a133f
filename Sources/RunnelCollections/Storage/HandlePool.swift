/// An allocator of handles: small numbers that are reused after they were released.
@usableFromInline
package struct HandlePool {
  @usableFromInline var free: [Int32] = []
  /// The number of handles, used or free.
  @usableFromInline var count: Int32

  /// Creates a pool in which the first handles are in use.
  @inlinable
  package init(taken count: Int = 0) {
    self.count = Int32(count)
  }

  @inlinable
  package mutating func take() -> Int32 {
    if let handle = free.popLast() { return handle }
    count += 1
    return count - 1
  }

  @inlinable
  package mutating func give(_ handle: Int32) { free.append(handle) }

  /// True when all of many handles are free, so that tables indexed by handle can be discarded.
  @inlinable var canBeDiscarded: Bool { count > 64 && free.count == count }
}
