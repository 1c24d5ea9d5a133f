import RunnelStreams

extension ObservableList {
  /// Returns the elements in sections, one for each key, sorted by key. Within a section the
  /// elements keep the order of the source.
  ///
  ///     let byLength = shelf.sectioned { $0.count }
  ///     print(byLength.value.map(\.header))  // [2, 4]
  ///
  /// The closure runs once for each initial, inserted or updated element. An update that changes
  /// the key of an element moves it to another section. A section is inserted with its first
  /// element and deleted with its last.
  ///
  /// *Complexity*: a change of one element affects one or two sections.
  @inlinable
  public func sectioned<Key: Hashable & Comparable>(
    by key: @escaping (Base.Element) -> Key
  ) -> LiveCollection<Sections<Key, Base.Element>> {
    sectioned(by: key, sortedBy: <)
  }

  /// Returns the elements in sections, one for each key, in the order that `areInIncreasingOrder`
  /// defines.
  @inlinable
  public func sectioned<Key: Hashable>(
    by key: @escaping (Base.Element) -> Key,
    sortedBy areInIncreasingOrder: @escaping (Key, Key) -> Bool
  ) -> LiveCollection<Sections<Key, Base.Element>> {
    let start = value
    return LiveCollection(
      of: SectionedList(start, key, areInIncreasingOrder), following: live, since: start)
  }
}

@usableFromInline
final class SectionedList<Element, Key: Hashable>: ListFollower {
  /// The state of one section.
  @usableFromInline
  final class Group {
    @usableFromInline let key: Key
    @usableFromInline let number: Int32
    /// The handles of the section's elements, in the order of the source.
    @usableFromInline var handles: SharedArray<Int32>

    @inlinable
    init(_ key: Key, number: Int32, handles: SharedArray<Int32> = []) {
      self.key = key
      self.number = number
      self.handles = handles
    }
  }

  @usableFromInline let output: SectionEditor<Key, Element>
  @usableFromInline let key: (Element) -> Key
  @usableFromInline let precedes: (Key, Key) -> Bool
  /// The handles of all elements in the order of the source, and the group of each handle.
  @usableFromInline var source = HandleList()
  @usableFromInline var handles = HandlePool()
  @usableFromInline var groupOf: [Group?] = []
  @usableFromInline var keys = KeyTable<Key>()
  /// The groups by key number.
  @usableFromInline var groups: [Group?] = []
  /// The numbers of the groups, in the order of the sections.
  @usableFromInline var order = HandleList()
  /// The groups that were empty at some point of the change.
  @usableFromInline var emptied: [Group] = []

  @inlinable
  init(
    _ list: SharedArray<Element>, _ key: @escaping (Element) -> Key,
    _ precedes: @escaping (Key, Key) -> Bool
  ) {
    self.key = key
    self.precedes = precedes
    output = SectionEditor([])
    reset(to: list)
    _ = output.finish()
    output.isReset = false
  }

  @inlinable
  func reset(to list: SharedArray<Element>) {
    keys = KeyTable()
    var members: [(key: Key, handles: [Int32], elements: [Element])] = []
    for (index, element) in list.enumerated() {
      let key = key(element)
      let number = Int(keys.number(of: key))
      if number == members.count { members.append((key, [], [])) }
      members[number].handles.append(Int32(index))
      members[number].elements.append(element)
    }
    let sorted = members.indices.sorted { precedes(members[$0].key, members[$1].key) }
    source = HandleList(0..<Int32(list.count))
    handles = HandlePool(taken: list.count)
    groupOf = [Group?](repeating: nil, count: list.count)
    groups = [Group?](repeating: nil, count: sorted.count)
    order = HandleList(sorted.lazy.map { Int32($0) })
    var sections: [ListSection<Key, Element>] = []
    for number in sorted {
      let (key, handles, elements) = members[number]
      let group = Group(key, number: Int32(number), handles: SharedArray(handles))
      groups[number] = group
      for handle in handles { groupOf[Int(handle)] = group }
      sections.append(ListSection(key, elements))
    }
    output.reset(to: SharedArray(sections))
  }

