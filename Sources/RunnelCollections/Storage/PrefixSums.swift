/// A sequence of non-negative numbers with their prefix sums, and the place at which a sum is
/// reached.
///
/// Each level holds the sums of 32 adjacent numbers of the level below. It is empty if that level
/// has fewer. Adding a short run is faster than descending a tree, and an insertion only moves
/// memory.
struct PrefixSums: Sendable {
  private(set) var values: ContiguousArray<Int> = []
  private var groups: ContiguousArray<Int> = []
  private var regions: ContiguousArray<Int> = []
  private(set) var total = 0

  private static let shift = 5

  mutating func add(_ amount: Int, at place: Int) {
    values[place] &+= amount
    total &+= amount
    guard !groups.isEmpty else { return }
    groups[place >> Self.shift] &+= amount
    if !regions.isEmpty { regions[place >> (2 * Self.shift)] &+= amount }
  }

  func sum(before place: Int) -> Int {
    let group = place >> Self.shift
    let region = group >> Self.shift
    return Self.sum(regions, 0..<region)
      &+ Self.sum(groups, (region << Self.shift)..<group)
      &+ Self.sum(values, (group << Self.shift)..<place)
  }

  /// Returns the place whose number covers an offset, and the offset within it. Zeros cover
  /// nothing.
  func find(_ offset: Int) -> (place: Int, rest: Int) {
    precondition(offset >= 0 && offset < total, "The offset is out of range.")
    var (place, rest) = (0, offset)
    if !regions.isEmpty { Self.advance(&place, &rest, in: regions) }
    place <<= Self.shift
    if !groups.isEmpty { Self.advance(&place, &rest, in: groups) }
    place <<= Self.shift
    Self.advance(&place, &rest, in: values)
    return (place, rest)
  }

  mutating func insertZeros(at places: Range<Int>) {
    values.insert(contentsOf: repeatElement(0, count: places.count), at: places.lowerBound)
    addUp(from: places.lowerBound)
  }

  mutating func removeSubrange(_ places: Range<Int>) {
    total -= Self.sum(values, places)
    values.removeSubrange(places)
    addUp(from: places.lowerBound)
  }

  private mutating func addUp(from place: Int) {
    Self.addUp(values, into: &groups, from: place >> Self.shift)
    Self.addUp(groups, into: &regions, from: place >> (2 * Self.shift))
  }

  private static func addUp(
    _ values: ContiguousArray<Int>, into sums: inout ContiguousArray<Int>, from first: Int
  ) {
    guard values.count >= 1 << shift else { return sums.removeAll() }
    sums.removeSubrange(min(first, sums.count)...)
    var start = sums.count << shift
    while start < values.count {
      let end = min(start + 1 << shift, values.count)
      sums.append(sum(values, start..<end))
      start = end
    }
  }

  private static func sum(_ values: ContiguousArray<Int>, _ places: Range<Int>) -> Int {
    values.withUnsafeBufferPointer { values in
      var sum = 0
      for value in values[places] { sum &+= value }
      return sum
    }
  }

  private static func advance(_ place: inout Int, _ rest: inout Int, in sums: ContiguousArray<Int>)
  {
    sums.withUnsafeBufferPointer { sums in
      // Eight numbers are added at once.
      while place &+ 8 <= sums.count {
        var sum = 0
        for step in 0..<8 { sum &+= sums[place &+ step] }
        guard rest >= sum else { break }
        rest &-= sum
        place &+= 8
      }
      while rest >= sums[place] {
        rest &-= sums[place]
        place &+= 1
      }
    }
  }
}
