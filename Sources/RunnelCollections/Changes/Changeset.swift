/// A description of one change of a collection: ``ListChanges``, ``DictionaryChanges``,
/// ``SetChanges`` or ``SectionChanges``.
public protocol Changeset {
  /// The number of single changes.
  var extent: Int { get }
  /// True when there are no changes. An empty changeset is never sent.
  var isEmpty: Bool { get }
  /// The changeset that undoes this one.
  var inverse: Self { get }
}

extension Changeset {
  /// True when there are no changes. An empty changeset is never sent.
  public var isEmpty: Bool { extent == 0 }
}

extension ListChanges: Changeset {}

extension DictionaryChanges: Changeset {
  /// The number of keys that were inserted, updated or deleted.
  public var extent: Int { inserts.count + updates.count + deletes.count }
}

extension SetChanges: Changeset {
  /// The number of members that were inserted or deleted.
  public var extent: Int { inserts.count + deletes.count }
}
