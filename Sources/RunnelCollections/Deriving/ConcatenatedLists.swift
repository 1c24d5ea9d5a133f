import RunnelStreams

extension ObservableList {
  /// Returns the live list of the elements of this list, followed by those of others.
  ///
  ///     let lent = CollectionProperty(["Ulysses"])
  ///     let books = shelf.concatenated(with: lent, shelf)
  ///     print(books.value)  // ["Emma", "Dune", "It", "Ulysses", "Emma", "Dune", "It"]
  ///
  /// A list may occur several times. For a changing list of lists, use `flattened()`.
  ///
  /// *Events*: one for each event of a list. A reset of a list deletes its elements and inserts the
  /// new ones.
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
