import RunnelStreams

/// A list under change: it makes the edits, and knows what they come to.
///
/// Whoever changes a list, the owner of a property or an operator that follows one, does it here, one
/// edit after the other, each in terms of the list as it stands. That is why what comes out is sound.
public final class ListEditor<Element> {
  @usableFromInline typealias Run = RunList.Run

  @usableFromInline @exclusivity(unchecked) var list: SharedArray<Element>
  @usableFromInline @exclusivity(unchecked) var lone = SingleEdit.none
  /// The element of the lone edit, as it was before.
  @usableFromInline @exclusivity(unchecked) var loneElement: Element?
  /// What it was updated to.
  @usableFromInline @exclusivity(unchecked) var loneUpdate: Element?
  @usableFromInline @exclusivity(unchecked) var runs = RunList()
  @usableFromInline @exclusivity(unchecked) var oldCount = 0
  /// The old elements that are not there any more, until the end without those that were updated before.
  @usableFromInline @exclusivity(unchecked) var gone: [OldElement<Element>] = []
  /// What the old elements were that were updated, also if they have gone since.
  @usableFromInline @exclusivity(unchecked) var replaced: [OldElement<Element>] = []
  /// The elements of the fresh runs, if they came all at once and nothing has been done since.
  @usableFromInline @exclusivity(unchecked) var fresh: [Element]?
  /// Whether the next event is a reset: it has become another list.
  @exclusivity(unchecked) public var isReset = false
  /// How many elements and blocks are out now, to be put in again.
  @usableFromInline @exclusivity(unchecked) var liftedCount = 0

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
  @inlinable public var isTouched: Bool {
    if case .none = lone { return isReset || !runs.isUntouched }
    return true
  }

  // MARK: - Edits

  /// Whether an edit is the first one, before it is made. If not, there is a table of runs for it.
  @inlinable
  func isFirst() -> Bool {
    guard runs.isUntouched else {
      fresh = nil
      return false
    }
    guard case .none = lone else {
      begin()
      return false
    }
    oldCount = list.count
    return true
  }

  /// Goes over to the table of runs, with the edit that there was.
  @inlinable
  func begin() {
    fresh = nil
    guard runs.isUntouched else { return }
    let (edit, element) = (lone, loneElement.take())
    lone = .none
    loneUpdate = nil
    if case .none = edit { oldCount = list.count }
    runs.begin(count: oldCount)
    runs.make(edit)
    if let element { (gone, replaced) = edit.lost(element) }
  }

