/// A part of a list that has parts: what stands above it, and what it has.
///
///     let fiction = ListSection("Fiction", ["Emma", "Dune"])
///     print(fiction.items.count)  // 2
public struct ListSection<Header, Item> {
  /// What stands above it.
  public let header: Header
  /// What it has.
  public let items: SharedArray<Item>

  /// A section of some items.
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

/// Where an item stands in a list of sections.
public struct ItemPath: Hashable, Sendable {
  /// The index of its section.
  public var section: Int
  /// Its index there.
  public var item: Int

  /// The path of an item of a section.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }
}

extension ItemPath: CustomStringConvertible {
  /// Both indices, `1.4`.
  public var description: String { "\(section).\(item)" }
}

/// What a ``CollectionProperty`` can be of besides `Array`, `Dictionary` and `Set`: sections in
/// order, each with items in order.
///
///     let library = CollectionProperty(sections: [ListSection("Fiction", ["Emma"])])
///     library.observe { event in show(event.changes?.items.count ?? 0) }
///     library.append("Dune", toSection: 0)
public enum Sections<Header, Item> {}

extension Sections: SectionedBase {
  /// How they are kept.
  public typealias Elements = SharedArray<ListSection<Header, Item>>
  /// What can happen to them.
  public typealias Changes = SectionChanges<Header, Item>
  /// What makes the edits.
  public typealias Editor = SectionEditor<Header, Item>
}

/// What has sections: ``Sections``.
public protocol SectionedBase: CollectionBase
where
  Elements == SharedArray<ListSection<Header, Item>>, Changes == SectionChanges<Header, Item>,
  Editor == SectionEditor<Header, Item>
{
  /// What stands above a section.
  associatedtype Header
  /// What the sections have.
  associatedtype Item
}
