/// A live list of the elements with the same key: an element of the list that
/// ``ObservableList/grouped(by:)`` returns.
///
///     let byLength = shelf.grouped { $0.count }
///     for group in byLength { print(group.key, group.value) }  // 4 ["Emma", "Dune"], 2 ["It"]
///
/// It follows the source while the list of groups exists or is observed. When its last element is
/// removed, the group is deleted from that list and stays empty. If the key appears again, it gets
/// a new group.
public final class ListGroup<Key: Hashable, Element>: Identifiable {
  /// The key of all elements.
  public let key: Key
  /// The elements, in the order of the source.
  public let live: LiveCollection<[Element]>

  @inlinable
  init(_ key: Key, _ elements: SharedArray<Element> = SharedArray()) {
    self.key = key
    live = LiveCollection(ListEditor(elements))
  }

  /// The key, which is unique among the groups of a list.
  public var id: Key { key }

  @inlinable var editor: ListEditor<Element> { live.editor }
}

extension ListGroup: ObservableList {
  /// The standard collection that the group resembles.
  public typealias Base = [Element]

  /// The current element at an index.
  @inlinable
  public subscript(index: Int) -> Element { value[index] }
}
