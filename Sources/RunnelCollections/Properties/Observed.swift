import RunnelStreams

extension ObservableCollection {
  /// What can be read of the collection, as properties that follow it.
  ///
  ///     shelf.observed.count.observeNext { show("\($0) books") }
  ///     shelf.observed.isEmpty.map { !$0 }.observeNext { show($0) }
  ///
  /// `shelf.count` is how many there are now.
  public var observed: Observed<Base> { Observed(live: live) }
}

/// Properties of a collection: its ``ObservableCollection/observed``. Other ones are made with
/// ``ObservableCollection/reading(_:)``.
public struct Observed<Base: CollectionBase> {
  fileprivate let live: LiveCollection<Base>
}

extension Observed {
  /// How many elements there are. It sends each number that differs from the one before.
  public var count: ReadOnlyProperty<Int> { live.reading { $0.count } }

  /// Whether there are no elements. It sends when that has changed.
  public var isEmpty: ReadOnlyProperty<Bool> { live.reading { $0.isEmpty } }
}

extension Observed where Base: ListBase {
  /// The first element, if there is one. It sends when another one is the first, or was set there.
  public var first: ReadOnlyProperty<Base.Element?> {
    reading({ $0.first }) { $0.touches(0, before: 0) }
  }

  /// The last element, if there is one. It sends when another one is the last, or was set there.
  public var last: ReadOnlyProperty<Base.Element?> {
    reading({ $0.last }) { $0.touches($0.elements.count - 1, before: $0.oldCount - 1) }
  }

  /// A property that is sent when it is concerned: elements that cannot be compared are not told
  /// apart.
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
  /// The first element, if there is one. It sends each that differs from the one before.
  public var first: ReadOnlyProperty<Base.Element?> { live.reading { $0.first } }

  /// The last element, if there is one. It sends each that differs from the one before.
  public var last: ReadOnlyProperty<Base.Element?> { live.reading { $0.last } }
}

extension ListChanges {
  /// Whether there is another element at a place than before, or it was updated.
  fileprivate func touches(_ index: Int, before oldIndex: Int) -> Bool {
    deletes.ranges.contains { $0.contains(oldIndex) }
      || updates.ranges.contains { $0.contains(oldIndex) }
      || inserts.ranges.contains { $0.contains(index) }
      || moves.contains { $0.from == oldIndex || $0.to == index }
  }
}
