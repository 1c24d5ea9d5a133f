import RunnelStreams

extension ObservableList {
  /// Returns the live list of groups of elements with the same key. Each group is an observable
  /// list.
  ///
  ///     let byLength = shelf.grouped { $0.count }
  ///     shelf.append("Faust")
  ///     for group in byLength { print(group.key, group.value) }
  ///     // 4 ["Emma", "Dune"], 2 ["It"], 5 ["Faust"]
  ///
  /// The groups are in the order of their first elements in the source, and the elements of a group
  /// in the order of the source. The order does not depend on earlier states. For an order by key,
  /// use `sorted`. The closure runs once for each initial, inserted or updated element.
  ///
  /// *Events*: the list of groups sends one event for each change that inserts, deletes or moves
  /// groups. Then each changed group sends one event. An element whose key changes is deleted from
  /// one group and inserted into another. After a reset of the source, keys that still exist keep
  /// their groups, which are reset too.
  ///
  /// *Disposal*: a group does not retain the list of groups. When the list is released, the group
  /// keeps its elements and no longer changes.
  ///
  /// *Complexity*: logarithmic, in one or two groups.
  @inlinable
  public func grouped<Key: Hashable>(
    by key: @escaping (Base.Element) -> Key
  ) -> LiveCollection<[ListGroup<Key, Base.Element>]> {
    let start = value
    let grouping = GroupedList(start, key)
    let derived = LiveCollection<[ListGroup<Key, Base.Element>]>(grouping.output)
    let core = derived.core
    derived.follow(live, since: start) {
      grouping.follow($0)
      // Followers of the list learn which groups exist before the elements of the groups change.
      grouping.publish { core.publish() }
    }
    return derived
  }
}

@usableFromInline
final class GroupedList<Element, Key: Hashable>: ListFollower {
  @usableFromInline typealias Group = ListGroup<Key, Element>
  @usableFromInline typealias Output = Group

  /// A group and its position.
  @usableFromInline
  struct Section {
    @usableFromInline var group: Group?
    /// The handle of the group's first element in the output, or -1 if the group is not in the
    /// output.
    @usableFromInline var handle: Int32 = -1
    /// The group as it was lifted from the output.
    @usableFromInline var lifted: ListEditor<Group>.Lifted?

    @inlinable
    init() {}
  }

  @usableFromInline @exclusivity(unchecked) var output = ListEditor<Group>(SharedArray())
  @usableFromInline let key: (Element) -> Key
  @usableFromInline @exclusivity(unchecked) var handles: GroupedHandles<Key>
  /// For each element of the source 1 if it represents a group in the output, otherwise 0.
  @usableFromInline @exclusivity(unchecked) var weights: WeightedList
  /// The groups by key number.
  @usableFromInline @exclusivity(unchecked) var sections: [Section] = []
  /// The groups whose position may have changed.
  @usableFromInline @exclusivity(unchecked) var touched: [Int32] = []
  @usableFromInline @exclusivity(unchecked) var changed: [Group] = []

  @inlinable
  init(_ list: SharedArray<Element>, _ key: @escaping (Element) -> Key) {
    self.key = key
    handles = GroupedHandles(list.lazy.map(key))
    weights = handles.firsts
    output = ListEditor(form(list) { Group($0, $1) })
  }

  // MARK: - Edits

  // The elements of the groups are edited at once. The positions of the groups are determined after
  // all edits of the source.

  @inlinable
  func follow(_ changes: ListChanges<Element>) {
    changes.replay(to: self)
    for number in touched { settle(number) }
    touched.removeAll(keepingCapacity: touched.count < 64)
    if handles.settle() { sections = [] }
  }

  /// Returns the editor of a group, and marks the group as changed.
  @inlinable
  func edit(_ number: Int32) -> ListEditor<Element>? {
    touched.append(number)
    guard let group = sections[Int(number)].group else { return nil }
    changed.append(group)
    return group.editor
  }

  /// Inserts an element into the group of its key, and creates the group if needed.
  @inlinable
  func add(_ element: Element, _ handle: Int32, _ key: Key) {
    let number = handles.group(of: handle)
    while sections.count <= number { sections.append(Section()) }
    if sections[Int(number)].group == nil { sections[Int(number)].group = Group(key) }
    edit(number)?.insert(element, at: handles.rank(of: handle))
  }

