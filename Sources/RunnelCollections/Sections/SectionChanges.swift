/// What has happened to a list of sections: to the sections, and within those that stay.
///
/// The indices are those of ``ListChanges``: of deletes, headers and the sources of moves before the
/// change, of inserts and the destinations of moves after it. Of a section that comes or goes, its
/// items are not told one by one. An item that goes to another section is deleted and inserted.
public struct SectionChanges<Header, Item> {
  /// What has happened within a section that was there and still is.
  public struct Items {
    /// The index of the section before the change.
    public let section: Int
    /// The index of the section after it.
    public let newSection: Int
    /// What has happened to its items.
    public let changes: ListChanges<Item>

    @inlinable
    init(section: Int, newSection: Int, changes: ListChanges<Item>) {
      self.section = section
      self.newSection = newSection
      self.changes = changes
    }
  }

  /// The sections that have another header, by old indices.
  public let headers: IndexRuns
  /// What has happened within sections, in the order of their old indices.
  public let items: [Items]
  /// All of it as a change of a list, to which a section of which anything has changed is updated.
  @usableFromInline let list: ListChanges<ListSection<Header, Item>>

  @inlinable
  init(
    headers: IndexRuns, items: [Items], list: ListChanges<ListSection<Header, Item>>
  ) {
    self.headers = headers
    self.items = items
    self.list = list
  }
}

extension SectionChanges: Sendable where Header: Sendable, Item: Sendable {}
extension SectionChanges.Items: Sendable where Item: Sendable {}

extension SectionChanges {
  /// The sections that are there now and were not, by new indices.
  @inlinable
  public var inserts: IndexRuns { list.inserts }

  /// The sections that were there and are not any more, by old indices.
  @inlinable
  public var deletes: IndexRuns { list.deletes }

  /// The sections that have another place among the others, in the order of the new indices.
  @inlinable
  public var moves: [ListMove] { list.moves }

  /// The sections after the change.
  @inlinable
  public var sections: SharedArray<ListSection<Header, Item>> { list.elements }

  /// The sections before the change.
  ///
  /// *Complexity*: as making the change.
  public var oldSections: SharedArray<ListSection<Header, Item>> { list.oldElements }

  /// The change that takes this one back.
  ///
  /// *Complexity*: as making the change.
  public var inverse: SectionChanges {
    let places = Dictionary(
      uniqueKeysWithValues: list.updatePlaces.map { ($0.from, $0.to) })
    return SectionChanges(
      headers: IndexRuns(ascending: headers.compactMap { places[$0] }.sorted()),
      items: items.map {
        Items(section: $0.newSection, newSection: $0.section, changes: $0.changes.inverse)
      }.sorted { $0.section < $1.section },
      list: list.inverse)
  }
}

extension SectionChanges: Changeset {
  /// How many changes of sections there are, of headers, and of items.
  public var extent: Int {
    inserts.count + deletes.count + moves.count + headers.count
      + items.reduce(0) { $0 + $1.changes.extent }
  }

  /// Whether nothing happened. It is asked of each change, and does not look into the items.
  public var isEmpty: Bool {
    inserts.isEmpty && deletes.isEmpty && moves.isEmpty && headers.isEmpty && items.isEmpty
  }
}
