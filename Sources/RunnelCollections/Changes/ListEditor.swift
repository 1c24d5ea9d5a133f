import RunnelStreams

/// A list with a record of its changes since the last event.
///
/// Every change of a list passes through an editor: those of a property's owner and those of
/// operators. Edits are made one after the other, each in terms of the current list. This makes
/// every changeset sound by construction. The record has three states:
///
///     none ── first edit ──▶ single ── another edit ──▶ runs
///     none ── bulk edit, reset(to:) ──▶ runs
///     single ── the lifted element is dropped in its place ──▶ none
///     single, runs ── finish(), forget() ──▶ none
public final class ListEditor<Element> {
  @usableFromInline typealias Run = RunList.Run

  @usableFromInline @exclusivity(unchecked) var list: SharedArray<Element>
  /// The only edit; nil if there is none, or if `runs` has the edits.
  @usableFromInline @exclusivity(unchecked) var single: OnlyEdit?
  @usableFromInline @exclusivity(unchecked) var runs = RunList()
  @usableFromInline @exclusivity(unchecked) var oldCount = 0
  /// The old elements that were removed. Until ``finish()`` those that were updated first are not
  /// included.
  @usableFromInline @exclusivity(unchecked) var gone: [OldElement<Element>] = []
  /// The old values of the updated elements, including those that were removed later.
  @usableFromInline @exclusivity(unchecked) var replaced: [OldElement<Element>] = []
  /// True when the next event is a reset, because the list was replaced.
  @exclusivity(unchecked) public var isReset = false
  /// The number of lifted elements and blocks that were not dropped yet.
  @usableFromInline @exclusivity(unchecked) var liftedCount = 0

  @usableFromInline
  struct OnlyEdit {
    @usableFromInline var edit: SingleEdit
    /// The inserted element, or else the old one.
    @usableFromInline let element: Element
    /// The new element, if the edit is an update.
    @usableFromInline var update: Element?

    @inlinable
    init(_ edit: SingleEdit, _ element: Element, update: Element? = nil) {
      self.edit = edit
      self.element = element
      self.update = update
    }
  }

  /// An element that was lifted, to be dropped at another index.
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

  /// Creates an editor of a list, without changes.
  @inlinable
  public init(_ elements: SharedArray<Element>) {
    list = elements
  }

  /// The current list.
  @inlinable
  public var elements: SharedArray<Element> { list }

  /// True when there are edits that were not delivered yet.
  @inlinable public var isTouched: Bool { single != nil || isReset || !runs.isUntouched }

  // MARK: - Edits

  /// Returns true before the first edit. Otherwise it makes sure that the table of runs exists.
  @inlinable
  func isFirst() -> Bool {
    guard runs.isUntouched else { return false }
    guard single == nil else {
      begin()
      return false
    }
    oldCount = list.count
    return true
  }

  /// Creates the table of runs and adds the single edit to it.
  @inlinable
  func begin() {
    guard runs.isUntouched else { return }
    let first = single.take()
    if first == nil { oldCount = list.count }
    runs.begin(count: oldCount)
    guard let first else { return }
    runs.make(first.edit)
    (gone, replaced) = first.edit.lost(first.element)
  }

  @inlinable
  package func insert(_ element: Element, at index: Int) {
    let isFirst = isFirst()
    list.insert(element, at: index)
    if isFirst {
      single = OnlyEdit(.insert(index), element)
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
    if isFirst { return single = OnlyEdit(.update(index), other, update: element) }
    let (origin, wasUpdated) = runs.update(at: index)
    if origin >= 0 && !wasUpdated { replaced.append(OldElement(other, at: origin)) }
  }

  /// Updates a range of elements to as many new ones.
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
      single = OnlyEdit(.remove(index), element)
    } else {
      let run = runs.remove(at: index)
      recordRemoval(run) { element }
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
    for run in runs.remove(range) { recordRemoval(run) { removed.next() } }
  }

  /// Records the removal of a run, whose elements `next` returns.
  ///
  /// The closure replaces a generic iterator, which the optimizer of Swift 6.3 does not specialise
  /// for some element types.
  @inlinable
  func recordRemoval(_ run: Run, _ next: () -> Element?) {
    for offset in 0..<run.count {
      guard let element = next(), !run.isFresh else { continue }
      gone.append(OldElement(element, at: run.origin + offset))
    }
  }

  /// Removes an element, to be inserted again with ``drop(_:at:)``.
  @inlinable
  package func lift(_ index: Int) -> Lifted {
    liftedCount += 1
    if case .update(index)? = single?.edit {
      single?.edit = .lift(index, isUpdated: true)
      let run = Run(origin: index, count: 1, isUpdated: true, isMoved: true)
      return Lifted(run: run, element: list.remove(at: index))
    }
    if isFirst() {
      let element = list.remove(at: index)
      single = OnlyEdit(.lift(index, isUpdated: false), element)
      return Lifted(run: Run(origin: index, count: 1, isMoved: true), element: element)
    }
    var run = runs.remove(at: index)
    run.isMoved = !run.isNew
    return Lifted(run: run, element: list.remove(at: index))
  }

  /// Counts a lifted element or block as dropped.
  @inlinable
  func noteReturn() {
    assert(isIncomplete, "Nothing is lifted that could be dropped.")
    liftedCount -= 1
  }

  @inlinable
  package func drop(_ lifted: Lifted, at index: Int) {
    noteReturn()
    list.insert(lifted.element, at: index)
    if case .lift(let source, let isUpdated)? = single?.edit {
      finishMove(from: source, to: index, isUpdated: isUpdated)
    } else {
      runs.insert(lifted.run, at: index)
    }
  }