  @inlinable
  package func insert(_ element: Element, at index: Int) {
    let isFirst = isFirst()
    list.insert(element, at: index)
    if isFirst {
      lone = .insert(index)
      loneElement = element
    } else {
      runs.insert(Run(origin: Run.new, count: 1), at: index)
    }
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
    let isFirst = isFirst()
    swap(&other, &list[index])
    if isFirst {
      lone = .update(index)
      loneElement = other
      loneUpdate = element
      return
    }
    let (origin, wasUpdated) = runs.update(at: index)
    if origin >= 0 && !wasUpdated { replaced.append(OldElement(other, at: origin)) }
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
        for offset in 0..<run.count {
          replaced.append(OldElement(old[start + offset], at: run.origin + offset))
        }
      }
      runs.insert(run, at: range.lowerBound + start)
      start += run.count
    }
  }

  @inlinable
  @discardableResult
  package func remove(at index: Int) -> Element {
    let isFirst = isFirst()
    let element = list.remove(at: index)
    if isFirst {
      lone = .remove(index)
      loneElement = element
    } else {
      let run = runs.remove(at: index)
      depart(run) { element }
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
    var removed = list.part(range).makeIterator()
    list.removeSubrange(range)
    for run in runs.remove(range) { depart(run) { removed.next() } }
  }

  /// Notes what has gone: the elements that come next.
  ///
  /// An iterator of one element, handed on here, is more than the optimizer of Swift 6.3 can do for
  /// some elements.
  @inlinable
  func depart(_ run: Run, _ next: () -> Element?) {
    for offset in 0..<run.count {
      guard let element = next(), !run.isFresh else { continue }
      gone.append(OldElement(element, at: run.origin + offset))
    }
  }

  /// Takes out an element to put it in again with ``drop(_:at:)``.
  @inlinable
  package func lift(_ index: Int) -> Lifted {
    liftedCount += 1
    if case .update(index) = lone {
      lone = .lift(index, isUpdated: true)
      let run = Run(origin: index, count: 1, isUpdated: true, isMoved: true)
      return Lifted(run: run, element: list.remove(at: index))
    }
    if isFirst() {
      let element = list.remove(at: index)
      lone = .lift(index, isUpdated: false)
      loneElement = element
      return Lifted(run: Run(origin: index, count: 1, isMoved: true), element: element)
    }
    var run = runs.remove(at: index)
    run.isMoved = !run.isNew
    return Lifted(run: run, element: list.remove(at: index))
  }

  /// Notes that something that was taken out is put in again.
  @inlinable
  func noteReturn() {
    assert(isIncomplete, "What is put in again was not taken out.")
    liftedCount -= 1
  }

  @inlinable
  package func drop(_ lifted: Lifted, at index: Int) {
    noteReturn()
    list.insert(lifted.element, at: index)
    if case .lift(let source, let isUpdated) = lone {
      lone = .moved(from: source, to: index, isUpdated: isUpdated)
    } else {
      runs.insert(lifted.run, at: index)
    }
  }

  /// The same, but as something else: moved and updated.
  @inlinable
  package func drop(_ lifted: Lifted, as element: Element, at index: Int) {
    noteReturn()
    list.insert(element, at: index)
    if case .lift(let source, _) = lone {
      lone = .moved(from: source, to: index, isUpdated: true)
      loneUpdate = element
      return
    }
    var run = lifted.run
    if !run.isNew && !run.isUpdated {
      run.isUpdated = true
      replaced.append(OldElement(lifted.element, at: run.origin))
    }
    runs.insert(run, at: index)
  }

  @inlinable
  package func move(from source: Int, to destination: Int) {
    guard source != destination else {
      // An index out of range is one here too.
      _ = list[source]
      return
    }
    drop(lift(source), at: destination)
  }

  /// Makes it another list, of which nothing is said.
  @inlinable
  public func reset(to elements: SharedArray<Element>) {
    assert(!isIncomplete, "What was taken out is lost.")
    begin()
    list = elements
    isReset = true
    runs.begin(count: elements.count)
    gone = []
    replaced = []
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
    _ elements: SharedArray<Element>, origins: [Int32], isUpdated: (Int) -> Bool = { _ in false }
  ) {
    let sources = ListOrigins(origins: origins, oldCount: list.count)
    rebuild(elements, of: list, sources, isUpdated: isUpdated)
  }

  /// The same, where it has been found out what moves.
  @inlinable
  func rebuild(
    _ elements: SharedArray<Element>, of old: SharedArray<Element>, _ sources: ListOrigins,
    isUpdated: (Int) -> Bool
  ) {
    var nextMover = sources.moved.makeIterator()
    var mover = nextMover.next()
    var new = RunList.Builder()
    var updated: [OldElement<Element>] = []
    for (index, origin) in sources.origins.enumerated() {
      var run = Run(origin: Int(origin), count: 1)
      if origin >= 0 {
        if index == mover {
          run.isMoved = true
          mover = nextMover.next()
        }
        if isUpdated(index) {
          run.isUpdated = true
          updated.append(OldElement(old[Int(origin)], at: Int(origin)))
        }
      }
      new.append(run)
    }
    // Whoever was asked may have edited the list.
    guard !isTouched, list.isIdentical(to: old) else { return reset(to: elements) }
    begin()
    let stays = sources.stays
    for (index, element) in old.enumerated() where !stays[index] {
      gone.append(OldElement(element, at: index))
    }
    replaced = updated
    runs.begin(new.finish())
    list = elements
  }

  /// Makes it the list of those elements of another one for which `now` has a one, where it was that
  /// of those for which `before` has.
  ///
  /// *Complexity*: linear.
  @inlinable
  package func reselect(from all: SharedArray<Element>, before: PackedBits, now: PackedBits) {
    begin()
    // There may have been other edits.
    var known = runs.finish().makeIterator()
    var rest = Run(origin: Run.new, count: 0)
    func next() -> Run {
      if rest.count == 0, let run = known.next() { rest = run }
      return rest.removeFirst()
    }
    var selected = SharedArrayBuilder<Element>()
    var new = RunList.Builder()
    var index = 0
    all.forEachLeaf { elements in
      for element in elements {
        switch (before[index], now[index]) {
        case (true, true):
          new.append(next())
          selected.append(element)
        case (false, true):
          new.append(Run(origin: Run.new, count: 1))
          selected.append(element)
        case (true, false): depart(next()) { element }
        case (false, false): break
        }
        index += 1
      }
    }
    runs.begin(new.finish())
    list = selected.finish()
  }
}

