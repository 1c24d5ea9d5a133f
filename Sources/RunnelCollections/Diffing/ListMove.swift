/// The move of one element, relative to the elements that stay.
public struct ListMove: Hashable, Sendable {
  /// The index before the change.
  public let from: Int
  /// The index after the change.
  public let to: Int

  /// Creates a move from an index before the change to an index after it.
  public init(from: Int, to: Int) {
    self.from = from
    self.to = to
  }
}

extension ListMove: CustomStringConvertible {
  /// Both indices: `3→0`.
  public var description: String { "\(from)→\(to)" }
}

extension [ListMove] {
  /// Appends one move for each element of a run that moved as a whole.
  @inlinable
  mutating func append(from sources: Range<Int>, to places: Range<Int>) {
    for (source, place) in zip(sources, places) { append(ListMove(from: source, to: place)) }
  }
}
