import RunnelStreams

extension ObservableCollection {
  /// Live properties of the collection.
  ///
  ///     shelf.observed.count.observeNext { show("\($0) books") }
  ///     shelf.observed.isEmpty.map { !$0 }.observeNext { show($0) }
  ///
  /// `shelf.count`, in contrast, is the count at one moment.
  public var observed: Observed<Base> { Observed(live: live) }
}

/// The live properties of a collection, as returned by ``ObservableCollection/observed``. Create
/// others with `ObservableCollection.reading(_:)`.
public struct Observed<Base: CollectionBase> {
  fileprivate let live: LiveCollection<Base>
}

extension Observed {
  /// The number of elements. It sends each value that differs from the previous one.
  public var count: ReadOnlyProperty<Int> { live.reading { $0.count } }

  /// True when there are no elements. It sends each value that differs from the previous one.
  public var isEmpty: ReadOnlyProperty<Bool> { live.reading { $0.isEmpty } }
}

extension Observed where Base: ListBase {
  /// The first element, or nil. It sends when another element becomes the first or the first is
  /// set.
  public var first: ReadOnlyProperty<Base.Element?> {
    reading({ $0.first }) { $0.touches(0, before: 0) }
  }

  /// The last element, or nil. It sends when another element becomes the last or the last is set.
  public var last: ReadOnlyProperty<Base.Element?> {
    reading({ $0.last }) { $0.touches($0.elements.count - 1, before: $0.oldCount - 1) }
  }

  /// Returns a property that sends when a change affects it, for elements that are not equatable.
  private func reading<Value>(
    _ read: @escaping (SharedArray<Base.Element>) -> Value,
    whenever isConcerned: @escaping (ListChanges<Base.Element>) -> Bool
  ) -> ReadOnlyProperty<Value> {
    let live = live
    return ReadOnlyProperty(
      read: { read(live.value) },
      stream: live.stream.filter { $0.changes.map(isConcerned) ?? true }
        .map { read($0.collection) })
  }
}

extension Observed where Base: ListBase, Base.Element: Equatable {
  /// The first element, or nil. It sends each value that differs from the previous one.
  public var first: ReadOnlyProperty<Base.Element?> { live.reading { $0.first } }

  /// The last element, or nil. It sends each value that differs from the previous one.
  public var last: ReadOnlyProperty<Base.Element?> { live.reading { $0.last } }
}

extension ListChanges {
  /// Returns true when the element at an index was replaced, moved there or updated.
  fileprivate func touches(_ index: Int, before oldIndex: Int) -> Bool {
    pieces.contains { piece in
      if case .kept = piece { return false }
      return piece.old?.contains(oldIndex) == true || piece.new?.contains(index) == true
    }
  }
}
