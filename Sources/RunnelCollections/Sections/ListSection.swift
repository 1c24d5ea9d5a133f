/// A section of a list: a header with items.
///
///     let fiction = ListSection("Fiction", ["Emma", "Dune"])
///     print(fiction.items.count)  // 2
public struct ListSection<Header, Item> {
  /// The header of the section.
  public let header: Header
  /// The items of the section.
  public let items: SharedArray<Item>

  /// Creates a section from a header and items.
  @inlinable
  public init(_ header: Header, _ items: some Sequence<Item>) {
    self.init(header: header, items: SharedArray(items))
  }

  @inlinable
  init(header: Header, items: SharedArray<Item>) {
    self.header = header
    self.items = items
  }
}

extension ListSection: Equatable where Header: Equatable, Item: Equatable {}
extension ListSection: Hashable where Header: Hashable, Item: Hashable {}
extension ListSection: Sendable where Header: Sendable, Item: Sendable {}

/// The position of an item in a list of sections.
public struct ItemPath: Hashable, Sendable {
  /// The index of the section.
  public var section: Int
  /// The index of the item in its section.
  public var item: Int

  /// Creates a path from a section index and an item index.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }
}

extension ItemPath: CustomStringConvertible {
  /// Both indices: `1.4`.
  public var description: String { "\(section).\(item)" }
}

/// The collection type of sections in order, each with items in order. A ``CollectionProperty`` can
/// hold it, besides `Array`, `Dictionary` and `Set`.
///
///     let library = CollectionProperty(sections: [ListSection("Fiction", ["Emma"])])
///     library.observe { event in show(event.changes?.items.count ?? 0) }
///     library.append("Dune", toSection: 0)
public enum Sections<Header, Item> {}

extension Sections: SectionedBase {
  /// The storage of the sections.
  public typealias Elements = SharedArray<ListSection<Header, Item>>
  /// The changeset type of the sections.
  public typealias Changes = SectionChanges<Header, Item>
  /// The type that edits the sections.
  public typealias Editor = SectionEditor<Header, Item>
}

/// A collection of sections: ``Sections``.
public protocol SectionedBase: CollectionBase
where
  Elements == SharedArray<ListSection<Header, Item>>, Changes == SectionChanges<Header, Item>,
  Editor == SectionEditor<Header, Item>
{
  /// The header type.
  associatedtype Header
  /// The item type.
  associatedtype Item
}
