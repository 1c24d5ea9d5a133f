/// A set whose copies share what they have in common: a copy costs nothing, and the next change to
/// it or to the original copies a few small nodes, never the whole.
///
///     var tags: SharedSet = ["new", "red"]
///     let before = tags
///     tags.insert("round")
///     print(before.count, tags.count)  // 2 3
///
/// It is used like `Set`. The order of its members is not specified, and two equal sets may differ
/// in it.
///
/// *Complexity*: a copy is O(1); to find, insert or remove one member is O(log n).
public struct SharedSet<Element: Hashable> {
  @usableFromInline var members: SharedDictionary<Element, Void>

  /// An empty set.
  @inlinable public init() { members = SharedDictionary() }

  /// A set of the elements of a sequence; of equal ones the first.
  @inlinable public init(_ elements: some Sequence<Element>) {
    self.init()
    members.add(elements.map { ($0, ()) }) { _, _ in }
  }
}

extension SharedSet: Sendable where Element: Sendable {}

extension SharedSet {
  /// How many members there are.
  @inlinable public var count: Int { members.count }

  /// Whether both are one state, which neither changed since they were one.
  ///
  /// *Complexity*: O(1).
  @inlinable public func isIdentical(to other: SharedSet) -> Bool {
    members.isIdentical(to: other.members)
  }

  /// Removes all members.
  @inlinable public mutating func removeAll() { self = SharedSet() }

  /// The member that is equal to a value.
  @inlinable func member(equalTo value: Element) -> Element? {
    withExtendedLifetime(members.root) { members.find(value, TriePath(value))?.pointee.key }
  }

  /// Those of the members that fulfil a condition.
  @inlinable public func filter(
    _ isIncluded: (Element) throws -> Bool
  ) rethrows -> SharedSet {
    var result = self
    var kept: [Element] = []
    for member in self {
      if try isIncluded(member) { kept.append(member) } else { result.remove(member) }
    }
    // What is not equal to itself cannot be taken out, only left out.
    return result.count == kept.count ? result : SharedSet(kept)
  }
}

extension SharedSet: SetAlgebra {
  /// Whether there are no members.
  @inlinable public var isEmpty: Bool { members.isEmpty }

  /// Whether something is a member.
  @inlinable public func contains(_ member: Element) -> Bool { members.contains(key: member) }

  /// Adds a member, unless an equal one is there.
  @inlinable @discardableResult
  public mutating func insert(
    _ newMember: Element
  ) -> (inserted: Bool, memberAfterInsert: Element) {
    // A member that is there must not cost the copies of a change.
    if let old = member(equalTo: newMember) { return (false, old) }
    members.updateValue((), forKey: newMember)
    return (true, newMember)
  }

  /// Adds a member in place of an equal one, which it returns.
  @inlinable @discardableResult
  public mutating func update(with newMember: Element) -> Element? {
    let old = remove(newMember)
    members.updateValue((), forKey: newMember)
    return old
  }

  /// Removes a member and returns it.
  @inlinable @discardableResult
  public mutating func remove(_ member: Element) -> Element? { members.removeEntry(member)?.key }

  /// The members of this set, and those of another that are not in it.
  @inlinable public func union(_ other: SharedSet) -> SharedSet {
    var result = self
    result.formUnion(other)
    return result
  }

  /// The members of this set that are in another too.
  @inlinable public func intersection(_ other: SharedSet) -> SharedSet {
    // To look for one costs some times what it costs to go on to the next.
    guard other.count < count / 8 else { return filter(other.contains) }
    return SharedSet(other.lazy.compactMap { member(equalTo: $0) })
  }

  /// The members of this set that are not in another.
  @inlinable public func subtracting(_ other: SharedSet) -> SharedSet {
    var result = self
    result.subtract(other)
    return result
  }

  /// The members that only one of two sets has.
  @inlinable public func symmetricDifference(_ other: SharedSet) -> SharedSet {
    var result = self
    result.formSymmetricDifference(other)
    return result
  }

  /// Adds the members of another set.
  @inlinable public mutating func formUnion(_ other: SharedSet) {
    for member in other { insert(member) }
  }

  /// Keeps the members that are in another set too.
  @inlinable public mutating func formIntersection(_ other: SharedSet) {
    self = intersection(other)
  }

  /// Removes the members of another set.
  @inlinable public mutating func subtract(_ other: SharedSet) {
    for member in other { remove(member) }
  }

  /// Removes the members of another set that are in this one, and adds the others.
  @inlinable public mutating func formSymmetricDifference(_ other: SharedSet) {
    for member in other where remove(member) == nil { insert(member) }
  }

  /// Whether all members are in another set.
  @inlinable public func isSubset(of other: SharedSet) -> Bool {
    count <= other.count && allSatisfy(other.contains)
  }
}

extension SharedSet: Sequence {
  /// Goes through the members of a set as it was when it began.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var members: SharedDictionary<Element, Void>.Iterator

    @inlinable init(_ set: SharedSet) { members = set.members.makeIterator() }

    /// The next member.
    @inlinable public mutating func next() -> Element? { members.next()?.key }
  }

  /// An iterator over what is there now.
  @inlinable public func makeIterator() -> Iterator { Iterator(self) }

  /// The count, which costs nothing.
  @inlinable public var underestimatedCount: Int { count }
}

extension SharedSet: Hashable {
  /// Whether both hold the same, in any order.
  @inlinable public static func == (left: SharedSet, right: SharedSet) -> Bool {
    if left.isIdentical(to: right) { return true }
    return left.count == right.count && left.allSatisfy(right.contains)
  }

  /// Feeds what is there, without its order.
  @inlinable public func hash(into hasher: inout Hasher) {
    // Equal sets may differ in their order, so the members' hashes are joined without one.
    hasher.combine(reduce(0) { $0 ^ $1.hashValue })
  }
}

extension SharedSet: CustomStringConvertible {
  /// The elements as text, as the standard library has them.
  public var description: String {
    "[\(map { String(reflecting: $0) }.joined(separator: ", "))]"
  }
}
