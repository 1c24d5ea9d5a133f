/// Handles of the elements of a list, in its order, and in groups of those that have the same key;
/// within a group they are in the order of the list.
///
/// A group has a number. It stays when the last handle has left, until it is released.
///
/// *Complexity.* Every operation is logarithmic, however many handles a group has; to find a place
/// in a group takes the square of the logarithm at worst.
@usableFromInline
struct GroupedHandles<Key: Hashable> {
  /// A group's first handle, and how many it has.
  @usableFromInline
  struct Group {
    @usableFromInline var first: Int32 = -1
    @usableFromInline var count = 0

    @inlinable
    init() {}
  }

  /// The handles in the order of the list.
  @usableFromInline var list = HandleList()
  /// The handles group by group, the groups in any order.
  @usableFromInline var members = HandleList()
  @usableFromInline var keys = KeyTable<Key>()
  /// By number.
  @usableFromInline var groups: [Group] = []
  /// The number of the group of each handle, also of one that was taken out to be put in again.
  @usableFromInline var numbers: [Int32] = []
  @usableFromInline var pool = HandlePool()

  /// The handles are the places in the list.
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
    // Each goes to the next place of its group.
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

  /// The number of the group of a handle.
  @inlinable
  func group(of handle: Int32) -> Int32 { numbers[Int(handle)] }

  /// The first handle of a group, or nil if it has none.
  @inlinable
  func first(of group: Int32) -> Int32? {
    groups[Int(group)].count == 0 ? nil : groups[Int(group)].first
  }

  /// For each element of the list 1 if it is the first one of its group, else 0.
  @inlinable var firsts: WeightedList {
    WeightedList(list.lazy.map { first(of: group(of: $0)) == $0 ? 1 : 0 })
  }

  /// Where a handle is in its group.
  @inlinable
  func rank(of handle: Int32) -> Int {
    let first = groups[Int(numbers[Int(handle)])].first
    return handle == first ? 0 : members.index(of: handle) - members.index(of: first)
  }

  // MARK: - Changing

  /// Puts an element in the list, and returns its handle.
  @inlinable
  mutating func insert(_ key: Key, at index: Int) -> Int32 {
    let handle = pool.take()
    while numbers.count < pool.count { numbers.append(-1) }
    list.insert(handle, at: index)
    join(handle, number(of: key))
    return handle
  }

  /// Takes an element out of the list.
  @inlinable
  mutating func remove(_ handle: Int32) {
    leave(handle)
    list.remove(handle)
    pool.give(handle)
  }

  /// Gives an element another key.
  @inlinable
  mutating func change(_ handle: Int32, to group: Int32) {
    leave(handle)
    join(handle, group)
  }

  /// Takes an element out, to be put in again.
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

  /// The number of a key, with a group that may have no handles yet.
  @inlinable
  mutating func number(of key: Key) -> Int32 {
    let number = keys.number(of: key)
    while groups.count <= number { groups.append(Group()) }
    return number
  }

  /// Gives up the number of a group, once it has no handles.
  @inlinable
  mutating func releaseIfEmpty(_ group: Int32) {
    if groups[Int(group)].count == 0 { keys.remove(group) }
  }

  // MARK: - Groups

  @inlinable
  mutating func leave(_ handle: Int32) {
    let number = Int(numbers[Int(handle)])
    let index = members.remove(handle)
    groups[number].count -= 1
    if groups[number].first == handle, groups[number].count > 0 {
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
    var end = start + group.count
    if !list.isHandle(group.first, before: position) {
      groups[Int(number)].first = handle
      return members.insert(handle, at: start)
    }
    // Most come at the end.
    start += 1
    if start < end, list.isHandle(members[end - 1], before: position) { start = end }
    while start < end {
      let middle = (start + end) / 2
      if list.isHandle(members[middle], before: position) {
        start = middle + 1
      } else {
        end = middle
      }
    }
    members.insert(handle, at: start)
  }
}
