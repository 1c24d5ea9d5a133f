import RunnelStreams

extension ObservableList where Base.Element: ObservableList {
  /// Returns the live list of the elements of all lists in this list, one list after the other.
  ///
  ///     let shelves = CollectionProperty([shelf])
  ///     let books = shelves.flattened()
  ///     shelves.append(CollectionProperty(["Ulysses"]))
  ///     shelf.remove(at: 0)
  ///     print(books.value)  // ["Dune", "It", "Ulysses"]
  ///
  /// Each inner list is followed while it is in the outer list. It may occur several times.
  ///
  /// *Events*: one for each event of the outer list and of an inner list. Moving an inner list
  /// moves its elements. Replacing or resetting an inner list deletes its elements and inserts the
  /// new ones.
  ///
  /// *Complexity*: proportional to the number of changed elements of the result, plus a term
  /// logarithmic in the number of lists and their lengths.
  @inlinable
  public func flattened() -> LiveCollection<[Base.Element.Base.Element]> {
    let inners = value
    let flattening = ListFlattener(inners)
    let derived = LiveCollection<[Base.Element.Base.Element]>(flattening.output)
    // Begin before following, because this may insert more inner lists.
    flattening.begin(for: derived, inners)
    derived.follow(live, since: inners) { flattening.follow($0) }
    return derived
  }
}

extension ObservableList {
  /// Returns the live list of the elements of the closure's results, one list after the other.
  ///
  ///     let shelves = CollectionProperty([shelf])
  ///     let books = shelves.flatMap { $0.sorted() }
  ///     print(books.value)  // ["Dune", "Emma", "It"]
  ///
  /// This is a `map` followed by `flattened()`. The closure runs once for each initial, inserted
  /// or updated element. Its result is followed until the element is removed or updated.
  @inlinable
  public func flatMap<Inner: ObservableList>(
    _ transform: @escaping (Base.Element) -> Inner
  ) -> LiveCollection<[Inner.Base.Element]> {
    map(transform).flattened()
  }
}
