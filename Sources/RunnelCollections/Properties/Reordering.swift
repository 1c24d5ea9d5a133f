import RunnelStreams

extension CollectionProperty where Base: ListBase {
  /// Puts the elements in order, once; equal ones stay in the order in which they are.
  ///
  ///     shelf.sort { $0.count < $1.count }
  ///     print(shelf.value)  // ["It", "Emma", "Dune"]
  ///
  /// For a list that stays in order there is `sorted(by:)`.
  ///
  /// *Events*: as few moves as there can be.
  @inlinable
  public func sort(
    by areInIncreasingOrder: (Base.Element, Base.Element) throws -> Bool
  ) rethrows {
    let value = value
    let all = Array(value)
    let indices = try all.indices.sorted { try areInIncreasingOrder(all[$0], all[$1]) }
    checkUnchanged(since: value)
    reorder(indices)
  }

  /// Turns the order round.
  @inlinable
  public func reverse() { reorder(indices.reversed()) }

  /// Puts the elements in an order by chance.
  @inlinable
  public func shuffle() { reorder(indices.shuffled()) }

  /// Puts the elements in an order that a generator gives.
  @inlinable
  public func shuffle(using generator: inout some RandomNumberGenerator) {
    reorder(indices.shuffled(using: &generator))
  }

  /// Puts the elements in another order: the index that each has now is given.
  @inlinable
  func reorder(_ indices: [Int]) {
    live.edit { $0.reorder(indices.map { Int32($0) }) }
  }

  /// Traps where a closure has changed the list that it was asked of.
  @inlinable
  func checkUnchanged(since before: SharedArray<Base.Element>) {
    require(
      value.isIdentical(to: before),
      "A closure was asked of the elements and changed the list. Change it before or afterwards.")
  }
}

extension CollectionProperty where Base: ListBase, Base.Element: Comparable {
  /// Puts the elements in order, once; equal ones stay in the order in which they are.
  @inlinable
  public func sort() { sort(by: <) }
}
