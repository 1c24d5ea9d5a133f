/// Handles that are free: small numbers, each of which is taken again once it was given back.
@usableFromInline
struct HandlePool {
  @usableFromInline var free: [Int32] = []
  /// How many there are, free or taken.
  @usableFromInline var count: Int32

  /// The first handles are taken.
  @inlinable
  init(taken count: Int = 0) {
    self.count = Int32(count)
  }

  @inlinable
  mutating func take() -> Int32 {
    if let handle = free.popLast() { return handle }
    count += 1
    return count - 1
  }

  @inlinable
  mutating func give(_ handle: Int32) { free.append(handle) }

  /// Whether all have been given back, and there were many: whoever has tables by them can begin anew.
  @inlinable var canBeginAnew: Bool { count > 64 && free.count == count }
}
