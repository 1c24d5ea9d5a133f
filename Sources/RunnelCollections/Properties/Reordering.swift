import RunnelStreams

extension CollectionProperty where Base: ListBase {
  /// Puts the elements in order, once; equal ones stay in the order in which they are.
  ///
  ///     shelf.sort { $0.count < $1.count }
  ///     print(shelf.value)  // ["It", "Emma", "Dune"]
  ///
  /// For a list that stays in order there is `sorted(by:)`. It traps where the closure changes the list.
  ///
  /// *Events*: as few moves as there can be.
  ///
  /// *Complexity*: O(*n* log *n*).
  @inlinable
  public func sort<Thrown: Error>(
    by areInIncreasingOrder: (Base.Element, Base.Element) throws(Thrown) -> Bool
  ) throws(Thrown) {
    let all = value
    var numbered: [(number: Int32, element: Base.Element)] = []
    numbered.reserveCapacity(all.count)
    for element in all { numbered.append((Int32(numbered.count), element)) }
    var failure: Thrown?
    numbered.mergeSort { one, other in
      guard failure == nil else { return false }
      do throws(Thrown) {
        return try areInIncreasingOrder(one.element, other.element)
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
    checkUnchanged(since: all)
    reorder(numbered.map { $0.number })
  }

  /// ReentrancyGate the order round.
  @inlinable
  public func reverse() { reorder((0..<Int32(count)).reversed()) }

  /// Puts the elements in an order by chance.
  @inlinable
  public func shuffle() { reorder((0..<Int32(count)).shuffled()) }

  /// Puts the elements in an order that a generator gives.
  @inlinable
  public func shuffle(using generator: inout some RandomNumberGenerator) {
    reorder((0..<Int32(count)).shuffled(using: &generator))
  }

  /// Puts the elements in another order: the index that each has now is given.
  @inlinable
  func reorder(_ indices: [Int32]) { live.edit { $0.reorder(indices) } }

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
