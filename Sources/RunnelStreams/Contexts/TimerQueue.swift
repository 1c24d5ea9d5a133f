/// What is due on a clock, by deadline, and among equal deadlines in the order of entry.
///
/// An entry that is cancelled gives up its action at once and its place later: when it comes near, or
/// when half of the places are such.
///
/// *Complexity*: adding, taking and cancelling O(log n), amortised.
package final class TimerQueue {
  @exclusivity(unchecked) private var ladder = LadderQueue()

  /// How many actions are due.
  @exclusivity(unchecked) package private(set) var count = 0

  /// Called before something is taken back, to trap where the caller is not on the agenda's thread.
  @exclusivity(unchecked) package var check: (() -> Void)?

  package init() {}

  deinit {
    // What an action captured may take others back when it dies, which tidies the ladder: that must
    // find nothing to tidy.
    for place in ladder.removeAll() {
      _ = leave(place.entry.takeRetainedValue())
    }
  }

  /// Enters an action. Disposing what is returned takes it out again and releases it.
  package func add(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    count += 1
    let entry = Entry(action, in: self)
    ladder.add(LadderQueue.Place(attoseconds: deadline.attoseconds, entry: .passRetained(entry)))
    return entry
  }

  /// When the next action is due.
  package var nextDeadline: Duration? {
    while let first = ladder.first {
      if first.isDue { return Duration(attoseconds: first.attoseconds) }
      _ = removeFirst()
    }
    return nil
  }

  /// Takes the next action out. Its ticket counts as disposed from then on.
  package func popFirst() -> (() -> Void)? {
    guard nextDeadline != nil else { return nil }
    return leave(removeFirst())
  }

  /// Takes the next action out if it is due by now.
  package func popFirst(dueAt now: Duration) -> (() -> Void)? {
    while let first = ladder.first, first.attoseconds <= now.attoseconds {
      if let action = leave(removeFirst()) { return action }
    }
    return nil
  }

  private func removeFirst() -> Entry {
    ladder.removeFirst().entry.takeRetainedValue()
  }

  /// The action of an entry that has left the ladder, unless it was cancelled before.
  private func leave(_ entry: Entry) -> (() -> Void)? {
    if entry.isDisposed { return nil }
    count -= 1
    return entry.leave()
  }

  /// Tidies up when more than half of the places are of entries that were cancelled.
  private func compact() {
    if ladder.count >= 64 && count * 2 < ladder.count { ladder.tidy() }
  }

  /// An action that is due. It is its own ticket, to be taken back with.
  final class Entry: Disposable {
    @exclusivity(unchecked) private var action: (() -> Void)?
    // Safety: the agenda has each entry that is due leave before it goes itself.
    private unowned(unsafe) let agenda: TimerQueue

    init(_ action: @escaping () -> Void, in agenda: TimerQueue) {
      self.action = action
      self.agenda = agenda
      super.init()
      hasDuties = true
    }

    /// Whether it was not cancelled. All that come near are asked one after the other: with a look at
    /// the action too, memory brings them at the same time, and nobody waits for each in its turn.
    var isDue: Bool { !isDisposed && action != nil }

    func leave() -> (() -> Void)? {
      let action = action.take()
      // Somebody may have added something to the ticket.
      super.tearDownAll()
      return action
    }

    override func tearDownAll() {
      agenda.check?()
      state = .disposed
      agenda.count -= 1
      agenda.compact()
      super.tearDownAll()
      // Last, because the deinit of what the action captured may use the agenda.
      action = nil
    }
  }
}
