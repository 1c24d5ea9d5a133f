/// Gives out numbers that stand for elements, and takes them back to give them out again.
@usableFromInline
struct HandleSupply {
  @usableFromInline private(set) var count: Int32
  private var free: [Int32] = []

  /// The first so many have been given out.
  @usableFromInline
  init(first count: Int = 0) {
    self.count = Int32(count)
  }

  @usableFromInline
  mutating func take() -> Int32 {
    if let handle = free.popLast() { return handle }
    count += 1
    return count - 1
  }

  @usableFromInline
  mutating func giveBack(_ handle: Int32) {
    free.append(handle)
  }
}
