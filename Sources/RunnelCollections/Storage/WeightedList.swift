/// An editable sequence of weights with their prefix sums, and the index at which a sum is reached.
/// Filters use it with weights of 0 and 1, flattened lists with the lengths of their parts.
///
/// A weight is not negative and fits into 32 bits. An index out of range traps.
///
/// *Complexity*: every operation is logarithmic. Operations on many weights are also linear in
/// their number.
@usableFromInline package struct WeightedList: Sendable {
  private var list = ChunkedList(WeightLedger())

  @usableFromInline package init() {}

  @inlinable package init(_ weights: some Sequence<Int>) {
    self.init()
    insert(contentsOf: weights, at: 0)
  }

  @usableFromInline package var count: Int { list.count }

  @usableFromInline package var total: Int { list.ledger.sums.total }

  @usableFromInline package subscript(index: Int) -> Int { Int(list[index]) }

  /// Sets a weight, and returns the old one.
  @discardableResult
  @usableFromInline package mutating func set(_ weight: Int, at index: Int) -> Int {
    Int(list.replace(at: index, with: Self.packed(weight)))
  }

  // MARK: - Sums

  /// Returns the sum of the weights before an index, which may be `count`.
  @usableFromInline package func sum(before index: Int) -> Int {
    guard index != count else { return total }
    let (place, offset) = list.locate(index)
    return list.ledger.sums.sum(before: place) + list.chunks[place].sum(before: offset)
  }

  /// Returns the element that covers an offset into the sum, and the offset within it.
  ///
  /// The sum before the index plus the rest is the offset. A weight of zero covers nothing.
  @usableFromInline package func index(ofOffset offset: Int) -> (index: Int, rest: Int) {
    let (place, rest) = list.ledger.sums.find(offset)
    let (index, remainder) = list.chunks[place].find(rest)
    return (list.count(before: place) + index, remainder)
  }

  // MARK: - Insertion and removal

  @usableFromInline package mutating func insert(_ weight: Int, at index: Int) {
    list.insert(Self.packed(weight), at: index)
  }

  @inlinable package mutating func insert(contentsOf weights: some Sequence<Int>, at index: Int) {
    var packed: ContiguousArray<Int32> = []
    packed.reserveCapacity(weights.underestimatedCount)
    for weight in weights { packed.append(Self.packed(weight)) }
    insert(packed: packed, at: index)
  }

  @usableFromInline
  package mutating func insert(repeating weight: Int, count: Int, at index: Int) {
    insert(packed: ContiguousArray(repeating: Self.packed(weight), count: count), at: index)
  }

  @usableFromInline mutating func insert(packed: ContiguousArray<Int32>, at index: Int) {
    list.insert(contentsOf: packed, at: index)
  }

  @discardableResult
  @usableFromInline package mutating func remove(at index: Int) -> Int {
    Int(list.remove(at: list.locate(index)))
  }

  @usableFromInline package mutating func removeSubrange(_ range: Range<Int>) {
    list.removeSubrange(range)
  }

  @inlinable static func packed(_ weight: Int) -> Int32 {
    precondition(weight >= 0 && weight <= Int32.max, "A weight must be from 0 to Int32.max.")
    return Int32(truncatingIfNeeded: weight)
  }
}

extension WeightedList: Sequence {
  @usableFromInline package struct Iterator: IteratorProtocol {
    @usableFromInline var chunks: ChunkIterator

    init(_ chunks: ChunkIterator) {
      self.chunks = chunks
    }

    @inlinable package mutating func next() -> Int? { chunks.next().map(Int.init) }
  }

  @usableFromInline package func makeIterator() -> Iterator { Iterator(ChunkIterator(list.chunks)) }

  @usableFromInline package var underestimatedCount: Int { count }
}

/// The sums of the weights of each chunk.
private struct WeightLedger: ChunkLedger {
  var sums = PrefixSums()

  mutating func open(_ places: Range<Int>) { sums.insertZeros(at: places) }

  mutating func close(_ places: Range<Int>) { sums.removeSubrange(places) }

  mutating func enter(_ weights: some Sequence<Int32>, at place: Int) {
    sums.add(Self.sum(weights), at: place)
  }

  mutating func leave(_ weights: some Sequence<Int32>, at place: Int) {
    sums.add(-Self.sum(weights), at: place)
  }

  private static func sum(_ weights: some Sequence<Int32>) -> Int {
    var sum = 0
    for weight in weights { sum &+= Int(weight) }
    return sum
  }
}

extension ContiguousArray<Int32> {
  fileprivate func sum(before offset: Int) -> Int {
    withUnsafeBufferPointer { weights in
      var sum = 0
      for weight in weights[..<offset] { sum &+= Int(weight) }
      return sum
    }
  }

  /// Returns the element that covers an offset. It skips whole blocks first, which are added at
  /// once.
  fileprivate func find(_ offset: Int) -> (index: Int, rest: Int) {
    withUnsafeBufferPointer { weights in
      var (index, rest) = (0, offset)
      while index + 32 <= weights.count {
        var sum = 0
        for step in 0..<32 { sum &+= Int(weights[index &+ step]) }
        guard rest >= sum else { break }
        rest &-= sum
        index &+= 32
      }
      while rest >= Int(weights[index]) {
        rest &-= Int(weights[index])
        index &+= 1
      }
      return (index, rest)
    }
  }
}
