/// A changeset of single elements: that of a list, a dictionary or a set.
public protocol ElementChangeset<Element>: Changeset {
  /// The element type.
  associatedtype Element
  /// Calls `gone` with each old element and `come` with each new one. For an updated element, the
  /// old value is visited before the new one.
  func visit(gone: (Element) -> Void, come: (Element) -> Void)
}

extension ListChanges: ElementChangeset {
  /// Calls `gone` with each deleted element and `come` with each inserted one. An update calls
  /// both.
  @inlinable
  public func visit(gone: (Element) -> Void, come: (Element) -> Void) {
    switch contents {
    case .single(let change): change.visit(gone: gone, come: come)
    case .many(let changes): changes.visit(gone: gone, come: come)
    }
  }
}

extension DictionaryChanges: ElementChangeset {
  /// Calls `gone` with each deleted entry and `come` with each inserted one. An update calls both.
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
  /// Calls `gone` with each deleted member and `come` with each inserted one.
  @inlinable
  public func visit(gone: (Member) -> Void, come: (Member) -> Void) {
    for member in deletes { gone(member) }
    for member in inserts { come(member) }
  }
}
