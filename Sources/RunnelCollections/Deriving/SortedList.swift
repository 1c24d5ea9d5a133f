import RunnelStreams

extension ObservableList {
  /// Returns the live sorted list of the elements. Equivalent elements keep the order of the
  /// source.
  ///
  ///     let longestFirst = shelf.sorted { $0.count > $1.count }
  ///     print(longestFirst.value)  // ["Emma", "Dune", "It"]
  ///
  /// An update that changes the rank of an element is reported as a move and an update. If the
  /// closure is not a strict weak ordering, the order is unspecified, but the changes are sound.
  @inlinable
  public func sorted(
    by areInIncreasingOrder: @escaping (Base.Element, Base.Element) -> Bool
  ) -> LiveCollection<[Base.Element]> {
    let start = value
    // Sorted here, where the optimizer can inline the closure.
    let items = SortedList.sortedItems(of: start, by: areInIncreasingOrder)
    return LiveCollection(
      of: SortedList(items, areInIncreasingOrder), following: live, since: start)
  }

  /// Returns the live list of the elements, sorted by the latest closure of a stream. Before the
  /// first closure it has the order of the source.
  ///
  ///     let isLongestFirst = Property(false)
  ///     let sorted = shelf.sorted(
  ///       by: isLongestFirst.map { isLongestFirst -> (String, String) -> Bool in
  ///         isLongestFirst ? { $0.count > $1.count } : { $0 < $1 }
  ///       })
  ///     print(sorted.value)  // ["Dune", "Emma", "It"]
  ///
  /// *Events*: a new order sends one event with a minimal number of moves.
  @inlinable
  public func sorted(
    by orders: any StreamConvertible<(Base.Element, Base.Element) -> Bool, Never>
  ) -> LiveCollection<[Base.Element]> {
    let start = value
    let precedes: (Base.Element, Base.Element) -> Bool = { _, _ in false }
    let sorting = SortedList(SortedList.sortedItems(of: start, by: precedes), precedes)
    let derived = LiveCollection<[Base.Element]>(sorting.output)
    derived.follow(live, since: start) { sorting.follow($0) }
    derived.follow(orders.stream) { sorting.change(to: $0) }
    return derived
  }

  /// Returns the live list of the elements in ascending order.
  @inlinable
  public func sorted() -> LiveCollection<[Base.Element]> where Base.Element: Comparable {
    sorted(by: <)
  }
}

@usableFromInline
final class SortedList<Element>: ListFollower {
  /// An element that has no rank yet.
  @usableFromInline
  struct Waiting {
    @usableFromInline let handle: Int32
    @usableFromInline let element: Element
    /// The lifted element, or nil if it is new.
    @usableFromInline let lifted: ListEditor<Element>.Lifted?
    @usableFromInline let isUpdated: Bool

    @inlinable
    init(
      handle: Int32, element: Element, lifted: ListEditor<Element>.Lifted? = nil,
      isUpdated: Bool = false
    ) {
      self.handle = handle
      self.element = element
      self.lifted = lifted
      self.isUpdated = isUpdated
    }
  }

  /// An element and its handle, adjacent in memory for sorting.
  @usableFromInline
  struct Item {
    @usableFromInline let element: Element
    @usableFromInline let handle: Int32

    @inlinable
    init(element: Element, handle: Int32) {
      self.element = element
      self.handle = handle
    }
  }

  @usableFromInline let output: ListEditor<Element>
  @usableFromInline @exclusivity(unchecked) var precedes: (Element, Element) -> Bool
  /// The handles in the order of the source.
  @usableFromInline @exclusivity(unchecked) var source = HandleList()
  /// The handles in the order of the output.
  @usableFromInline @exclusivity(unchecked) var ranks = HandleList()
  /// The handles in the order of the output, for a short list that has not changed yet; `source`
  /// and `ranks` are empty then. Many small lists never change.
  @usableFromInline @exclusivity(unchecked) var initial: ContiguousArray<Int32>?
  @usableFromInline @exclusivity(unchecked) var pool = HandlePool()
  @usableFromInline @exclusivity(unchecked) var waiting: [Waiting] = []
  /// The handles of elements that have moved in the source. They keep their rank unless they have
  /// equivalent neighbours.
  @usableFromInline @exclusivity(unchecked) var moved: [Int32] = []

  @inlinable
  init(_ items: [Item], _ precedes: @escaping (Element, Element) -> Bool) {
    self.precedes = precedes
    output = ListEditor(SharedArray(items.lazy.map { $0.element }))
    take(items)
  }

  /// Replaces the list by sorted items, whose handles are their indices in the source.
  @inlinable
  func take(_ items: [Item]) {
    source = HandleList()
    ranks = HandleList()
    pool = HandlePool(taken: items.count)
    initial = ContiguousArray(items.lazy.map { $0.handle })
    // For a long list, the first change would take too long.
    if items.count > 1_024 { prepare() }
  }

  /// Builds the lists of handles, if they do not exist yet.
  @inlinable
  func prepare() {
    guard let handles = initial.take() else { return }
    source = HandleList(count: handles.count) { Int32(truncatingIfNeeded: $0) }
    ranks = HandleList(packed: handles)
  }

