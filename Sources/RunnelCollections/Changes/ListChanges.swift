/// What has happened to a list, by indices.
///
/// Those of deletes, of updates and of the sources of moves are the ones before the change, those of
/// inserts and of the destinations of moves the ones after it. What was not deleted, inserted or
/// moved has kept its order. An update may be of an element that has moved too. There is at least
/// one of them: what comes to nothing is not sent.
///
/// *Complexity*: each kind is put together when it is asked for, in proportion to the change; the extent,
/// the counts and the list itself are there.
public struct ListChanges<Element> {
  @usableFromInline let contents: Contents

  /// Objects, so that to hand on a change is to count one reference.
  @usableFromInline
  enum Contents {
    case lone(LoneChange<Element>)
    case many(ManyChanges<Element>)
  }

  @inlinable
  init(_ contents: Contents) {
    self.contents = contents
  }
}

extension ListChanges: Sendable where Element: Sendable {}
extension ListChanges.Contents: Sendable where Element: Sendable {}

extension ListChanges {
  /// What is there now that was not, by new indices.
  @inlinable public var inserts: IndexRuns {
    switch contents {
    case .lone(let change): change.inserts
    case .many(let changes): changes.inserts
    }
  }

  /// What was there and has become something else, by old indices.
  @inlinable public var updates: IndexRuns {
    switch contents {
    case .lone(let change): change.updates
    case .many(let changes): changes.updates
    }
  }

  /// What was there and is not any more, by old indices.
  @inlinable public var deletes: IndexRuns {
    switch contents {
    case .lone(let change): change.deletes
    case .many(let changes): changes.deletes
    }
  }

  /// What has another place among the others, in the order of the new indices.
  @inlinable public var moves: [ListMove] {
    switch contents {
    case .lone(let change): change.moves
    case .many(let changes): changes.moves
    }
  }

  /// Where the updated elements were and are, in the order in which they were.
  @inlinable var updatePlaces: [ListMove] {
    switch contents {
    case .lone(let change): change.updatePlaces
    case .many(let changes): changes.updatePlaces
    }
  }

  /// How many inserts, updates, deletes and moves there are.
  @inlinable public var extent: Int {
    switch contents {
    case .lone(let change): change.extent
    case .many(let changes): changes.extent
    }
  }

  /// The list after the change.
  @inlinable public var elements: SharedArray<Element> {
    switch contents {
    case .lone(let change): change.elements
    case .many(let changes): changes.elements
    }
  }

  /// How many elements there were before.
  @inlinable public var oldCount: Int {
    switch contents {
    case .lone(let change): change.oldCount
    case .many(let changes): changes.oldCount
    }
  }
}

extension ListChanges {
  /// The list before the change, put together from what it is now.
  ///
  /// *Complexity*: as making the change.
  public var oldElements: SharedArray<Element> { inverse.elements }

  /// The change that takes this one back.
  ///
  ///     shelf.observe { event in
  ///       if let changes = event.changes { show("\(changes.inverse.deletes.count) would go") }
  ///     }
  ///
  /// *Complexity*: as making the change.
  public var inverse: ListChanges {
    switch contents {
    case .lone(let change): ListChanges(.lone(change.inverse))
    case .many(let changes): ListChanges(.many(changes.inverse))
    }
  }
}
