/// What has happened to a list, by indices.
///
/// Those of deletes, of updates and of the sources of moves are the ones before the change, those of
/// inserts and of the destinations of moves the ones after it. What was not deleted, inserted or
/// moved has kept its order. An update may be of an element that has moved too. There is at least
/// one of them: what comes to nothing is not sent.
public struct ListChanges<Element> {
  /// What is there now that was not, by new indices.
  public let inserts: IndexRuns
  /// What was there and has become something else, by old indices.
  public let updates: IndexRuns
  /// What was there and is not any more, by old indices.
  public let deletes: IndexRuns
  /// What has another place among the others, in the order of the new indices.
  public let moves: [ListMove]
  /// The list after the change.
  public let elements: SharedArray<Element>

  /// Where the updated elements are now, in the order of `updates`.
  @usableFromInline let updatedPlaces: [Int]
  /// What the updated elements were, in the order of `updates`.
  @usableFromInline let replaced: [Element]
  /// What the deleted elements were, in the order of `deletes`.
  @usableFromInline let deleted: [Element]

  @inlinable
  init(
    inserts: IndexRuns = IndexRuns(), updates: IndexRuns = IndexRuns(),
    deletes: IndexRuns = IndexRuns(), moves: [ListMove] = [], elements: SharedArray<Element>,
    updatedPlaces: [Int] = [], replaced: [Element] = [], deleted: [Element] = []
  ) {
    self.inserts = inserts
    self.updates = updates
    self.deletes = deletes
    self.moves = moves
    self.elements = elements
    self.updatedPlaces = updatedPlaces
    self.replaced = replaced
    self.deleted = deleted
  }
}

extension ListChanges: Sendable where Element: Sendable {}

extension ListChanges {
  /// How many elements there were before.
  public var oldCount: Int { elements.count - inserts.count + deletes.count }

  /// How many single changes it comes to.
  @inlinable
  var extent: Int { inserts.count + updates.count + deletes.count + moves.count }

  /// The list before the change, put together from what it is now.
  ///
  /// *Complexity*: as making the change.
  public var oldElements: SharedArray<Element> {
    var list = elements
    for (place, element) in zip(updatedPlaces, replaced) { list[place] = element }
    // Out with what came, from the end; then in with what went, from the start.
    let arrivals = (inserts.map { ($0, false) } + moves.map { ($0.to, true) })
      .sorted { $0.0 > $1.0 }
    var movers: [Int: Element] = [:]
    for (index, isMove) in arrivals {
      let element = list.remove(at: index)
      if isMove { movers[index] = element }
    }
    var comers = zip(deletes, deleted).map { ($0, $1) }
    for move in moves {
      if let element = movers[move.to] { comers.append((move.from, element)) }
    }
    for (index, element) in comers.sorted(by: { $0.0 < $1.0 }) { list.insert(element, at: index) }
    return list
  }

  /// The change that takes this one back.
  ///
  ///     shelf.observe { event in
  ///       if let changes = event.changes { show("\(changes.inverse.deletes.count) would go") }
  ///     }
  ///
  /// *Complexity*: as making the change.
  public var inverse: ListChanges {
    let backwards = moves.map { ListMove(from: $0.to, to: $0.from) }.sorted { $0.to < $1.to }
    // The updates in the order of where the elements are now.
    let order = updatedPlaces.indices.sorted { updatedPlaces[$0] < updatedPlaces[$1] }
    let places = Array(updates)
    return ListChanges(
      inserts: deletes, updates: IndexRuns(ascending: order.map { updatedPlaces[$0] }),
      deletes: inserts, moves: backwards, elements: oldElements,
      updatedPlaces: order.map { places[$0] }, replaced: order.map { elements[updatedPlaces[$0]] },
      deleted: inserts.map { elements[$0] })
  }
}
