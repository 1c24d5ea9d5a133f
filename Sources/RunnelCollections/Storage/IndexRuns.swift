/// Some of the indices of a list, in ascending order, kept as ranges: a million neighbours are one.
///
///     shelf.observe { event in
///       for index in event.changes?.inserts ?? IndexRuns() { show("\(index) is new") }
///     }
public struct IndexRuns: Equatable, Sendable {
  /// The ranges, ascending, none empty, none touching the next.
  public private(set) var ranges: [Range<Int>] = []
  /// How many indices there are.
  public private(set) var count = 0

  /// No indices.
  public init() {}

  init(ascending indices: some Sequence<Int>) {
    for index in indices { append(index..<index + 1) }
  }

  /// Adds what comes after all that is there.
  @usableFromInline
  package mutating func append(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    count += range.count
    if let last = ranges.indices.last, ranges[last].upperBound == range.lowerBound {
      ranges[last] = ranges[last].lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
  }
}

extension IndexRuns: Sequence {
  /// The indices, ascending.
  public func makeIterator() -> some IteratorProtocol<Int> {
    ranges.lazy.joined().makeIterator()
  }

  /// Whether there are none.
  public var isEmpty: Bool { ranges.isEmpty }
}

extension IndexRuns: CustomStringConvertible {
  /// The indices as an array has them.
  public var description: String { Array(self).description }
}
