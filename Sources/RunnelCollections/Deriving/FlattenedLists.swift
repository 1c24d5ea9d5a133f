import RunnelStreams

extension ObservableList where Base.Element: ObservableList {
  /// The elements of all lists in this list, one list after the other.
  ///
  ///     let shelves = CollectionProperty([shelf])
  ///     let books = shelves.flattened()
  ///     shelves.append(CollectionProperty(["Ulysses"]))
  ///     shelf.remove(at: 0)
  ///     print(books.value)  // ["Dune", "It", "Ulysses"]
  ///
  /// Each inner list is followed for as long as it is in this one. It may be there several times.
  ///
  /// *Events*: one for each event of this list and for each of an inner one. The elements of an inner
  /// list that moves move. Where one takes the place of another, or is reset, elements go and others
  /// come.
  ///
  /// *Complexity*: as the change, of as many elements as it is of in the end; of the number of lists
  /// and of their lengths no more than the logarithm.
  @inlinable
  public func flattened() -> LiveCollection<[Base.Element.Base.Element]> {
    let inners = value
    let flattening = ListFlattener(inners)
    let derived = LiveCollection<[Base.Element.Base.Element]>(flattening.output)
    // First, for more lists may have come meanwhile.
    flattening.begin(for: derived, inners)
    derived.follow(live, since: inners) { flattening.follow($0) }
    return derived
  }
}

extension ObservableList {
  /// The elements of the lists that the closure makes of the elements, one list after the other.
  ///
  ///     let shelves = CollectionProperty([shelf])
  ///     let books = shelves.flatMap { $0.sorted() }
  ///     print(books.value)  // ["Dune", "Emma", "It"]
  ///
  /// This is a `map` and a ``flattened()``: the closure runs once for each element that is there,
  /// inserted or updated, and what it returns is followed for as long as that is what it is.
  @inlinable
  public func flatMap<Inner: ObservableList>(
    _ transform: @escaping (Base.Element) -> Inner
  ) -> LiveCollection<[Inner.Base.Element]> {
    map(transform).flattened()
  }
}
