/// A list under change: it makes the edits, and knows what they come to.
///
/// Whoever changes a list, the owner of a property or an operator that follows one, does it here, one
/// edit after the other, each in terms of the list as it stands. That is why what comes out is sound.
public final class ListEditor<Element> {
  @usableFromInline typealias Run = RunList.Run

  @usableFromInline @exclusivity(unchecked) var list: SharedArray<Element>
  @usableFromInline @exclusivity(unchecked) var lone = LoneEdit<Element>.none
  @usableFromInline @exclusivity(unchecked) var runs = RunList()
  @usableFromInline @exclusivity(unchecked) var oldCount = 0
  /// The old elements that are not there any more, in the order in which they went.
  @usableFromInline @exclusivity(unchecked) var gone: [Departed] = []
  /// The old elements that were updated, by old index.
  @usableFromInline @exclusivity(unchecked) var replaced = Replaced<Element>()
  /// Whether it has become another list since the last time.
  @exclusivity(unchecked) public var isReset = false

  /// Old elements side by side.
  @usableFromInline
  struct Departed {
    @usableFromInline let origin: Int
    @usableFromInline let elements: [Element]

    @inlinable
    init(origin: Int, elements: [Element]) {
      self.origin = origin
      self.elements = elements
    }
  }

  /// An element that was taken out to be put in again elsewhere.
  @usableFromInline
  package struct Lifted {
    @usableFromInline let run: Run
    @usableFromInline package var element: Element

    @inlinable
    init(run: Run, element: Element) {
      self.run = run
      self.element = element
    }
  }

  /// An editor of a list to which nothing has happened yet.
  @inlinable
  public init(_ elements: SharedArray<Element>) {
    list = elements
  }

  /// The list as it stands.
  @inlinable
  public var elements: SharedArray<Element> { list }

  /// Whether there are edits that nobody was told of.
  @inlinable var isTouched: Bool {
    if case .none = lone { return isReset || !runs.isUntouched }
    return true
  }

  // MARK: - Edits

  /// Whether nothing has happened to it since the last time.
  @inlinable
  var isUntouched: Bool {
    if case .none = lone { runs.isUntouched } else { false }
  }

  /// Notes an edit that is the first one, before it is made; false if it is not.
  @inlinable
  func isLone(_ edit: @autoclosure () -> LoneEdit<Element>) -> Bool {
    guard runs.isUntouched else { return false }
    guard case .none = lone else {
      begin()
      return false
    }
    oldCount = list.count
    lone = edit()
    return true
  }

  /// Goes over to the table of runs, with the edit that there was.
  @inlinable
  func begin() {
    guard runs.isUntouched else { return }
    let edit = lone
    lone = .none
    if case .none = edit { oldCount = list.count }
    runs.begin(count: oldCount)
    switch edit {
    case .none: break
    case .insert(let index): runs.insert(Run(origin: Run.new, count: 1), at: index)
    case .remove(let index, let old): depart(runs.remove(at: index), [old])
    case .lift(let index): _ = runs.remove(at: index)
    case .update(let index, let old):
      _ = runs.update(at: index)
      replaced[index] = old
    case .move(let source, let destination, let old):
      var run = runs.remove(at: source)
      run.isMoved = true
      run.isUpdated = old != nil
      replaced[source] = old
      runs.insert(run, at: destination)
    }
  }

  @inlinable
  package func insert(_ element: Element, at index: Int) {
    let isLone = isLone(.insert(index))
    list.insert(element, at: index)
    if !isLone { runs.insert(Run(origin: Run.new, count: 1), at: index) }
  }

  @inlinable
  package func insert(contentsOf new: some Collection<Element>, at index: Int) {
    let count = new.count
    guard count != 1 else { return new.forEach { insert($0, at: index) } }
    begin()
    list.insert(contentsOf: new, at: index)
    if count > 0 { runs.insert(Run(origin: Run.new, count: count), at: index) }
  }

