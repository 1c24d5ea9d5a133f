/// An element of a list that comes to stand elsewhere among those that stay.
public struct ListMove: Hashable, Sendable {
  /// Where the element was before the change.
  public let from: Int
  /// Where it is after the change.
  public let to: Int

  /// A move from an index before the change to an index after it.
  public init(from: Int, to: Int) {
    self.from = from
    self.to = to
  }
}

extension ListMove: CustomStringConvertible {
  /// Both indices, `3→0`.
  public var description: String { "\(from)→\(to)" }
}

extension [ListMove] {
  /// Adds one for each of some neighbours that have come to other places side by side.
  @inlinable
  mutating func append(from sources: Range<Int>, to places: Range<Int>) {
    for (source, place) in zip(sources, places) { append(ListMove(from: source, to: place)) }
  }
}