// MARK: - The outcome

extension ListEditor: CollectionEditor {
  /// It can: it looks again after it has asked.
  @inlinable public static var canNest: Bool { true }

  /// Whether something was taken out that will be put in again.
  @inlinable var isIncomplete: Bool { liftedCount > 0 }

  /// What the edits since the last time come to.
  @inlinable
  public func finish() -> ListChanges<Element>? {
    assert(!isIncomplete, "What was taken out is not told of.")
    let fresh = fresh.take()
    if runs.isUntouched {
      let (edit, element, update) = (lone, loneElement.take(), loneUpdate.take())
      lone = .none
      guard let element else { return nil }
      if case .none = edit { return nil }
      return ListChanges(.lone(LoneChange(edit, of: list, element, update ?? element)))
    }
    return settle(runs.finish(), fresh)
  }

  /// Lets go of all edits: no table is sorted, and nothing is put together.
  @inlinable
  public func forget() {
    assert(!isIncomplete, "What was taken out is not told of.")
    isReset = false
    lone = .none
    // What goes for good goes last: its `deinit` may make an edit.
    let (element, update) = (loneElement.take(), loneUpdate.take())
    if !runs.isUntouched { forgetMany() }
    withExtendedLifetime((element, update)) {}
  }

  /// Apart, for most edits that nobody is told of are alone.
  @inlinable
  func forgetMany() {
    let lost = (gone, replaced, fresh.take())
    runs = RunList()
    gone = []
    replaced = []
    withExtendedLifetime(lost) {}
  }

  /// Traps where there are not as many elements as there were before a change.
  @inlinable
  func requireCount(of changes: ListChanges<Element>) {
    require(
      changes.oldCount == list.count,
      """
      A change of a list of \(changes.oldCount) elements cannot be made to one of \(list.count). \
      Apply changes in the order in which they were made, and their inverses the other way round.
      """)
  }

  /// Has an equal list in place of its own, to share with it. Nobody is told.
  @inlinable
  public func share(_ elements: SharedArray<Element>) { list = elements }

  @inlinable
  func settle(_ runs: Arrangement, _ fresh: [Element]?) -> ListChanges<Element>? {
    sortOut(runs)
    let changes = ManyChanges(list, of: runs, gone: gone, replaced: replaced, fresh: fresh)
    gone = []
    replaced = []
    return changes.extent > 0 ? ListChanges(.many(changes)) : nil
  }

  /// Puts what was lost in order, with what was updated and has gone among the latter.
  @inlinable
  func sortOut(_ runs: Arrangement) {
    replaced.sortUnlessAscending { $0.index }
    let updated = runs.reduce(0) { $1.isUpdated ? $0 + $1.count : $0 }
    if updated < replaced.count {
      var rest = runs.inOldOrder { $0.isUpdated }[...]
      replaced.removeAll { old in
        while let run = rest.first, run.origins.upperBound <= old.index { rest.removeFirst() }
        if let run = rest.first, run.origin <= old.index { return false }
        gone.append(old)
        return true
      }
    }
    gone.sortUnlessAscending { $0.index }
  }
}
