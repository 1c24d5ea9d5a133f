/// Changes of single elements, as those of lists, dictionaries and sets are.
public protocol ElementChangeset<Element>: Changeset {
  /// What comes and goes.
  associatedtype Element
  /// Calls the closures with what has gone and with what has come: an element that was updated with what
  /// it was before what it is.
  func visit(gone: (Element) -> Void, come: (Element) -> Void)
}

extension ListChanges: ElementChangeset {
  /// Calls the closures with what has gone and with what has come.
  @inlinable
  public func visit(gone: (Element) -> Void, come: (Element) -> Void) {
    switch contents {
    case .lone(let change): change.visit(gone: gone, come: come)
    case .many(let changes): changes.visit(gone: gone, come: come)
    }
  }
}

extension DictionaryChanges: ElementChangeset {
  /// Calls the closures with what has gone and with what has come.
  @inlinable
  public func visit(
    gone: ((key: Key, value: Value)) -> Void, come: ((key: Key, value: Value)) -> Void
  ) {
    for entry in deletes { gone(entry) }
    for (key, update) in updates {
      gone((key, update.old))
      come((key, update.new))
    }
    for entry in inserts { come(entry) }
  }
}

extension SetChanges: ElementChangeset {
  /// Calls the closures with what has gone and with what has come.
  @inlinable
  public func visit(gone: (Member) -> Void, come: (Member) -> Void) {
    for member in deletes { gone(member) }
    for member in inserts { come(member) }
  }
}
