/// What has happened to a collection: ``ListChanges``, ``DictionaryChanges``, ``SetChanges`` and
/// ``SectionChanges``.
public protocol Changeset {
  /// How many single changes it comes to.
  var extent: Int { get }
  /// Whether nothing happened; such changes are never sent.
  var isEmpty: Bool { get }
  /// The change that takes this one back.
  var inverse: Self { get }
}

extension Changeset {
  /// Whether nothing happened; such changes are never sent.
  public var isEmpty: Bool { extent == 0 }
}

extension ListChanges: Changeset {}

extension DictionaryChanges: Changeset {
  /// How many keys are concerned.
  public var extent: Int { inserts.count + updates.count + deletes.count }
}

extension SetChanges: Changeset {
  /// How many members are concerned.
  public var extent: Int { inserts.count + deletes.count }
}
