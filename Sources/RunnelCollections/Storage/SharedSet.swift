/// A set whose copies share storage. Copying is O(1), and the next change of either copy copies a
/// few small nodes instead of all members.
///
///     var tags: SharedSet = ["new", "red"]
///     let before = tags
///     tags.insert("round")
///     print(before.count, tags.count)  // 2 3
///
/// Use it like `Set`. The order of its members is unspecified, and can differ between equal sets.
///
/// *Complexity*: a copy is O(1); finding, inserting or removing one member is O(log *n*).
public struct SharedSet<Element: Hashable> {
  @usableFromInline var members: SharedDictionary<Element, Void>

  /// Creates an empty set.
  @inlinable public init() { members = SharedDictionary() }

  /// Creates a set of the elements of a sequence. Of equal elements the first is kept.
  @inlinable public init(_ elements: some Sequence<Element>) {
    self.init()
    members.add(elements.map { ($0, ()) }) { _, _ in }
  }
}

extension SharedSet: Sendable where Element: Sendable {}

extension SharedSet {
  /// The number of members.
  @inlinable public var count: Int { members.count }

  /// Returns true when both sets share the same storage and neither has changed since.
  ///
  /// *Complexity*: O(1).
  @inlinable public func isIdentical(to other: SharedSet) -> Bool {
    members.isIdentical(to: other.members)
  }

  /// Removes all members.
  @inlinable public mutating func removeAll() { self = SharedSet() }

  @inlinable func member(equalTo value: Element) -> Element? {
    withExtendedLifetime(members.root) { members.find(value, TriePath(value))?.pointee.key }
  }

  /// Returns the members that satisfy a predicate.
  @inlinable public func filter(
    _ isIncluded: (Element) throws -> Bool
  ) rethrows -> SharedSet {
    var result = self
    var kept: [Element] = []
    for member in self {
      if try isIncluded(member) { kept.append(member) } else { result.remove(member) }
    }
    // A member that is not equal to itself cannot be removed, so build a new set instead.
    return result.count == kept.count ? result : SharedSet(kept)
  }
}

extension SharedSet: SetAlgebra {
  /// True when there are no members.
  @inlinable public var isEmpty: Bool { members.isEmpty }

  /// Returns true when the set contains a member.
  @inlinable public func contains(_ member: Element) -> Bool { members.contains(key: member) }

  /// Inserts a member, unless an equal one exists.
  @inlinable @discardableResult
  public mutating func insert(
    _ newMember: Element
  ) -> (inserted: Bool, memberAfterInsert: Element) {
    // Inserting an existing member must not copy any node.
    if let old = member(equalTo: newMember) { return (false, old) }
    members.updateValue((), forKey: newMember)
    return (true, newMember)
  }

  /// Inserts a member in place of an equal one, which is returned.
  @inlinable @discardableResult
  public mutating func update(with newMember: Element) -> Element? {
    let old = remove(newMember)
    members.updateValue((), forKey: newMember)
    return old
  }

  /// Removes and returns a member.
  @inlinable @discardableResult
  public mutating func remove(_ member: Element) -> Element? { members.removeEntry(member)?.key }

  /// Returns the members of this set, and those of another one.
  @inlinable public func union(_ other: SharedSet) -> SharedSet {
    var result = self
    result.formUnion(other)
    return result
  }

  /// Returns the members that both sets contain.
  @inlinable public func intersection(_ other: SharedSet) -> SharedSet {
    // A lookup costs several times as much as advancing an iterator.
    guard other.count < count / 8 else { return filter(other.contains) }
    return SharedSet(other.lazy.compactMap { member(equalTo: $0) })
  }

  /// Returns the members that the other set does not contain.
  @inlinable public func subtracting(_ other: SharedSet) -> SharedSet {
    var result = self
    result.subtract(other)
    return result
  }

  /// Returns the members that exactly one of two sets contains.
  @inlinable public func symmetricDifference(_ other: SharedSet) -> SharedSet {
    var result = self
    result.formSymmetricDifference(other)
    return result
  }

  /// Inserts the members of another set.
  @inlinable public mutating func formUnion(_ other: SharedSet) {
    for member in other { insert(member) }
  }

  /// Removes the members that the other set does not contain.
  @inlinable public mutating func formIntersection(_ other: SharedSet) {
    self = intersection(other)
  }

  /// Removes the members of another set.
  @inlinable public mutating func subtract(_ other: SharedSet) {
    for member in other { remove(member) }
  }

  /// Removes the members that another set contains, and inserts the rest of that set.
  @inlinable public mutating func formSymmetricDifference(_ other: SharedSet) {
    for member in other where remove(member) == nil { insert(member) }
  }

  /// Returns true when the other set contains all members.
  @inlinable public func isSubset(of other: SharedSet) -> Bool {
    count <= other.count && allSatisfy(other.contains)
  }
}

extension SharedSet: Sequence {
  /// An iterator over the members. Later changes of the set do not affect it.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var members: SharedDictionary<Element, Void>.Iterator

    @inlinable init(_ set: SharedSet) { members = set.members.makeIterator() }

    /// Returns the next member, or nil at the end.
    @inlinable public mutating func next() -> Element? { members.next()?.key }
  }

  /// Returns an iterator over the current members.
  @inlinable public func makeIterator() -> Iterator { Iterator(self) }

  /// The number of members.
  @inlinable public var underestimatedCount: Int { count }
}

extension SharedSet: Hashable {
  /// Returns true when both sets have equal members, in any order.
  @inlinable public static func == (left: SharedSet, right: SharedSet) -> Bool {
    if left.isIdentical(to: right) { return true }
    return left.count == right.count && left.allSatisfy(right.contains)
  }

  /// Hashes the members, independently of their order.
  @inlinable public func hash(into hasher: inout Hasher) {
    // Equal sets can differ in order, so the hashes are combined by a commutative operation.
    hasher.combine(reduce(0) { $0 ^ $1.hashValue })
  }
}

extension SharedSet: CustomStringConvertible {
  /// The members, in the form of an array.
  public var description: String {
    "[\(map { String(reflecting: $0) }.joined(separator: ", "))]"
  }
}
