extension ObservableList {
  /// Returns the inner join with another list: a live list of the pairs of elements with equal keys.
  ///
  ///     let authors = CollectionProperty([("Emma", "Austen"), ("Dune", "Herbert")])
  ///     let written = shelf.joined(with: authors, on: { $0 }, equals: { $0.0 })
  ///     print(written.value.map { "\($0) by \($1.1)" })  // ["Emma by Austen", "Dune by Herbert"]
  ///
  /// The pairs are in the order of this list, and pairs with the same element in the order of the
  /// other list. Each closure runs once for each initial, inserted or updated element.
  ///
  /// *Events*: one for each event of a list that changes pairs. An update that keeps the key of an
  /// element updates its pairs. An update of the key deletes them and inserts others.
  ///
  /// *Complexity*: logarithmic for each changed element and each changed pair, also at a reset.
  @inlinable
  public func joined<Other: ObservableList, Key: Hashable>(
    with other: Other, on key: @escaping (Base.Element) -> Key,
    equals otherKey: @escaping (Other.Base.Element) -> Key
  ) -> LiveCollection<[(Base.Element, Other.Base.Element)]> {
    let (start, otherStart) = (value, other.value)
    let pairs = JoinedPairs<Base.Element, Other.Base.Element, Key>()
    let left = JoinedList(pairs, key, isRight: false) { ($0, nil) }
    let right = JoinedList(pairs, otherKey, isRight: true) { (nil, $0) }
    left.reset(to: start)
    right.reset(to: otherStart)
    pairs.output.forget()
    let derived = LiveCollection<[(Base.Element, Other.Base.Element)]>(pairs.output)
    derived.follow(live, since: start) { left.follow($0) }
    derived.follow(other.live, since: otherStart) { right.follow($0) }
    return derived
  }
}

/// The pairs of elements of two lists with the same key.
@usableFromInline final class JoinedPairs<Left, Right, Key: Hashable> {
  @usableFromInline let output = ListEditor(SharedArray<(Left, Right)>())
  /// The left elements, followed by the right ones. So each group begins with its left elements.
  @usableFromInline @exclusivity(unchecked) var handles = GroupedHandles<Key>([])
  /// For each handle its left or right element. A stored list would make each of its changes copy.
  @usableFromInline @exclusivity(unchecked) var elements: [(left: Left?, right: Right?)] = []
  /// The number of pairs of each left element, and 0 for each right one.
  @usableFromInline @exclusivity(unchecked) var lengths = WeightedList()
  @inlinable init() {}

  /// Passes each pair of an element and its place to an edit that adds a step to the number of pairs.
  /// Pairs are removed from the end, so that the others keep their places.
  @inlinable func edit(_ handle: Int32, by step: Int, _ body: ((Left, Right), Int) -> Void) {
    let (one, isRight) = (elements[Int(handle)], elements[Int(handle)].right != nil)
    let group = handles.range(of: handles.group(of: handle))
    let middle = group.partitioningIndex { elements[Int(handles.members[$0])].right != nil }
    let rank = handles.rank(of: handle) + group.lowerBound - middle
    let others = Array(isRight ? group.lowerBound..<middle : middle..<group.upperBound)
    for place in step < 0 ? others.reversed() : others {
      let (member, two) = (handles.members[place], elements[Int(handles.members[place])])
      guard let left = one.left ?? two.left, let right = one.right ?? two.right else { continue }
      let index = handles.list.index(of: isRight ? member : handle)
      body((left, right), lengths.sum(before: index) + (isRight ? rank : place - middle))
      lengths.set(lengths[index] + step, at: index)
    }
  }
}

/// The follower of the left or right list of a join.
@usableFromInline final class JoinedList<Element, Left, Right, Key: Hashable>: ListFollower {
  @usableFromInline typealias Lifted = (handle: Int32, pairs: [ListEditor<(Left, Right)>.Lifted])
  @usableFromInline let pairs: JoinedPairs<Left, Right, Key>
  @usableFromInline let key: (Element) -> Key
  @usableFromInline let isRight: Bool
  @usableFromInline let half: (Element) -> (left: Left?, right: Right?)
  @inlinable init(
    _ pairs: JoinedPairs<Left, Right, Key>, _ key: @escaping (Element) -> Key, isRight: Bool,
    _ half: @escaping (Element) -> (left: Left?, right: Right?)
  ) {
    (self.pairs, self.key, self.isRight, self.half) = (pairs, key, isRight, half)
  }

  @inlinable var output: ListEditor<(Left, Right)> { pairs.output }

  /// The range of the elements of this list in the handles.
  @inlinable var range: Range<Int> {
    let all = 0..<pairs.lengths.count
    let middle = all.partitioningIndex { pairs.elements[Int(pairs.handles.list[$0])].right != nil }
    return isRight ? middle..<all.upperBound : 0..<middle
  }

  @inlinable func update(_ index: Int, to element: Element) {
    let handle = pairs.handles.list[range.lowerBound + index]
    let new = pairs.handles.number(of: key(element))
    let keepsKey = pairs.handles.group(of: handle) == new
    if !keepsKey {
      pairs.edit(handle, by: -1) { output.remove(at: $1) }
      pairs.handles.move(handle, to: new)
    }
    var old = half(element)
    swap(&old, &pairs.elements[Int(handle)])
    pairs.edit(handle, by: keepsKey ? 0 : 1) {
      if keepsKey { output.update($1, to: $0) } else { output.insert($0, at: $1) }
    }
    withExtendedLifetime(old) {}  // Its `deinit` may make an edit.
  }

  @inlinable func remove(_ removed: Range<Int>) {
    let start = range.lowerBound
    for index in removed.reversed() {
      let handle = pairs.handles.list[start + index]
      pairs.edit(handle, by: -1) { output.remove(at: $1) }
      pairs.handles.remove(handle)
      pairs.lengths.remove(at: start + index)
      var old: (left: Left?, right: Right?) = (nil, nil)
      swap(&old, &pairs.elements[Int(handle)])
    }
  }

  @inlinable func lift(_ index: Int) -> Lifted {
    let index = range.lowerBound + index
    var lifted: Lifted = (pairs.handles.list[index], [])
    pairs.edit(lifted.handle, by: -1) { lifted.pairs.append(output.lift($1)) }
    pairs.handles.lift(lifted.handle)
    pairs.lengths.remove(at: index)
    return lifted
  }

  @inlinable func insert(_ range: Range<Int>, of list: SharedArray<Element>) {
    let start = self.range.lowerBound
    for index in range {
      let handle = pairs.handles.insert(key(list[index]), at: start + index)
      while pairs.elements.count <= handle { pairs.elements.append((nil, nil)) }
      pairs.elements[Int(handle)] = half(list[index])
      pairs.lengths.insert(0, at: start + index)
      pairs.edit(handle, by: 1) { output.insert($0, at: $1) }
    }
  }

  @inlinable func drop(_ lifted: Lifted, at index: Int) {
    let index = range.lowerBound + index
    var rest = lifted.pairs
    pairs.handles.drop(lifted.handle, at: index)
    pairs.lengths.insert(0, at: index)
    pairs.edit(lifted.handle, by: 1) { if let pair = rest.popLast() { output.drop(pair, at: $1) } }
  }

  @inlinable func settle() { if pairs.handles.settle() { pairs.elements = [] } }

  @inlinable func reset(to list: SharedArray<Element>) {
    remove(0..<range.count)
    insert(0..<list.count, of: list)
    settle()
    output.reset(to: output.elements)
  }
}