  /// Returns the sorted items of a list. Handles are the indices in the list.
  @inlinable
  static func sortedItems(
    of list: SharedArray<Element>, by precedes: (Element, Element) -> Bool
  ) -> [Item] {
    var items: [Item] = []
    items.reserveCapacity(list.count)
    for element in list { items.append(Item(element: element, handle: Int32(items.count))) }
    items.mergeSort { precedes($0.element, $1.element) }
    return items
  }

  // MARK: - Edits

  // Changed elements are removed before any is inserted, so that the closure compares only current
  // elements.

  @inlinable
  func update(_ index: Int, to element: Element) {
    let handle = source[index]
    waiting.append(
      Waiting(handle: handle, element: element, lifted: lift(handle), isUpdated: true))
  }

  @inlinable
  func remove(_ range: Range<Int>) {
    for index in range.reversed() {
      let handle = source.remove(at: index)
      output.remove(at: ranks.remove(handle))
      pool.give(handle)
    }
  }

  @inlinable
  func lift(_ index: Int) -> Int32 {
    let handle = source.remove(at: index)
    if ranks.contains(handle) { moved.append(handle) }
    return handle
  }

  @inlinable
  func insert(_ element: Element, at index: Int, of list: SharedArray<Element>) {
    let handle = pool.take()
    source.insert(handle, at: index)
    waiting.append(Waiting(handle: handle, element: element))
  }

  @inlinable
  func insert(_ range: Range<Int>, of list: SharedArray<Element>) {
    for index in range { insert(list[index], at: index, of: list) }
  }

  @inlinable
  func drop(_ handle: Int32, at index: Int) { source.insert(handle, at: index) }

  @inlinable
  func settle() {
    while let handle = moved.popLast() {
      let rank = ranks.index(of: handle)
      var reader = LeafCursor(output.elements)
      guard !isAlone(reader.element(at: rank), at: rank, &reader) else { continue }
      let lifted = lift(handle)
      waiting.append(Waiting(handle: handle, element: lifted.element, lifted: lifted))
    }
    // Insert neighbours one after the other, so that a search finds most of its data in the cache.
    if waiting.count > 16 { waiting.mergeSort { precedes($0.element, $1.element) } }
    while let item = waiting.popLast() { place(item) }
    if waiting.capacity > 64 { waiting = [] }
    if moved.capacity > 64 { moved = [] }
  }

  @inlinable
  func reset(to list: SharedArray<Element>) {
    let items = Self.sortedItems(of: list, by: precedes)
    take(items)
    output.reset(to: SharedArray(items.lazy.map { $0.element }))
  }

  /// Returns true when no neighbour is equivalent to an element at a rank, so that its source
  /// position is irrelevant.
  @inlinable
  func isAlone(_ element: Element, at rank: Int, _ reader: inout LeafCursor<Element>) -> Bool {
    let precedes = precedes
    return (rank == 0 || precedes(reader.element(at: rank - 1), element))
      && (rank == reader.list.count - 1 || precedes(element, reader.element(at: rank + 1)))
  }

  @inlinable
  func lift(_ handle: Int32) -> ListEditor<Element>.Lifted {
    output.lift(ranks.remove(handle))
  }

  // MARK: - Places

  @inlinable
  func place(_ item: Waiting) {
    let index = rank(of: item)
    ranks.insert(item.handle, at: index)
    switch (item.lifted, item.isUpdated) {
    case (nil, _): output.insert(item.element, at: index)
    case (let lifted?, true): output.drop(lifted, as: item.element, at: index)
    case (let lifted?, false): output.drop(lifted, at: index)
    }
  }

  @inlinable
  func rank(of item: Waiting) -> Int {
    let (element, precedes) = (item.element, precedes)
    let elements = output.elements
    let (low, next) = elements.partition { !precedes($0, element) }
    guard let next, !precedes(element, next) else { return low }
    // Equivalent elements are in source order.
    let high = elements.partitioningIndex { precedes(element, $0) }
    let position = source.position(of: item.handle)
    return (low..<max(low, high)).partitioningIndex {
      !source.isHandle(ranks[$0], before: position)
    }
  }

  // MARK: - Bulk edits

  @inlinable
  func follow(_ changes: ListChanges<Element>) {
    prepare()
    changes.replay(to: self)
    if pool.canBeDiscarded { take([]) }
  }

  @inlinable
  func change(to precedes: @escaping (Element, Element) -> Bool) {
    self.precedes = precedes
    prepare()
    var elements = [Element?](repeating: nil, count: Int(pool.count))
    for (handle, element) in zip(ranks, output.elements) { elements[Int(handle)] = element }
    sort(
      source.compactMap { handle in
        elements[Int(handle)].map { Item(element: $0, handle: handle) }
      })
  }

  /// Sorts items that are in the order of the source.
  @inlinable
  func sort(_ items: consuming [Item]) {
    var items = items
    var oldRanks = [Int32](repeating: -1, count: Int(pool.count))
    for (rank, handle) in ranks.enumerated() { oldRanks[Int(handle)] = Int32(rank) }
    items.mergeSort { precedes($0.element, $1.element) }
    ranks = HandleList(count: items.count) { items[$0].handle }
    let elements = SharedArray(items.lazy.map { $0.element })
    let origins = items.map { oldRanks[Int($0.handle)] }
    output.replaceList { $0.rebuild(elements, origins: origins) }
  }
}
