import RunnelStreams

extension CollectionProperty where Base: ListBase {
  /// Sorts the elements once. The sort is stable.
  ///
  ///     shelf.sort { $0.count < $1.count }
  ///     print(shelf.value)  // ["It", "Emma", "Dune"]
  ///
  /// For a list that stays sorted, use `sorted(by:)`. Traps if the closure changes the list.
  ///
  /// *Events*: a minimal number of moves.
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
      do throws(Thrown) {
        if failure == nil { return try areInIncreasingOrder(one.element, other.element) }
      } catch {
        failure = error
      }
      return false
    }
    if let failure { throw failure }
    checkUnchanged(since: all)
    reorder(numbered.map { $0.number })
  }

  /// Reverses the order of the elements.
  @inlinable
  public func reverse() { reorder((0..<Int32(count)).reversed()) }

  /// Shuffles the elements.
  @inlinable
  public func shuffle() { reorder((0..<Int32(count)).shuffled()) }

  /// Shuffles the elements, using a generator.
  @inlinable
  public func shuffle(using generator: inout some RandomNumberGenerator) {
    reorder((0..<Int32(count)).shuffled(using: &generator))
  }

  /// `indices` holds the current index of each element of the new order.
  @inlinable
  func reorder(_ indices: [Int32]) { live.edit { $0.reorder(indices) } }

  /// Traps if a closure has changed the list that it was called for.
  @inlinable
  func checkUnchanged(since before: SharedArray<Base.Element>) {
    require(
      value.isIdentical(to: before),
      "A closure changed the list that it was called for. Change the list before or afterwards.")
  }
}

extension CollectionProperty where Base: ListBase, Base.Element: Comparable {
  /// Sorts the elements once. The sort is stable.
  @inlinable
  public func sort() { sort(by: <) }
}
