/// An ascending sequence of list indices, stored as ranges. A million adjacent indices are one
/// range.
///
///     shelf.observe { event in
///       for index in event.changes?.inserts ?? IndexRuns() { show("\(index) is new") }
///     }
public struct IndexRuns: Equatable, Sendable {
  @usableFromInline var runs: [Range<Int>] = []
  @usableFromInline var total = 0

  /// Creates an empty sequence.
  @inlinable
  public init() {}

  @inlinable
  init(ascending indices: some Sequence<Int>) {
    // Reserve only a little, because many indices may form one run.
    reserveCapacity(Swift.min(indices.underestimatedCount, 32))
    for index in indices { append(index..<index + 1) }
  }

  @inlinable
  mutating func reserveCapacity(_ count: Int) { runs.reserveCapacity(count) }

  /// Appends a range that begins after all others.
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

  /// The ranges in ascending order. None is empty, and no two touch.
  @inlinable
  public var ranges: [Range<Int>] { runs }

  /// The number of indices.
  @inlinable
  public var count: Int { total }

  /// True when there are no indices.
  @inlinable
  public var isEmpty: Bool { runs.isEmpty }
}

extension IndexRuns: Sequence {
  /// Returns an iterator over the indices in ascending order.
  public func makeIterator() -> some IteratorProtocol<Int> {
    runs.lazy.joined().makeIterator()
  }
}

extension IndexRuns: CustomStringConvertible {
  /// The indices, in the form of an array.
  public var description: String { Array(self).description }
}