  // MARK: - Edits

  @inlinable
  func update(_ index: Int, to element: Element) {
    let handle = source[index]
    guard let group = groupOf[Int(handle)] else { return }
    let key = key(element)
    if group.key == key {
      edit(group) { $0.update(place(of: index, in: group), to: element) }
    } else {
      takeOut(index, of: group) { $0.remove(at: $1) }
      put(handle, at: index, in: self.group(of: key)) { $0.insert(element, at: $1) }
    }
  }

  @inlinable
  func remove(_ range: Range<Int>) {
    for index in range.reversed() {
      let handle = source[index]
      if let group = groupOf[Int(handle)] { takeOut(index, of: group) { $0.remove(at: $1) } }
      groupOf[Int(handle)] = nil
      source.remove(at: index)
      handles.give(handle)
    }
  }

  @inlinable
  func lift(_ index: Int) -> (handle: Int32, element: ListEditor<Element>.Lifted?) {
    let handle = source[index]
    let element = groupOf[Int(handle)].map { takeOut(index, of: $0) { $0.lift($1) } }
    source.remove(at: index)
    return (handle, element)
  }

  @inlinable
  func insert(_ range: Range<Int>, of list: SharedArray<Element>) {
    for (index, element) in zip(range, list[range]) {
      let handle = handles.take()
      if handle >= groupOf.count { groupOf.append(nil) }
      source.insert(handle, at: index)
      put(handle, at: index, in: group(of: key(element))) { $0.insert(element, at: $1) }
    }
  }

  @inlinable
  func drop(_ lifted: (handle: Int32, element: ListEditor<Element>.Lifted?), at index: Int) {
    source.insert(lifted.handle, at: index)
    guard let element = lifted.element, let group = groupOf[Int(lifted.handle)] else { return }
    put(lifted.handle, at: index, in: group) { $0.drop(element, at: $1) }
  }

  /// Removes the sections that are empty at the end of the change.
  @inlinable
  func settle() {
    for group in emptied where group.handles.isEmpty && groups[Int(group.number)] === group {
      groups[Int(group.number)] = nil
      keys.remove(group.number)
      _ = output.remove(at: order.remove(group.number))
    }
    emptied.removeAll()
    guard handles.canBeDiscarded else { return }
    (source, handles, groupOf) = (HandleList(), HandlePool(), [])
    (keys, groups, order) = (KeyTable(), [], HandleList())
  }

  // MARK: - Groups

  /// Returns the position in a group for the element at an index of the source.
  @inlinable
  func place(of index: Int, in group: Group) -> Int {
    let position = source.position(at: index)
    return group.handles.partitioningIndex { !source.isHandle($0, before: position) }
  }

  @inlinable
  func edit<Output>(_ group: Group, _ body: (ListEditor<Element>) -> Output) -> Output {
    output.edit(order.index(of: group.number), body)
  }

  @inlinable
  @discardableResult
  func takeOut<Output>(
    _ index: Int, of group: Group, _ body: (ListEditor<Element>, Int) -> Output
  ) -> Output {
    let place = place(of: index, in: group)
    group.handles.remove(at: place)
    if group.handles.isEmpty { emptied.append(group) }
    return edit(group) { body($0, place) }
  }

  @inlinable
  func put(
    _ handle: Int32, at index: Int, in group: Group, _ body: (ListEditor<Element>, Int) -> Void
  ) {
    groupOf[Int(handle)] = group
    let place = place(of: index, in: group)
    group.handles.insert(handle, at: place)
    edit(group) { body($0, place) }
  }

  @inlinable
  func group(of key: Key) -> Group {
    let number = keys.number(of: key)
    while groups.count <= number { groups.append(nil) }
    if let group = groups[Int(number)] { return group }
    let group = Group(key, number: number)
    groups[Int(number)] = group
    let sections = output.elements
    let index = sections.partitioningIndex { !precedes($0.header, key) }
    order.insert(group.number, at: index)
    output.insert(ListSection(header: key, items: []), at: index)
    return group
  }
}
