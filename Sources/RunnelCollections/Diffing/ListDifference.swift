/// The difference between two lists: deletes, inserts, updates and a minimal number of moves.
///
///     let difference = ListDifference(from: ["a", "b", "c"], to: ["c", "a", "x"])
///     print(difference.deletes, difference.inserts, difference.moves)  // [1] [2] [2→0]
///
/// Removing `deletes` and the sources of `moves` from the old list leaves the same elements as
/// removing `inserts` and the destinations of `moves` from the new list, except for the elements
/// that `updates` names. Of several elements with the same id, the k-th of one list matches the
/// k-th of the other. Inconsistent `Hashable` conformances are tolerated: they cause additional
/// deletes and inserts at worst.
///
/// *Complexity*: linear where most of the elements stay in order, O(*n* log *n*) at worst.
public struct ListDifference: Equatable, Sendable {
  /// The deleted elements, by index in the old list.
  public let deletes: IndexRuns
  /// The inserted elements, by index in the new list.
  public let inserts: IndexRuns
  /// The elements, moved or not, that are in both lists but not equal. Indices in the old list,
  /// ascending.
  public let updates: [Int]
  /// The elements that changed their relative order, ascending by index in the new list.
  public let moves: [ListMove]

  /// Creates the difference between lists of hashable elements. There are no updates.
  @inlinable public init<Element: Hashable>(
    from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>
  ) {
    self.init(ListOrigins(from: old, to: new) { $0 }, updates: [])
  }

  /// Creates the difference between lists of identifiable elements. There are no updates, because
  /// elements with the same id cannot be compared.
  @inlinable public init<Element: Identifiable>(
    from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>
  ) {
    self.init(ListOrigins(from: old, to: new) { $0.id }, updates: [])
  }

  /// Creates the difference between lists of identifiable elements. Elements with the same id that
  /// are not equal are updates.
  @inlinable public init<Element: Identifiable & Equatable>(
    from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>
  ) {
    self.init(from: old, to: new) { $0.id }
  }

  /// Creates the difference between lists of identifiable elements. Elements with the same id that
  /// are not equal are updates.
  @inlinable public init<Element: Identifiable & Hashable>(
    from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>
  ) {
    self.init(from: old, to: new) { $0.id }
  }

  /// Creates the difference between lists whose elements are identified by a closure. Elements with
  /// the same id that are not equal are updates.
  @inlinable public init<Element: Equatable, ID: Hashable>(
    from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>,
    by id: (Element) -> ID
  ) {
    self = withBuffer(old) { old in
      withBuffer(new) { new in
        let origins = ListOrigins(from: old, to: new, by: id)
        var updates: [Int] = []
        var isAscending = true
        for (index, origin) in origins.origins.enumerated() where origin >= 0 {
          guard old[Int(origin)] != new[index] else { continue }
          if let last = updates.last, last > Int(origin) { isAscending = false }
          updates.append(Int(origin))
        }
        if !isAscending { updates.sortAscending() }
        return Self(origins, updates: updates)
      }
    }
  }

  @usableFromInline init(_ origins: ListOrigins, updates: [Int]) {
    var inserts = IndexRuns()
    for (index, origin) in origins.origins.enumerated() where origin < 0 {
      inserts.append(index..<index + 1)
    }
    var deletes = IndexRuns()
    for (index, stays) in origins.stays.enumerated() where !stays {
      deletes.append(index..<index + 1)
    }
    self.deletes = deletes
    self.inserts = inserts
    self.updates = updates
    moves = origins.moved.map { ListMove(from: Int(origins.origins[$0]), to: $0) }
  }

  /// True when the lists do not differ.
  public var isEmpty: Bool {
    deletes.isEmpty && inserts.isEmpty && updates.isEmpty && moves.isEmpty
  }
}
