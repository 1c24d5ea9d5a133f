/// What makes one list out of another: what to delete, to insert, to update, and as few moves as
/// there can be.
///
///     let difference = ListDifference(from: ["a", "b", "c"], to: ["c", "a", "x"])
///     print(difference.deletes, difference.inserts, difference.moves)  // [1] [2] [2→0]
///
/// Without `deletes` and the sources of `moves`, the old list is the new one without `inserts` and
/// the destinations of `moves`, but for the elements that `updates` names. Of elements that are told
/// apart by the same id, the k-th stays the k-th. A type whose `==` or hash does not keep its word
/// has more deleted and inserted than need be, at worst.
///
/// *Complexity.* Linear where most of the elements stay in order; O(n log n) at worst.
public struct ListDifference: Equatable, Sendable {
  /// What is gone, by its index in the old list.
  public let deletes: IndexRuns
  /// What is new, by its index in the new list.
  public let inserts: IndexRuns
  /// What is still there, moved or not, but is not equal to what it was, by its index in the old
  /// list, ascending.
  public let updates: [Int]
  /// What is still there but not in the order of the rest, ascending by the index in the new list.
  public let moves: [ListMove]

  /// The difference between lists of elements that are what they are equal to: nothing is updated.
  @inlinable public init<Element: Hashable>(
    from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>
  ) {
    self.init(ListOrigins(from: old, to: new) { $0 }, updates: [])
  }

  /// The difference between lists of elements that have an id. Nothing is updated, for whether one
  /// with the same id is what it was cannot be asked.
  @inlinable public init<Element: Identifiable>(
    from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>
  ) {
    self.init(ListOrigins(from: old, to: new) { $0.id }, updates: [])
  }

  /// The difference between lists of elements that have an id. One with the same id that is not
  /// equal to what it was is updated.
  @inlinable public init<Element: Identifiable & Equatable>(
    from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>
  ) {
    self.init(from: old, to: new) { $0.id }
  }

  /// The difference between lists of elements that have an id. One with the same id that is not
  /// equal to what it was is updated.
  @inlinable public init<Element: Identifiable & Hashable>(
    from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>
  ) {
    self.init(from: old, to: new) { $0.id }
  }

  /// The difference between lists of elements that are told apart by what `id` returns. One with
  /// the same id that is not equal to what it was is updated.
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
        if !isAscending { updates.sort() }
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

  /// Whether the lists are the same.
  public var isEmpty: Bool {
    deletes.isEmpty && inserts.isEmpty && updates.isEmpty && moves.isEmpty
  }
}
