/// A priority queue of scheduled actions, ordered by deadline and then by order of addition.
///
/// Cancelling an entry releases its action at once. Its place is removed later: when it becomes the
/// earliest, or when more than half of the places belong to cancelled entries.
///
/// *Complexity*: adding, removing and cancelling are O(log n), amortised.
package final class TimerQueue {
  private let places = Places()

  /// The number of pending actions.
  package var count: Int { places.count }

  /// A closure that is called to cancel an entry, with a closure that does so. It traps if the
  /// caller is on the wrong thread. Set it before the first entry is added.
  ///
  /// It does nothing if the owner of the queue is being released, because the owner then calls
  /// ``cancelAll()``.
  package var check: ((_ cancel: () -> Void) -> Void)? {
    get { places.check }
    set { places.check = newValue }
  }

  package init() {}

  deinit { cancelAll() }

  /// Cancels all entries and releases their actions.
  package func cancelAll() {
    // Releasing an action or a resource may cancel other entries. All entries are therefore
    // detached first.
    let entries = places.ladder.removeAll().map { $0.entry.takeRetainedValue() }
    places.count = 0
    let actions = entries.map { $0.detach() }
    for entry in entries { entry.releaseResources() }
    release(actions)
  }

  /// Disposing the returned disposable cancels the action and releases it.
  package func add(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    places.count += 1
    let entry = Entry(action, in: places)
    places.ladder.add(
      LadderQueue.Place(attoseconds: deadline.attoseconds, entry: .passRetained(entry)))
    return entry
  }

  package var nextDeadline: Duration? {
    while let first = places.ladder.first {
      if first.isDue { return Duration(attoseconds: first.attoseconds) }
      _ = removeFirst()
    }
    return nil
  }

  /// Removes and returns the next action. Its disposable counts as disposed from then on.
  package func popFirst() -> (() -> Void)? {
    guard nextDeadline != nil else { return nil }
    return leave(removeFirst())
  }

  /// Removes and returns the next action if it is due at `now`.
  package func popFirst(dueAt now: Duration) -> (() -> Void)? {
    while let first = places.ladder.first, first.attoseconds <= now.attoseconds {
      if let action = leave(removeFirst()) { return action }
    }
    return nil
  }

  private func removeFirst() -> Entry {
    places.ladder.removeFirst().entry.takeRetainedValue()
  }

  /// Returns the action of an entry whose place was removed; nil if it was cancelled.
  private func leave(_ entry: Entry) -> (() -> Void)? {
    if entry.isDisposed { return nil }
    places.count -= 1
    return entry.leave()
  }

  /// The entries of a queue. Each entry retains this object, so that it can be disposed on any
  /// thread while the queue is released. The queue ends the cycle with ``cancelAll()``.
  final class Places {
    @exclusivity(unchecked) fileprivate var ladder = LadderQueue()
    @exclusivity(unchecked) fileprivate var count = 0
    @exclusivity(unchecked) fileprivate var check: ((_ cancel: () -> Void) -> Void)?

    /// Removes the places of cancelled entries when they are more than half of all places.
    fileprivate func compact() {
      if ladder.count >= 64 && count * 2 < ladder.count { ladder.removeCancelled() }
    }
  }

  /// A scheduled action, and at the same time the disposable that cancels it.
  final class Entry: Disposable {
    @exclusivity(unchecked) private var action: (() -> Void)?
    private let places: Places

    init(_ action: @escaping () -> Void, in places: Places) {
      self.action = action
      self.places = places
      super.init()
      hasResources = true
    }

    /// True until the entry was cancelled or has fired. Checking the action too prefetches it:
    /// entries are checked in batches, so the cache misses overlap.
    var isDue: Bool { !isDisposed && action != nil }

    func leave() -> (() -> Void)? {
      let action = action.take()
      // The user may have added resources to the disposable.
      super.tearDownAll()
      return action
    }

    /// Cancels the entry, and returns its action.
    fileprivate func detach() -> (() -> Void)? {
      state = .disposed
      return action.take()
    }

    fileprivate func releaseResources() {
      super.tearDownAll()
    }

    override var isPlain: Bool { false }

    override func tearDownAll() {
      if let check = places.check { check(cancel) } else { cancel() }
    }

    private func cancel() {
      state = .disposed
      places.count -= 1
      places.compact()
      super.tearDownAll()
      // Released last, because a `deinit` may use the queue.
      action = nil
    }
  }
}
