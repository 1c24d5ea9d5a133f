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
  @usableFromInline let output = SectionEditor<Key, Element>([])
  @usableFromInline let key: (Element) -> Key
  @usableFromInline let precedes: (Key, Key) -> Bool
  @usableFromInline @exclusivity(unchecked) var handles = GroupedHandles<Key>([])
  /// The numbers of the groups in the order of their sections.
  @usableFromInline @exclusivity(unchecked) var order = HandleList()

  @inlinable
  init(
    _ list: SharedArray<Element>, _ key: @escaping (Element) -> Key,
    _ precedes: @escaping (Key, Key) -> Bool
  ) {
    self.key = key
    self.precedes = precedes
    reset(to: list)
    _ = output.finish()
    output.isReset = false
  }

  @inlinable
  func reset(to list: SharedArray<Element>) {
    let handles = GroupedHandles(list.lazy.map(key))
    let groups = zip(handles.keys.entries, handles.elements(of: list)).enumerated()
    let sections = groups.compactMap { number, group in
      group.0.map { (number: Int32(number), section: ListSection($0.key, group.1)) }
    }.sorted { precedes($0.section.header, $1.section.header) }
    self.handles = handles
    order = HandleList(sections.lazy.map { $0.number })
    output.reset(to: SharedArray(sections.lazy.map { $0.section }))
  }

  // MARK: - Edits

  @inlinable
  func update(_ index: Int, to element: Element) {
    let handle = handles.list[index]
    let number = handles.number(of: key(element))
    guard number != handles.group(of: handle) else {
      return edit(handle) { $0.update($1, to: element) }
    }
    edit(handle) { $0.remove(at: $1) }
    handles.move(handle, to: number)
    edit(handle) { $0.insert(element, at: $1) }
  }

  @inlinable
  func remove(_ range: Range<Int>) {
    for index in range.reversed() {
      let handle = handles.list[index]
      edit(handle) { $0.remove(at: $1) }
      handles.remove(handle)
    }
  }

  @inlinable
  func lift(_ index: Int) -> (handle: Int32, element: ListEditor<Element>.Lifted) {
    let handle = handles.list[index]
    let element = edit(handle) { $0.lift($1) }
    handles.lift(handle)
    return (handle, element)
  }

  @inlinable
  func insert(_ range: Range<Int>, of list: SharedArray<Element>) {
    for (index, element) in zip(range, list[range]) {
      let handle = handles.insert(key(element), at: index)
      edit(handle) { $0.insert(element, at: $1) }
    }
  }

  @inlinable
  func drop(_ lifted: (handle: Int32, element: ListEditor<Element>.Lifted), at index: Int) {
    handles.drop(lifted.handle, at: index)
    edit(lifted.handle) { $0.drop(lifted.element, at: $1) }
  }

  /// Removes the sections that are empty at the end of the change.
  @inlinable
  func settle() {
    for number in handles.emptied where handles.groups[Int(number)].count == 0 {
      if order.contains(number) { _ = output.remove(at: order.remove(number)) }
    }
    if handles.settle() { order = HandleList() }
  }

  // MARK: - Sections

  /// Passes the editor of an element's section to a closure, with the position of the element.
  @inlinable
  @discardableResult
  func edit<Output>(_ handle: Int32, _ body: (ListEditor<Element>, Int) -> Output) -> Output {
    output.edit(section(of: handles.group(of: handle))) { body($0, handles.rank(of: handle)) }
  }

  /// Returns the index of the section of a group, which is inserted if needed.
  @inlinable
  func section(of number: Int32) -> Int {
    guard !order.contains(number), let key = handles.keys[number] else {
      return order.index(of: number)
    }
    let index = output.elements.partitioningIndex { !precedes($0.header, key) }
    order.insert(number, at: index)
    output.insert(ListSection(header: key, items: []), at: index)
    return index
  }
}
