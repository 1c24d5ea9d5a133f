import RunnelStreams

extension ObservableList {
  /// Returns the live list without duplicates: of equal elements it contains the first, in the
  /// order of the source.
  ///
  ///     let titles = shelf.distinct()
  ///     shelf.append("Emma")
  ///     shelf.remove(at: 0)
  ///     print(titles.value)  // ["Dune", "It", "Emma"]
  ///
  /// *Events*: if the first of several equal elements is removed, it is deleted, and the next one
  /// is inserted at its own position. Changes of the other duplicates are not reported.
  ///
  /// *Complexity*: logarithmic, even if very many elements are equal.
  @inlinable
  public func distinct() -> LiveCollection<[Base.Element]> where Base.Element: Hashable {
    distinct { $0 }
  }

  /// Returns the live list of the first element for each key, in the order of the source.
  ///
  ///     let oneOfEachLength = shelf.distinct { $0.count }
  ///     print(oneOfEachLength.value)  // ["Emma", "It"]
  ///
  /// The closure runs once for each initial, inserted or updated element.
  ///
  /// *Events*: if the first element with a key is removed, it is deleted, and the next one is
  /// inserted at its own position. Changes of the other elements with that key are not reported.
  ///
  /// *Complexity*: logarithmic, even if very many elements have the same key.
  @inlinable
  public func distinct<Key: Hashable>(
    by key: @escaping (Base.Element) -> Key
  ) -> LiveCollection<[Base.Element]> {
    let start = value
    return LiveCollection(of: DistinctList(start, key), following: live, since: start)
  }
}

@usableFromInline
final class DistinctList<Element, Key: Hashable>: ListFollower {
  @usableFromInline let output: ListEditor<Element>
  @usableFromInline let key: (Element) -> Key
  @usableFromInline @exclusivity(unchecked) var handles: GroupedHandles<Key>
  /// For each element of the source 1 if it is in the output, otherwise 0.
  @usableFromInline @exclusivity(unchecked) var weights: WeightedList
  /// For each group the handle of the element that is in the output, or -1.
  @usableFromInline @exclusivity(unchecked) var shown: [Int32]
  /// The groups whose first element may have changed.
  @usableFromInline @exclusivity(unchecked) var touched: [Int32] = []
  /// The handles of elements that are in the output for a group that they have left.
  @usableFromInline @exclusivity(unchecked) var strays: [Int32] = []

  @inlinable
  init(_ list: SharedArray<Element>, _ key: @escaping (Element) -> Key) {
    self.key = key
    handles = GroupedHandles(list.lazy.map(key))
    shown = handles.groups.map { $0.first }
    weights = handles.firsts
    output = ListEditor(Self.included(list, weights))
  }

  @inlinable
  static func included(_ list: SharedArray<Element>, _ weights: WeightedList) -> SharedArray<
    Element
  > {
    SharedArray(zip(list, weights).lazy.filter { $0.1 == 1 }.map { $0.0 })
  }

  // MARK: - Edits

  // The first elements are determined after all edits of the source.

  @inlinable
  func follow(_ changes: ListChanges<Element>) {
    changes.replay(to: self)
    settle(on: changes.elements)
  }

  @inlinable
  func touch(_ group: Int32) {
    while shown.count <= group { shown.append(-1) }
    touched.append(group)
  }

  @inlinable
  func update(_ index: Int, to element: Element) {
    let handle = handles.list[index]
    let isShown = weights[index] == 1
    let old = handles.group(of: handle)
    let new = handles.number(of: key(element))
    if old == new {
      if isShown { output.update(weights.sum(before: index), to: element) }
      return
    }
    handles.move(handle, to: new)
    touch(old)
    touch(new)
    if isShown {
      shown[Int(old)] = -1
      strays.append(handle)
    }
  }

  @inlinable
  func remove(_ range: Range<Int>) {
    let start = weights.sum(before: range.lowerBound)
    let end = weights.sum(before: range.upperBound)
    weights.removeSubrange(range)
    if start < end { output.remove(start..<end) }
    for index in range.reversed() {
      let handle = handles.list[index]
      let group = handles.group(of: handle)
      if shown[Int(group)] == handle {
        shown[Int(group)] = -1
        touch(group)
      }
      handles.remove(handle)
    }
  }

  @inlinable
  func lift(_ index: Int) -> (handle: Int32, element: ListEditor<Element>.Lifted?) {
    let handle = handles.list[index]
    let place = weights.sum(before: index)
    let element = weights.remove(at: index) == 1 ? output.lift(place) : nil
    handles.lift(handle)
    return (handle, element)
  }

  @inlinable
  func insert(_ range: Range<Int>, of list: SharedArray<Element>) {
    weights.insert(repeating: 0, count: range.count, at: range.lowerBound)
    for index in range {
      let handle = handles.insert(key(list[index]), at: index)
      touch(handles.group(of: handle))
    }
  }

  @inlinable
  func drop(_ lifted: (handle: Int32, element: ListEditor<Element>.Lifted?), at index: Int) {
    handles.drop(lifted.handle, at: index)
    touch(handles.group(of: lifted.handle))
    if let element = lifted.element { output.drop(element, at: weights.sum(before: index)) }
    weights.insert(lifted.element == nil ? 0 : 1, at: index)
  }

  @inlinable
  func reset(to list: SharedArray<Element>) {
    handles = GroupedHandles(list.lazy.map(key))
    shown = handles.groups.map { $0.first }
    weights = handles.firsts
    output.reset(to: Self.included(list, weights))
  }

  // MARK: - First elements

  @inlinable
  func settle(on list: SharedArray<Element>) {
    for handle in strays {
      let group = handles.group(of: handle)
      guard handles.first(of: group) == handle else {
        hide(handle)
        continue
      }
      // The element is the first one of its new group and stays at its position.
      if shown[Int(group)] >= 0 { hide(shown[Int(group)]) }
      shown[Int(group)] = handle
      let index = handles.list.index(of: handle)
      output.update(weights.sum(before: index), to: list[index])
    }
    for group in touched {
      let first = handles.first(of: group) ?? -1
      let old = shown[Int(group)]
      if first != old {
        if old >= 0 { hide(old) }
        if first >= 0 { show(first, of: list) }
        shown[Int(group)] = first
      }
    }
    strays.removeAll(keepingCapacity: strays.count < 64)
    touched.removeAll(keepingCapacity: touched.count < 64)
    if handles.settle() { shown = [] }
  }

  @inlinable
  func hide(_ handle: Int32) {
    let index = handles.list.index(of: handle)
    output.remove(at: weights.sum(before: index))
    weights.set(0, at: index)
  }

  @inlinable
  func show(_ handle: Int32, of list: SharedArray<Element>) {
    let index = handles.list.index(of: handle)
    output.insert(list[index], at: weights.sum(before: index))
    weights.set(1, at: index)
  }
}
