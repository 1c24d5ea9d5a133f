/// The handles of a list's elements, in list order, and grouped by key. Handles within a group are
/// in list order too.
///
/// A group is identified by a number. The number stays valid when the group is empty, until the
/// group is released.
///
/// *Complexity*: every operation is logarithmic, however large a group is. Finding a position in a
/// group is O(log² *n*) at worst.
@usableFromInline
struct GroupedHandles<Key: Hashable> {
  /// The first handle of a group, and the number of its handles.
  @usableFromInline
  struct Group {
    @usableFromInline var first: Int32 = -1
    @usableFromInline var count = 0

    @inlinable
    init() {}
  }

  /// The handles in the order of the list.
  @usableFromInline var list = HandleList()
  /// The handles grouped by key. The order of the groups is unspecified.
  @usableFromInline var members = HandleList()
  @usableFromInline var keys = KeyTable<Key>()
  @usableFromInline var groups: [Group] = []
  /// The group number of each handle, including lifted ones.
  @usableFromInline var numbers: [Int32] = []
  @usableFromInline var pool = HandlePool()
  /// The groups that have become empty and were not released yet.
  @usableFromInline var emptied: [Int32] = []

  /// The handles are the indices of the elements.
  @inlinable
  init(_ keys: some Sequence<Key>) {
    for key in keys {
      let number = self.number(of: key)
      if groups[Int(number)].count == 0 { groups[Int(number)].first = Int32(numbers.count) }
      groups[Int(number)].count += 1
      numbers.append(number)
    }
    let count = Int32(numbers.count)
    pool = HandlePool(taken: numbers.count)
    list = HandleList(0..<count)
    // Place each handle at the next position of its group.
    var places: [Int] = []
    var start = 0
    for group in groups {
      places.append(start)
      start += group.count
    }
    var sorted = [Int32](repeating: 0, count: numbers.count)
    for handle in 0..<count {
      let number = Int(numbers[Int(handle)])
      sorted[places[number]] = handle
      places[number] += 1
    }
    members = HandleList(sorted)
  }

  // MARK: - Reading

  @inlinable
  func group(of handle: Int32) -> Int32 { numbers[Int(handle)] }

  /// Returns the first handle of a group, or nil if it is empty.
  @inlinable
  func first(of group: Int32) -> Int32? {
    groups[Int(group)].count == 0 ? nil : groups[Int(group)].first
  }

  /// For each element of the list 1 if it is the first one of its group, otherwise 0.
  @inlinable var firsts: WeightedList {
    WeightedList(list.lazy.map { first(of: group(of: $0)) == $0 ? 1 : 0 })
  }

  /// Returns the elements of each group, by number. Each handle must be an index of the list.
  @inlinable
  func elements<Element>(of list: SharedArray<Element>) -> [[Element]] {
    var elements = [[Element]](repeating: [], count: groups.count)
    for (element, number) in zip(list, numbers) { elements[Int(number)].append(element) }
    return elements
  }

  /// Returns the range of a group in ``members``.
  @inlinable
  func range(of group: Int32) -> Range<Int> {
    guard let first = first(of: group) else { return 0..<0 }
    let start = members.index(of: first)
    return start..<start + groups[Int(group)].count
  }

  /// Returns the position of a handle in its group.
  @inlinable
  func rank(of handle: Int32) -> Int {
    let first = groups[Int(numbers[Int(handle)])].first
    return handle == first ? 0 : members.index(of: handle) - members.index(of: first)
  }

  // MARK: - Edits

  /// Inserts an element, and returns its handle.
  @inlinable
  mutating func insert(_ key: Key, at index: Int) -> Int32 {
    let handle = pool.take()
    while numbers.count < pool.count { numbers.append(-1) }
    list.insert(handle, at: index)
    join(handle, number(of: key))
    return handle
  }

  @inlinable
  mutating func remove(_ handle: Int32) {
    leave(handle)
    list.remove(handle)
    pool.give(handle)
  }

  /// Moves an element to another group.
  @inlinable
  mutating func move(_ handle: Int32, to group: Int32) {
    leave(handle)
    join(handle, group)
  }

  /// Lifts an element, to be dropped at another index.
  @inlinable
  mutating func lift(_ handle: Int32) {
    leave(handle)
    list.remove(handle)
  }

  @inlinable
  mutating func drop(_ handle: Int32, at index: Int) {
    list.insert(handle, at: index)
    join(handle, numbers[Int(handle)])
  }

  /// Returns the number of a key, and creates an empty group if needed.
  @inlinable
  mutating func number(of key: Key) -> Int32 {
    let number = keys.number(of: key)
    while groups.count <= number { groups.append(Group()) }
    return number
  }

  /// Releases the empty groups after the edits of a change. Returns true if all elements were
  /// removed, so that tables indexed by handle or group can be discarded.
  @inlinable
  mutating func settle() -> Bool {
    for number in emptied where groups[Int(number)].count == 0 { keys.remove(number) }
    emptied.removeAll(keepingCapacity: emptied.count < 64)
    guard pool.canBeDiscarded else { return false }
    self = GroupedHandles([])
    return true
  }

  // MARK: - Groups

  @inlinable
  mutating func leave(_ handle: Int32) {
    let number = Int(numbers[Int(handle)])
    let index = members.remove(handle)
    groups[number].count -= 1
    if groups[number].count == 0 {
      emptied.append(numbers[Int(handle)])
    } else if groups[number].first == handle {
      groups[number].first = members[index]
    }
  }

  @inlinable
  mutating func join(_ handle: Int32, _ number: Int32) {
    numbers[Int(handle)] = number
    let group = groups[Int(number)]
    groups[Int(number)].count += 1
    guard group.count > 0 else {
      groups[Int(number)].first = handle
      return members.insert(handle, at: members.count)
    }
    let position = list.position(of: handle)
    var start = members.index(of: group.first)
    let end = start + group.count
    if !list.isHandle(group.first, before: position) {
      groups[Int(number)].first = handle
      return members.insert(handle, at: start)
    }
    // Most insertions are at the end.
    start += 1
    if start < end, list.isHandle(members[end - 1], before: position) { start = end }
    let place = (start..<end).partitioningIndex { !list.isHandle(members[$0], before: position) }
    members.insert(handle, at: place)
  }
}
