/// What has happened to a list, by indices.
///
/// Those of deletes, of updates and of the sources of moves are the ones before the change, those of
/// inserts and of the destinations of moves the ones after it. What was not deleted, inserted or
/// moved has kept its order. An update may be of an element that has moved too. There is at least
/// one of them: what comes to nothing is not sent.
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

/// What has happened to a list if it was not one edit.
@usableFromInline
final class ManyChanges<Element> {
  @usableFromInline let edits: ManyEdits<Element>
  @usableFromInline let elements: SharedArray<Element>
  /// What the list is made of, for those who follow it; none if the change is made of another one.
  @usableFromInline let runs: ContiguousArray<RunList.Run>
  /// The elements of the fresh runs, in order, if they are at hand: the list may be in no cache.
  @usableFromInline let fresh: [Element]?

  @inlinable
  init(
    _ edits: ManyEdits<Element>, of elements: SharedArray<Element>,
    runs: ContiguousArray<RunList.Run> = [], fresh: [Element]? = nil
  ) {
    self.edits = edits
    self.elements = elements
    self.runs = runs
    self.fresh = fresh
  }

  /// Whether to make the edits all at once. For few of them it takes more to begin with that than to make
  /// one after the other.
  @inlinable var comeAtOnce: Bool { !runs.isEmpty && edits.count > 16 }

  /// Calls with the elements of a fresh run at an index, behind so many other fresh elements.
  @inlinable
  func forEachElement(
    of run: RunList.Run, at index: Int, number: Int, _ body: (Element) -> Void
  ) {
    if let fresh {
      for element in fresh[number..<number + run.count] { body(element) }
    } else {
      elements.forEachPiece(of: index..<index + run.count) { for element in $0 { body(element) } }
    }
  }
}

extension ListChanges: Sendable where Element: Sendable {}
extension ListChanges.Contents: Sendable where Element: Sendable {}
extension ManyChanges: Sendable where Element: Sendable {}

extension ListChanges {
  @inlinable var edits: ManyEdits<Element> {
    switch contents {
    case .lone(let change): change.asManyEdits()
    case .many(let changes): changes.edits
    }
  }

  /// What is there now that was not, by new indices.
  public var inserts: IndexRuns { edits.inserts }
  /// What was there and has become something else, by old indices.
  public var updates: IndexRuns { edits.updates }
  /// What was there and is not any more, by old indices.
  public var deletes: IndexRuns { edits.deletes }
  /// What has another place among the others, in the order of the new indices.
  public var moves: [ListMove] { edits.moves }
  /// The list after the change.
  @inlinable public var elements: SharedArray<Element> {
    switch contents {
    case .lone(let change): change.elements
    case .many(let changes): changes.elements
    }
  }

  /// Where the updated elements are now, in the order of `updates`.
  @inlinable var updatedPlaces: [Int] { edits.updatedPlaces }
}

extension ListChanges {
  /// How many elements there were before.
  public var oldCount: Int { elements.count - inserts.count + deletes.count }

  /// The list before the change, put together from what it is now.
  ///
  /// *Complexity*: as making the change.
  public var oldElements: SharedArray<Element> {
    var list = elements
    let edits = edits
    for (place, element) in zip(edits.updatedPlaces, edits.replaced) { list[place] = element }
    // Out with what came, from the end; then in with what went, from the start.
    let arrivals = (edits.inserts.map { ($0, false) } + edits.moves.map { ($0.to, true) })
      .sorted { $0.0 > $1.0 }
    var movers: [Int: Element] = [:]
    for (index, isMove) in arrivals {
      let element = list.remove(at: index)
      if isMove { movers[index] = element }
    }
    var comers = zip(edits.deletes, edits.deleted).map { ($0, $1) }
    for move in edits.moves {
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
    let edits = edits
    // The updates in the order of where the elements are now.
    let updatedPlaces = edits.updatedPlaces
    let order = updatedPlaces.indices.sorted { updatedPlaces[$0] < updatedPlaces[$1] }
    let places = Array(edits.updates)
    var inverse = ManyEdits<Element>()
    inverse.inserts = edits.deletes
    inverse.updates = IndexRuns(ascending: order.map { updatedPlaces[$0] })
    inverse.deletes = edits.inserts
    inverse.moves = edits.moves.map { ListMove(from: $0.to, to: $0.from) }
      .sorted { $0.to < $1.to }
    inverse.updatedPlaces = order.map { places[$0] }
    inverse.replaced = order.map { elements[updatedPlaces[$0]] }
    inverse.deleted = edits.inserts.map { elements[$0] }
    return ListChanges(.many(ManyChanges(inverse, of: oldElements)))
  }
}