  /// Inserts a lifted element again with another value: it is moved and updated.
  @inlinable
  package func drop(_ lifted: Lifted, as element: Element, at index: Int) {
    noteReturn()
    list.insert(element, at: index)
    if case .lift(let source, _)? = single?.edit {
      finishMove(from: source, to: index, isUpdated: true)
      single?.update = element
      return
    }
    var run = lifted.run
    if !run.isNew && !run.isUpdated {
      run.isUpdated = true
      replaced.append(OldElement(lifted.element, at: run.origin))
    }
    runs.insert(run, at: index)
  }

  /// Finishes the single edit, whose lifted element was dropped.
  @inlinable
  func finishMove(from source: Int, to destination: Int, isUpdated: Bool) {
    if source != destination {
      single?.edit = .move(from: source, to: destination, isUpdated: isUpdated)
    } else if isUpdated {
      single?.edit = .update(source)
    } else {
      single = nil
    }
  }

  @inlinable
  package func move(from source: Int, to destination: Int) {
    guard source != destination else {
      // Traps if the index is out of range.
      _ = list[source]
      return
    }
    drop(lift(source), at: destination)
  }

  /// Replaces the list. The next event is a reset.
  @inlinable
  public func reset(to elements: SharedArray<Element>) {
    assert(!isIncomplete, "A lifted element was not dropped.")
    begin()
    list = elements
    isReset = true
    runs.begin(count: elements.count)
    gone = []
    replaced = []
  }
}

// MARK: - Bulk edits

extension ListEditor {
  /// Replaces the list with one whose `origins` are known: the old index of each element, or a
  /// negative number for a new one. No old index may occur twice. It must be the first edit.
  ///
  /// *Complexity*: linear, except for elements that changed their order.
  @inlinable
  package func rebuild(
    _ elements: SharedArray<Element>, origins: [Int32], isUpdated: (Int) -> Bool = { _ in false }
  ) {
    let sources = ListOrigins(origins: origins, oldCount: list.count)
    rebuild(elements, of: list, sources, isUpdated: isUpdated)
  }

  /// Replaces the list with one whose moves are known. There must be no other edits.
  @inlinable
  func rebuild(
    _ elements: SharedArray<Element>, of old: SharedArray<Element>, _ sources: ListOrigins,
    isUpdated: (Int) -> Bool
  ) {
    assert(!isTouched, "A list with edits was rebuilt.")
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
    begin()
    let stays = sources.stays
    for (index, element) in old.enumerated() where !stays[index] {
      gone.append(OldElement(element, at: index))
    }
    replaced = updated
    runs.begin(new.finish())
    list = elements
  }

  /// Replaces the list with the elements of `all` whose bit in `now` is one. The list must consist
  /// of those whose bit in `before` is one.
  ///
  /// *Complexity*: linear.
  @inlinable
  package func reselect(from all: SharedArray<Element>, before: PackedBits, now: PackedBits) {
    begin()
    // Other edits may have preceded.
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
        case (true, false): recordRemoval(next()) { element }
        case (false, false): break
        }
        index += 1
      }
    }
    runs.begin(new.finish())
    list = selected.finish()
  }
}

// MARK: - Result

extension ListEditor: CollectionEditor {
  /// True: closures are called before an edit begins, or the edit checks for others after the call.
  @inlinable public static var canNest: Bool { true }

  /// True while a lifted element was not dropped yet.
  @inlinable var isIncomplete: Bool { liftedCount > 0 }

  /// Returns the changes since the last call, or nil if there are none.
  @inlinable
  public func finish() -> ListChanges<Element>? {
    assert(!isIncomplete, "A lifted element was not dropped before the edits end.")
    if runs.isUntouched {
      guard let only = single.take() else { return nil }
      return ListChanges(
        .single(SingleChange(only.edit, of: list, only.element, only.update ?? only.element)))
    }
    return settle(runs.finish())
  }

  /// Discards the recorded changes, without sorting or building anything.
  @inlinable
  public func forget() {
    assert(!isIncomplete, "A lifted element was not dropped before the edits end.")
    isReset = false
    // Release the elements last: a `deinit` may make an edit.
    let lost = single.take()
    if !runs.isUntouched { forgetMany() }
    withExtendedLifetime(lost) {}
  }

  /// Discards many edits. It is separate because most edits that are not observed are single.
  @inlinable
  func forgetMany() {
    let lost = (gone, replaced)
    runs = RunList()
    gone = []
    replaced = []
    withExtendedLifetime(lost) {}
  }

  /// Traps if the list does not have the count that it had before a change.
  @inlinable
  func requireCount(of changes: ListChanges<Element>) {
    require(
      changes.oldCount == list.count,
      """
      A change of a list of \(changes.oldCount) elements was applied to one of \(list.count). \
      Apply changes in the order in which they were made, and inverses in the reverse order.
      """)
  }

  /// Replaces the storage with that of an equal list, to share it. No change is recorded.
  @inlinable
  public func share(_ elements: SharedArray<Element>) { list = elements }

  @inlinable
  func settle(_ runs: Arrangement) -> ListChanges<Element>? {
    sortRemovedElements(runs)
    let changes = ManyChanges(list, of: runs, gone: gone, replaced: replaced)
    gone = []
    replaced = []
    return changes.extent > 0 ? ListChanges(.many(changes)) : nil
  }

  /// Sorts the removed elements, and adds the old values of those that were updated first.
  @inlinable
  func sortRemovedElements(_ runs: Arrangement) {
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
