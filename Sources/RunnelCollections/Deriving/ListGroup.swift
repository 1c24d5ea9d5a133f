/// The elements of a list that have the same key: one of what ``ObservableList/grouped(by:)`` makes.
///
///     let byLength = shelf.grouped { $0.count }
///     for group in byLength { print(group.key, group.value) }  // 4 ["Emma", "Dune"], 2 ["It"]
///
/// It is a list that can be observed, and that operators can be used on. It follows the source for as
/// long as the list of the groups is there or observed. When its last element goes, it is taken out of
/// that list and stays empty, also if the key comes again: that is another group then.
public final class ListGroup<Key: Hashable, Element>: Identifiable {
  /// What its elements have in common.
  public let key: Key
  /// Its elements, in the order of the source.
  public let live: LiveCollection<[Element]>

  @inlinable
  init(_ key: Key, _ elements: SharedArray<Element> = SharedArray()) {
    self.key = key
    live = LiveCollection(ListEditor(elements))
  }

  /// The key, by which no two groups of a list are the same.
  public var id: Key { key }

  @inlinable var editor: ListEditor<Element> { live.editor }
}

extension ListGroup: ObservableList {
  /// The array that it is like.
  public typealias Base = [Element]

  /// The element at an index now.
  @inlinable
  public subscript(index: Int) -> Element { value[index] }
}
