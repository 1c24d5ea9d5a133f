/// A change of a list of sections: changes of the sections, and of the items of sections that stay.
///
/// As in ``ListChanges``, deletes, headers and the sources of moves are indices before the change;
/// inserts and the destinations of moves are indices after it. The items of an inserted or deleted
/// section are not reported one by one. An item that moves to another section is deleted and
/// inserted.
public struct SectionChanges<Header, Item> {
  /// The changes of the items of a section that exists before and after the change.
  public struct Items {
    /// The index of the section before the change.
    public let section: Int
    /// The index of the section after the change.
    public let newSection: Int
    /// The changes of the items.
    public let changes: ListChanges<Item>

    @inlinable
    init(section: Int, newSection: Int, changes: ListChanges<Item>) {
      self.section = section
      self.newSection = newSection
      self.changes = changes
    }
  }

  /// The sections with a new header, by old index.
  public let headers: IndexRuns
  /// The changes within sections, ascending by the old index of the section.
  public let items: [Items]
  /// The whole change as a change of a list, in which any change of a section is an update.
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
  /// The inserted sections, by new index.
  @inlinable
  public var inserts: IndexRuns { list.inserts }

  /// The deleted sections, by old index.
  @inlinable
  public var deletes: IndexRuns { list.deletes }

  /// The moved sections, ascending by new index.
  @inlinable
  public var moves: [ListMove] { list.moves }

  /// The change as pieces of the list of sections. A section whose header or items changed counts as
  /// updated.
  @inlinable
  public var pieces: [ListPiece] { list.pieces }

  /// The sections after the change.
  @inlinable
  public var sections: SharedArray<ListSection<Header, Item>> { list.elements }

  /// The sections before the change.
  ///
  /// *Complexity*: that of applying the change.
  public var oldSections: SharedArray<ListSection<Header, Item>> { list.oldElements }

  /// The change that undoes this one.
  ///
  /// *Complexity*: that of applying the change.
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
  /// The number of changes of sections, headers and items.
  public var extent: Int {
    inserts.count + deletes.count + moves.count + headers.count
      + items.reduce(0) { $0 + $1.changes.extent }
  }

  /// True if no section, header or item changed.
  public var isEmpty: Bool {
    headers.isEmpty && items.isEmpty
      && pieces.allSatisfy { piece in
        switch piece {
        case .kept, .updated: true
        case .moved, .inserted, .deleted: false
        }
      }
  }
}
