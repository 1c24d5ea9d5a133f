import RunnelStreams

extension ObservableList {
  /// Returns the live list of the elements that satisfy a predicate, in the order of the source.
  ///
  ///     let long = shelf.filter { $0.count > 3 }
  ///     print(long.value)  // ["Emma", "Dune"]
  ///
  /// Updating an element can insert it into, or remove it from, the result. The closure runs once
  /// for each initial, inserted or updated element.
  @inlinable
  public func filter(
    _ isIncluded: @escaping (Base.Element) -> Bool
  ) -> LiveCollection<[Base.Element]> {
    let start = value
    // Filtered here, where the optimizer can inline the closure.
    let divided = FilteredList.divide(start, isIncluded)
    return LiveCollection(of: FilteredList(divided, isIncluded), following: live, since: start)
  }

  /// Returns the live list of the elements that satisfy the latest predicate of a stream, in the
  /// order of the source. It is empty before the first predicate.
  ///
  ///     let search = Property("J")
  ///     let found = shelf.filter(by: search.map { text in { $0.hasPrefix(text) } })
  ///     search.value = "D"
  ///     print(found.value)  // ["Dune"]
  ///
  /// *Events*: a new predicate sends one event, which contains only the elements whose result
  /// differs. A predicate that arrives during a batch of the source, or before pending changes,
  /// waits for them.
  @inlinable
  public func filter(
    by predicates: any StreamConvertible<(Base.Element) -> Bool, Never>
  ) -> LiveCollection<[Base.Element]> {
    let predicates = predicates.stream
    let start = value
    let isIncluded: (Base.Element) -> Bool = { _ in false }
    let filtering = FilteredList(FilteredList.divide(start, isIncluded), isIncluded)
    let derived = LiveCollection<[Base.Element]>(filtering.output)
    derived.follow(live, since: start, by: predicates) {
      filtering.follow($0)
    } change: {
      filtering.change(to: $0, of: $1)
    }
    return derived
  }
}

@usableFromInline
final class FilteredList<Element>: ListFollower {
  @usableFromInline let output: ListEditor<Element>
  @usableFromInline @exclusivity(unchecked) var isIncluded: (Element) -> Bool
  /// For each element of the source, true when it is in the output.
  @usableFromInline @exclusivity(unchecked) var bits: BitList

  @inlinable
  init(
    _ divided: (bits: PackedBits, included: SharedArray<Element>),
    _ isIncluded: @escaping (Element) -> Bool
  ) {
    self.isIncluded = isIncluded
    bits = BitList(divided.bits)
    output = ListEditor(divided.included)
  }

  @inlinable
  static func divide(
    _ list: SharedArray<Element>, _ isIncluded: (Element) -> Bool
  ) -> (bits: PackedBits, included: SharedArray<Element>) {
    var bits = PackedBits(expecting: list.count)
    var included = SharedArrayBuilder<Element>(expecting: list.count)
    list.forEachLeaf { elements in
      bits.append(elements, where: isIncluded) { included.append(elements, $0, $1) }
    }
    return (bits, included.finish())
  }

  @inlinable
  func update(_ index: Int, to element: Element) {
    let (wasIn, place) = bits.find(index)
    let isIn = isIncluded(element)
    switch (wasIn, isIn) {
    case (true, true): return output.update(place, to: element)
    case (true, false): output.remove(at: place)
    case (false, true): output.insert(element, at: place)
    case (false, false): return
    }
    bits.set(isIn, at: index)
  }

  @inlinable
  func remove(_ range: Range<Int>) {
    let start = bits.ones(before: range.lowerBound)
    if range.count == 1 {
      if bits.remove(at: range.lowerBound) { output.remove(at: start) }
    } else {
      let end = bits.ones(before: range.upperBound)
      bits.removeSubrange(range)
      if start < end { output.remove(start..<end) }
    }
  }

  @inlinable
  func lift(_ index: Int) -> ListEditor<Element>.Lifted? {
    let place = bits.ones(before: index)
    return bits.remove(at: index) ? output.lift(place) : nil
  }

  @inlinable
  func insert(_ element: Element, at index: Int, of list: SharedArray<Element>) {
    let isIn = isIncluded(element)
    if isIn { output.insert(element, at: bits.ones(before: index)) }
    bits.insert(isIn, at: index)
  }

  @inlinable
  func insert(_ range: Range<Int>, of list: SharedArray<Element>) {
    if range.count == 1 {
      insert(list[range.lowerBound], at: range.lowerBound, of: list)
    } else {
      let place = bits.ones(before: range.lowerBound)
      let (new, included) = Self.divide(list.part(range), isIncluded)
      bits.insert(contentsOf: new, at: range.lowerBound)
      if !included.isEmpty { output.insert(contentsOf: included, at: place) }
    }
  }

  @inlinable
  func drop(_ lifted: ListEditor<Element>.Lifted?, at index: Int) {
    if let lifted { output.drop(lifted, at: bits.ones(before: index)) }
    bits.insert(lifted != nil, at: index)
  }

  @inlinable
  func reset(to list: SharedArray<Element>) {
    let (bits, included) = Self.divide(list, isIncluded)
    self.bits = BitList(bits)
    output.reset(to: included)
  }

  // MARK: - New predicate

  /// A few differences are edited one by one; otherwise all bits are visited.
  @inlinable
  func change(to isIncluded: @escaping (Element) -> Bool, of list: SharedArray<Element>) {
    self.isIncluded = isIncluded
    let before = bits.all
    var now = PackedBits(expecting: list.count)
    list.forEachLeaf { now.append($0, where: isIncluded) }
    let flips = now.differenceCount(from: before)
    guard flips <= 64 || flips <= list.count / 32 else {
      bits = BitList(now)
      return output.reselect(from: list, before: before, now: now)
    }
    for index in now.differences(from: before) {
      let place = bits.ones(before: index)
      let isIn = now[index]
      if isIn { output.insert(list[index], at: place) } else { output.remove(at: place) }
      bits.set(isIn, at: index)
    }
  }
}
