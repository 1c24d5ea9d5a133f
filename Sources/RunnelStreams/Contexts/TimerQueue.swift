/// A priority queue of scheduled actions, ordered by deadline and then by order of addition.
///
/// Cancelling an entry releases its action at once. Its place is removed later: when it becomes the
/// earliest, or when more than half of the places belong to cancelled entries.
///
/// *Complexity*: adding, removing and cancelling are O(log n), amortised.
package final class TimerQueue {
  @exclusivity(unchecked) private var ladder = LadderQueue()

  /// The number of pending actions.
  @exclusivity(unchecked) package private(set) var count = 0

  /// A closure that is called before an entry is cancelled. It traps if the caller is on the wrong
  /// thread.
  @exclusivity(unchecked) package var check: (() -> Void)?

  package init() {}

  deinit {
    // Releasing an action may cancel other entries, which compacts the queue. The places are
    // removed first, so that there is nothing left to compact.
    for place in ladder.removeAll() {
      _ = leave(place.entry.takeRetainedValue())
    }
  }

  /// Adds an action. Disposing the returned disposable cancels the action and releases it.
  package func add(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    count += 1
    let entry = Entry(action, in: self)
    ladder.add(LadderQueue.Place(attoseconds: deadline.attoseconds, entry: .passRetained(entry)))
    return entry
  }

  /// The deadline of the next action.
  package var nextDeadline: Duration? {
    while let first = ladder.first {
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
    while let first = ladder.first, first.attoseconds <= now.attoseconds {
      if let action = leave(removeFirst()) { return action }
    }
    return nil
  }

  private func removeFirst() -> Entry {
    ladder.removeFirst().entry.takeRetainedValue()
  }

  /// Returns the action of an entry whose place was removed; nil if it was cancelled.
  private func leave(_ entry: Entry) -> (() -> Void)? {
    if entry.isDisposed { return nil }
    count -= 1
    return entry.leave()
  }

  /// Removes the places of cancelled entries when they are more than half of all places.
  private func compact() {
    if ladder.count >= 64 && count * 2 < ladder.count { ladder.removeCancelled() }
  }

  /// A scheduled action, and at the same time the disposable that cancels it.
  final class Entry: Disposable {
    @exclusivity(unchecked) private var action: (() -> Void)?
    // Safety: the queue outlives its pending entries: its deinit detaches them all.
    private unowned(unsafe) let queue: TimerQueue

    init(_ action: @escaping () -> Void, in queue: TimerQueue) {
      self.action = action
      self.queue = queue
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

    override func tearDownAll() {
      queue.check?()
      state = .disposed
      queue.count -= 1
      queue.compact()
      super.tearDownAll()
      // Released last, because a `deinit` may use the queue.
      action = nil
    }
  }
}
