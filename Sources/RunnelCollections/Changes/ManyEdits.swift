/// What has happened to a list, kind by kind.
@usableFromInline
struct ManyEdits<Element> {
  @usableFromInline var inserts = IndexRuns()
  @usableFromInline var updates = IndexRuns()
  @usableFromInline var deletes = IndexRuns()
  @usableFromInline var moves: [ListMove] = []
  /// Where the updated elements are now, in the order of `updates`.
  @usableFromInline var updatedPlaces: [Int] = []
  /// What the updated elements were, in the order of `updates`.
  @usableFromInline var replaced: [Element] = []
  /// What the deleted elements were, in the order of `deletes`.
  @usableFromInline var deleted: [Element] = []

  @inlinable
  init() {}

  /// Notes an update.
  @inlinable
  mutating func update(_ index: Int, from element: Element, at place: Int) {
    updates.append(index..<index + 1)
    updatedPlaces.append(place)
    replaced.append(element)
  }

  /// How many edits there are.
  @inlinable var count: Int { inserts.count + updates.count + deletes.count + moves.count }
}

extension ManyEdits: Sendable where Element: Sendable {}
