import RunnelStreams

extension ObservableList {
  /// The elements of which something holds, in the same order.
  ///
  ///     let long = shelf.filter { $0.count > 3 }
  ///     print(long.value)  // ["Emma", "Dune"]
  ///
  /// An update may make an element come or go. The closure runs once for each element that is
  /// there, inserted or updated.
  @inlinable
  public func filter(
    _ isIncluded: @escaping (Base.Element) -> Bool
  ) -> LiveCollection<[Base.Element]> {
    live.publish()
    return LiveCollection(of: Filtering(value, isIncluded), following: live)
  }

  /// The elements of which the latest predicate of a stream holds, in the same order; none before
  /// the first predicate has come.
  ///
  ///     let search = Property("J")
  ///     let found = shelf.filter(by: search.map { text in { $0.hasPrefix(text) } })
  ///     search.value = "D"
  ///     print(found.value)  // ["Dune"]
  ///
  /// *Events*: a new predicate is one event, of those elements alone for which it makes a difference.
  @inlinable
  public func filter(
    by predicates: some StreamConvertible<(Base.Element) -> Bool, Never>
  ) -> LiveCollection<[Base.Element]> {
    live.publish()
    let filtering = Filtering(value) { _ in false }
    let derived = LiveCollection<[Base.Element]>(filtering.output)
    // A predicate may come while changes of the source wait: what the filter knows of it is kept.
    var known = value
    derived.follow(live) {
      known = $0.collection
      filtering.follow($0)
    }
    derived.follow(predicates.stream) { filtering.change(to: $0, of: known) }
    return derived
  }
}

@usableFromInline
final class Filtering<Element>: ListFollower {
  @usableFromInline let output: ListEditor<Element>
  @usableFromInline @exclusivity(unchecked) var isIncluded: (Element) -> Bool
  /// For each element of the source 1 if it is in the output, else 0.
  @usableFromInline @exclusivity(unchecked) var weights: WeightedList
  @usableFromInline @exclusivity(unchecked) var hand = Hand<ListEditor<Element>.Lifted>()

  @inlinable
  init(_ list: SharedArray<Element>, _ isIncluded: @escaping (Element) -> Bool) {
    self.isIncluded = isIncluded
    let (bits, included) = Self.divide(list, isIncluded)
    weights = WeightedList(bits)
    output = ListEditor(SharedArray(included))
  }

  @inlinable
  static func divide(
    _ elements: some Collection<Element>, _ isIncluded: (Element) -> Bool
  ) -> (bits: [Int], included: [Element]) {
    var bits: [Int] = []
    bits.reserveCapacity(elements.count)
    var included: [Element] = []
    for element in elements {
      let isIn = isIncluded(element)
      bits.append(isIn ? 1 : 0)
      if isIn { included.append(element) }
    }
    return (bits, included)
  }

  @inlinable
  func update(_ index: Int, to element: Element) {
    let place = weights.sum(before: index)
    let isIn = isIncluded(element)
    switch (weights[index] == 1, isIn) {
    case (true, true): return output.update(place, to: element)
    case (true, false): output.remove(at: place)
    case (false, true): output.insert(element, at: place)
    case (false, false): return
    }
    weights.set(isIn ? 1 : 0, at: index)
  }

  @inlinable
  func remove(_ range: Range<Int>) {
    let start = weights.sum(before: range.lowerBound)
    if range.count == 1 {
      if weights.remove(at: range.lowerBound) == 1 { output.remove(at: start) }
    } else {
      let end = weights.sum(before: range.upperBound)
      weights.removeSubrange(range)
      if start < end { output.remove(start..<end) }
    }
  }

  @inlinable
  func lift(_ index: Int, number: Int) {
    let place = weights.sum(before: index)
    if weights.remove(at: index) == 1 { hand.put(output.lift(place), number: number) }
  }

  @inlinable
  func insert(_ range: Range<Int>, of list: SharedArray<Element>) {
    let place = weights.sum(before: range.lowerBound)
    if range.count == 1 {
      let element = list[range.lowerBound]
      let isIn = isIncluded(element)
      weights.insert(isIn ? 1 : 0, at: range.lowerBound)
      if isIn { output.insert(element, at: place) }
    } else {
      let (bits, included) = Self.divide(list[range], isIncluded)
      weights.insert(contentsOf: bits, at: range.lowerBound)
      if !included.isEmpty { output.insert(contentsOf: included, at: place) }
    }
  }

  @inlinable
  func drop(number: Int, at index: Int) {
    let lifted = hand.take(number: number)
    if let lifted { output.drop(lifted, at: weights.sum(before: index)) }
    weights.insert(lifted == nil ? 0 : 1, at: index)
  }

  @inlinable
  func reset(to list: SharedArray<Element>) {
    let (bits, included) = Self.divide(list, isIncluded)
    weights = WeightedList(bits)
    output.reset(to: SharedArray(included))
  }

  // MARK: - Another predicate

  /// Where few elements come or go, one after the other; else all are gone through.
  @inlinable
  func change(to isIncluded: @escaping (Element) -> Bool, of list: SharedArray<Element>) {
    self.isIncluded = isIncluded
    var flips: [(index: Int, element: Element)] = []
    var bits: [Int] = []
    bits.reserveCapacity(list.count)
    var was = weights.makeIterator()
    for element in list {
      let isIn = isIncluded(element) ? 1 : 0
      if was.next() != isIn { flips.append((bits.count, element)) }
      bits.append(isIn)
    }
    if flips.count > 64 && flips.count > list.count / 32 { return rebuild(list, bits) }
    for (index, element) in flips {
      let place = weights.sum(before: index)
      if bits[index] == 1 { output.insert(element, at: place) } else { output.remove(at: place) }
      weights.set(bits[index], at: index)
    }
  }

  @inlinable
  func rebuild(_ list: SharedArray<Element>, _ bits: [Int]) {
    var included: [Element] = []
    var origins: [Int32] = []
    var origin: Int32 = 0
    var was = weights.makeIterator()
    for (element, bit) in zip(list, bits) {
      let wasIn = was.next() == 1
      if bit == 1 {
        included.append(element)
        origins.append(wasIn ? origin : -1)
      }
      if wasIn { origin += 1 }
    }
    weights = WeightedList(bits)
    output.rebuild(SharedArray(included), origins: origins)
  }
}