  @inlinable
  package func update(_ index: Int, to element: Element) {
    var other = element
    let isLone = isLone(.none)
    swap(&other, &list[index])
    if isLone {
      lone = .update(index, old: other)
      return
    }
    let (origin, wasUpdated) = runs.update(at: index)
    if origin >= 0 && !wasUpdated { replaced[origin] = other }
  }

  /// Updates neighbours, each to one of as many elements.
  @inlinable
  package func update(_ range: Range<Int>, to new: [Element]) {
    guard range.count != 1 else { return update(range.lowerBound, to: new[0]) }
    begin()
    let old = Array(list[range])
    list.replaceSubrange(range, with: new)
    var start = 0
    for var run in runs.remove(range) {
      if !run.isNew && !run.isUpdated {
        run.isUpdated = true
        replaced.add(old[start..<start + run.count], from: run.origin)
      }
      runs.insert(run, at: range.lowerBound + start)
      start += run.count
    }
  }

  @inlinable
  @discardableResult
  package func remove(at index: Int) -> Element {
    let isLone = isLone(.none)
    let element = list.remove(at: index)
    if isLone {
      lone = .remove(index, old: element)
    } else {
      depart(runs.remove(at: index), [element])
    }
    return element
  }

  @inlinable
  package func remove(_ range: Range<Int>) {
    guard range.count != 1 else {
      remove(at: range.lowerBound)
      return
    }
    begin()
    let removed = Array(list[range])
    list.removeSubrange(range)
    var start = 0
    for run in runs.remove(range) {
      if !run.isNew { depart(run, Array(removed[start..<start + run.count])) }
      start += run.count
    }
  }

  /// Notes what has gone; an updated element as it was before.
  @inlinable
  func depart(_ run: Run, _ elements: [Element]) {
    guard !run.isNew else { return }
    guard run.isUpdated else {
      return gone.append(Departed(origin: run.origin, elements: elements))
    }
    let origins = run.origin..<(run.origin + run.count)
    let old = origins.compactMap { replaced[$0] }
    gone.append(Departed(origin: run.origin, elements: old))
  }

  /// Takes out an element to put it in again with ``drop(_:at:)``.
  @inlinable
  package func lift(_ index: Int) -> Lifted {
    if isLone(.lift(index)) {
      let run = Run(origin: index, count: 1, isMoved: true)
      return Lifted(run: run, element: list.remove(at: index))
    }
    var run = runs.remove(at: index)
    run.isMoved = !run.isNew
    return Lifted(run: run, element: list.remove(at: index))
  }

  @inlinable
  package func drop(_ lifted: Lifted, at index: Int) {
    list.insert(lifted.element, at: index)
    if case .lift(let source) = lone {
      lone = source == index ? .none : .move(from: source, to: index, old: nil)
    } else {
      runs.insert(lifted.run, at: index)
    }
  }

  /// The same, but as something else: moved and updated.
  @inlinable
  package func drop(_ lifted: Lifted, as element: Element, at index: Int) {
    list.insert(element, at: index)
    if case .lift(let source) = lone {
      let old = lifted.element
      lone =
        source == index
        ? .update(index, old: old) : .move(from: source, to: index, old: old)
      return
    }
    var run = lifted.run
    if !run.isNew && !run.isUpdated {
      run.isUpdated = true
      replaced[run.origin] = lifted.element
    }
    runs.insert(run, at: index)
  }

  @inlinable
  package func move(from source: Int, to destination: Int) {
    guard source != destination else { return }
    drop(lift(source), at: destination)
  }

  /// Makes it another list, of which nothing is said.
  @inlinable
  public func reset(to elements: SharedArray<Element>) {
    begin()
    list = elements
    isReset = true
    runs.begin(count: elements.count)
    gone = []
    replaced = Replaced()
  }
}

// MARK: - All at once

