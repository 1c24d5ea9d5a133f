/// Some of the indices of a list, in ascending order, kept as ranges: a million neighbours are one.
///
///     shelf.observe { event in
///       for index in event.changes?.inserts ?? IndexRuns() { show("\(index) is new") }
///     }
public struct IndexRuns: Equatable, Sendable {
  @usableFromInline var runs: [Range<Int>] = []
  @usableFromInline var total = 0

  /// No indices.
  @inlinable
  public init() {}

  /// One index.
  @inlinable
  init(_ index: Int) {
    runs = [index..<index + 1]
    total = 1
  }

  @inlinable
  init(ascending indices: some Sequence<Int>) {
    // No more than a few: they may be one run.
    reserveCapacity(Swift.min(indices.underestimatedCount, 32))
    for index in indices { append(index..<index + 1) }
  }

  @inlinable
  mutating func reserveCapacity(_ count: Int) { runs.reserveCapacity(count) }

  /// Adds what comes after all that is there.
  @inlinable
  package mutating func append(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    total += range.count
    if let last = runs.indices.last, runs[last].upperBound == range.lowerBound {
      runs[last] = runs[last].lowerBound..<range.upperBound
    } else {
      runs.append(range)
    }
  }

  /// The ranges, ascending, none empty, none touching the next.
  @inlinable
  public var ranges: [Range<Int>] { runs }

  /// How many indices there are.
  @inlinable
  public var count: Int { total }

  /// Whether there are none.
  @inlinable
  public var isEmpty: Bool { runs.isEmpty }
}

extension IndexRuns: Sequence {
  /// The indices, ascending.
  public func makeIterator() -> some IteratorProtocol<Int> {
    runs.lazy.joined().makeIterator()
  }
}

extension IndexRuns: CustomStringConvertible {
  /// The indices as an array has them.
  public var description: String { Array(self).description }
}
