/// A change of a list, by index. It is never empty.
///
/// - Deletes, updates and the sources of moves are indices before the change.
/// - Inserts and the destinations of moves are indices after the change.
/// - All other elements keep their relative order.
/// - An updated element can have moved as well.
///
/// *Complexity*: `inserts`, `updates`, `deletes` and `moves` are built at each access, in time
/// proportional to the change. `extent`, `elements` and `oldCount` are O(1).
public struct ListChanges<Element> {
  @usableFromInline let contents: Contents

  /// The stored change. The payloads are objects, so copying a changeset retains one reference.
  @usableFromInline
  enum Contents {
    case single(SingleChange<Element>)
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
  /// The inserted elements, by new index.
  @inlinable public var inserts: IndexRuns {
    var inserts = IndexRuns()
    for case .inserted(let range) in pieces { inserts.append(range) }
    return inserts
  }

  /// The updated elements, by old index.
  @inlinable public var updates: IndexRuns {
    var updates = IndexRuns()
    for piece in updatedPieces { if let old = piece.old { updates.append(old) } }
    return updates
  }

  /// The deleted elements, by old index.
  @inlinable public var deletes: IndexRuns {
    if case .many(let changes) = contents { return changes.deletes }
    var deletes = IndexRuns()
    for case .deleted(let range) in pieces { deletes.append(range) }
    return deletes
  }

  /// The moved elements, ascending by new index.
  @inlinable public var moves: [ListMove] {
    var moves: [ListMove] = []
    for case .moved(let old, let new, _) in pieces { moves.append(from: old, to: new) }
    return moves
  }

  /// The old and new indices of the updated elements, ascending by old index.
  @inlinable var updatePlaces: [ListMove] {
    var places: [ListMove] = []
    for piece in updatedPieces {
      if let old = piece.old, let new = piece.new { places.append(from: old, to: new) }
    }
    return places
  }

  /// The pieces of updated elements, ascending by old index.
  @inlinable var updatedPieces: [ListPiece] {
    var updated = pieces.filter(\.isUpdated)
    updated.sortUnlessAscending { $0.old?.lowerBound ?? 0 }
    return updated
  }

  /// The number of inserts, updates, deletes and moves.
  @inlinable public var extent: Int {
    switch contents {
    case .single(let change): change.extent
    case .many(let changes): changes.extent
    }
  }

  /// The list after the change.
  @inlinable public var elements: SharedArray<Element> {
    switch contents {
    case .single(let change): change.elements
    case .many(let changes): changes.elements
    }
  }

  /// The number of elements before the change.
  @inlinable public var oldCount: Int {
    switch contents {
    case .single(let change): change.oldCount
    case .many(let changes): changes.oldCount
    }
  }
}

extension ListChanges {
  /// The list before the change, rebuilt from the current one.
  ///
  /// *Complexity*: that of applying the change.
  public var oldElements: SharedArray<Element> { inverse.elements }

  /// The change that undoes this one.
  ///
  ///     shelf.observe { event in
  ///       if let changes = event.changes { show("\(changes.inverse.deletes.count) would go") }
  ///     }
  ///
  /// *Complexity*: that of applying the change.
  public var inverse: ListChanges {
    switch contents {
    case .single(let change): ListChanges(.single(change.inverse))
    case .many(let changes): ListChanges(.many(changes.inverse))
    }
  }
}