extension ListEditor {
  /// Makes it another list, of which it is known where each element comes from: the old index, or
  /// less than 0 for what is new. No old index may be there twice. Before any other edit.
  ///
  /// *Complexity*: linear, but for elements that have changed their order.
  @inlinable
  package func rebuild(
    _ new: SharedArray<Element>, origins: [Int32], isUpdated: (Int) -> Bool = { _ in false }
  ) {
    rebuild(new, ListOrigins(origins: origins, oldCount: list.count), isUpdated: isUpdated)
  }

  /// The same, where it has been found out what moves.
  @inlinable
  func rebuild(
    _ new: SharedArray<Element>, _ sources: ListOrigins, isUpdated: (Int) -> Bool
  ) {
    let old = list
    begin()
    let stays = sources.stays
    noteDepartures(of: old) { !stays[$0] }
    runs.begin(count: 0)
    var nextMover = sources.moved.makeIterator()
    var mover = nextMover.next()
    for (index, origin) in sources.origins.enumerated() {
      var run = Run(origin: Int(origin), count: 1)
      if origin >= 0 {
        if index == mover {
          run.isMoved = true
          mover = nextMover.next()
        }
        if isUpdated(index) {
          run.isUpdated = true
          replaced[Int(origin)] = old[Int(origin)]
        }
      }
      runs.append(run)
    }
    list = new
  }

  @inlinable
  func noteDepartures(of old: SharedArray<Element>, where isGone: (Int) -> Bool) {
    var departed: [Element] = []
    for (index, element) in old.enumerated() {
      if isGone(index) {
        departed.append(element)
      } else if !departed.isEmpty {
        gone.append(Departed(origin: index - departed.count, elements: departed))
        departed = []
      }
    }
    if !departed.isEmpty {
      gone.append(Departed(origin: old.count - departed.count, elements: departed))
    }
  }
}

// MARK: - The outcome

extension ListEditor: CollectionEditor {
  /// What the edits since the last time come to.
  @inlinable
  public func finish() -> ListChanges<Element>? {
    if runs.isUntouched {
      let edit = lone
      lone = .none
      return edit.changes(of: list)
    }
    let runs = runs.settled()
    let (gone, replaced) = (gone, replaced)
    self.runs = RunList()
    if !gone.isEmpty { self.gone = [] }
    if !replaced.isEmpty { self.replaced = Replaced() }
    return changes(runs, gone, replaced)
  }

  @inlinable
  func changes(
    _ runs: [Run], _ gone: [Departed], _ replaced: Replaced<Element>
  ) -> ListChanges<Element>? {
    var inserts = IndexRuns()
    var moves: [ListMove] = []
    var updated: [(origins: Range<Int>, place: Int)] = []
    var index = 0
    for run in runs {
      if run.isNew { inserts.append(index..<index + run.count) }
      if run.isMoved {
        for offset in 0..<run.count {
          moves.append(ListMove(from: run.origin + offset, to: index + offset))
        }
      }
      if run.isUpdated { updated.append((run.origin..<run.origin + run.count, index)) }
      index += run.count
    }
    guard !inserts.isEmpty || !moves.isEmpty || !updated.isEmpty || !gone.isEmpty else {
      return nil
    }
    if !moves.isEmpty { updated.sort { $0.origins.lowerBound < $1.origins.lowerBound } }
    var deletes = IndexRuns()
    var deleted: [Element] = []
    for departed in gone.count > 1 ? gone.sorted(by: { $0.origin < $1.origin }) : gone {
      deletes.append(departed.origin..<departed.origin + departed.elements.count)
      deleted += departed.elements
    }
    var updates = IndexRuns()
    var places: [Int] = []
    var former: [Element] = []
    for (origins, place) in updated {
      updates.append(origins)
      places += place..<place + origins.count
      replaced.append(origins, to: &former)
    }
    return ListChanges(
      inserts: inserts, updates: updates, deletes: deletes, moves: moves, elements: list,
      updatedPlaces: places, replaced: former, deleted: deleted)
  }
}