  @inlinable
  func update(_ index: Int, to element: Element) {
    let handle = handles.list[index]
    let key = key(element)
    let old = handles.group(of: handle)
    let new = handles.number(of: key)
    let rank = handles.rank(of: handle)
    if old == new {
      edit(old)?.update(rank, to: element)
      return
    }
    if weights[index] == 1 { lift(old, at: index) }
    edit(old)?.remove(at: rank)
    handles.move(handle, to: new)
    add(element, handle, key)
  }

  @inlinable
  func remove(_ range: Range<Int>) {
    for index in range.reversed() {
      let handle = handles.list[index]
      let number = handles.group(of: handle)
      if weights[index] == 1 { lift(number, at: index) }
      edit(number)?.remove(at: handles.rank(of: handle))
      handles.remove(handle)
    }
    weights.removeSubrange(range)
  }

  @inlinable
  func lift(_ index: Int) -> (handle: Int32, element: ListEditor<Element>.Lifted?) {
    let handle = handles.list[index]
    let group = handles.group(of: handle)
    if weights[index] == 1 { lift(group, at: index) }
    let element = edit(group)?.lift(handles.rank(of: handle))
    handles.lift(handle)
    weights.remove(at: index)
    return (handle, element)
  }

  @inlinable
  func insert(_ range: Range<Int>, of list: SharedArray<Element>) {
    weights.insert(repeating: 0, count: range.count, at: range.lowerBound)
    for index in range {
      let element = list[index]
      let key = key(element)
      add(element, handles.insert(key, at: index), key)
    }
  }

  @inlinable
  func drop(_ lifted: (handle: Int32, element: ListEditor<Element>.Lifted?), at index: Int) {
    handles.drop(lifted.handle, at: index)
    weights.insert(0, at: index)
    guard let element = lifted.element else { return }
    edit(handles.group(of: lifted.handle))?.drop(element, at: handles.rank(of: lifted.handle))
  }

  // MARK: - Groups

  /// Lifts a group from the output, because its first element has changed.
  @inlinable
  func lift(_ number: Int32, at index: Int) {
    sections[Int(number)].lifted = output.lift(weights.sum(before: index))
    sections[Int(number)].handle = -1
    weights.set(0, at: index)
  }

  /// Drops a group at the position of its first element, or removes it if it is empty.
  @inlinable
  func settle(_ number: Int32) {
    let first = handles.first(of: number) ?? -1
    let known = sections[Int(number)].handle
    if known >= 0 {
      if known == first { return }
      lift(number, at: handles.list.index(of: known))
    }
    let lifted = sections[Int(number)].lifted
    sections[Int(number)].lifted = nil
    if first >= 0 {
      let index = handles.list.index(of: first)
      let place = weights.sum(before: index)
      if let lifted {
        output.drop(lifted, at: place)
      } else if let group = sections[Int(number)].group {
        output.insert(group, at: place)
      }
      weights.set(1, at: index)
      sections[Int(number)].handle = first
    } else {
      if let lifted {
        output.drop(lifted, at: 0)
        output.remove(at: 0)
      }
      sections[Int(number)].group = nil
    }
  }

  /// Sends the events of the changed groups after running a closure. They go to the earlier
  /// observers only, because observers added by the closure start from the new state.
  @inlinable
  func publish(after body: () -> Void) {
    let groups = changed
    changed = []
    let paused = groups.filter { $0.live.core.events.pause() }
    for group in groups { group.live.publish() }
    body()
    for group in paused { group.live.core.events.resume() }
  }

  // MARK: - Bulk edits

  @inlinable
  func reset(to list: SharedArray<Element>) {
    var keys = handles.keys
    var known = sections.map { $0.group }
    for case let group? in known {
      group.editor.reset(to: SharedArray())
      changed.append(group)
    }
    handles = GroupedHandles(list.lazy.map(key))
    weights = handles.firsts
    output.reset(
      to: form(list) { key, elements in
        let number = Int(keys.number(of: key))
        guard number < known.count, let group = known[number] else { return Group(key, elements) }
        // Only once, even if two keys are equal to this one but not to each other.
        known[number] = nil
        group.editor.reset(to: elements)
        return group
      })
  }

  /// Forms the groups of a list whose handles are numbered in its order.
  @inlinable
  func form(
    _ list: SharedArray<Element>, _ make: (Key, SharedArray<Element>) -> Group
  ) -> SharedArray<Group> {
    let elements = handles.elements(of: list)
    sections = []
    for (number, group) in handles.groups.enumerated() {
      var section = Section()
      section.handle = group.first
      section.group = handles.keys[Int32(number)].map { make($0, SharedArray(elements[number])) }
      sections.append(section)
    }
    return SharedArray(sections.compactMap { $0.group })
  }
}
