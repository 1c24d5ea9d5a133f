import RunnelStreams

extension ObservableList {
  /// The elements of this list, then those of others, one list after the other.
  ///
  ///     let lent = CollectionProperty(["Ulysses"])
  ///     let books = shelf.concatenated(with: lent, shelf)
  ///     print(books.value)  // ["Emma", "Dune", "It", "Ulysses", "Emma", "Dune", "It"]
  ///
  /// A list may be there several times. Where the lists themselves come and go, use ``flattened()``.
  ///
  /// *Events*: one for each event of a list. If that is a reset, the elements of that list go and
  /// others come.
  @inlinable
  public func concatenated(
    with others: any ObservableList<Base>...
  ) -> LiveCollection<[Base.Element]> {
    let lists = SharedArray([live] + others.map { $0.live })
    let flattening = ListFlattener(lists)
    let derived = LiveCollection<[Base.Element]>(flattening.output)
    for list in lists { derived.keep(list) }
    flattening.begin(for: derived, lists)
    return derived
  }
}
