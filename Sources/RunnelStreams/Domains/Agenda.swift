/// What is due on a clock, by deadline, and among equal deadlines in the order of entry.
///
/// A heap of four branches. An entry that is cancelled gives up its action at once and its place
/// later: when it comes to the top, or when half of the places are such.
///
/// *Complexity*: adding and taking O(log n), cancelling amortised O(log n).
package final class Agenda {
  @exclusivity(unchecked) private var heap: [Place] = []
  @exclusivity(unchecked) private var lastNumber = 0

  /// How many actions are due.
  @exclusivity(unchecked) package private(set) var count = 0

  /// Called before something is taken back, to trap where the caller is not on the agenda's thread.
  @exclusivity(unchecked) package var check: (() -> Void)?

  package init() {}

  deinit {
    // What an action captured may take others back when it dies, which tidies the heap: that must
    // find nothing to tidy.
    let leaving = heap
    heap = []
    for place in leaving {
      _ = leave(place.entry.takeRetainedValue())
    }
  }

  /// Enters an action. Disposing what is returned takes it out again and releases it.
  package func add(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    lastNumber += 1
    count += 1
    let entry = Entry(action, in: self)
    heap.append(
      Place(
        attoseconds: deadline.attoseconds, number: lastNumber, entry: Unmanaged.passRetained(entry))
    )
    heap.withUnsafeMutableBufferPointer { Self.siftUp($0.count - 1, in: $0) }
    return entry
  }

  /// When the next action is due.
  package var nextDeadline: Duration? {
    while let top = heap.first {
      if top.isDue { return Duration(attoseconds: top.attoseconds) }
      _ = removeTop()
    }
    return nil
  }

  /// Takes the next action out. Its ticket counts as disposed from then on.
  package func popFirst() -> (() -> Void)? {
    guard nextDeadline != nil else { return nil }
    return leave(removeTop())
  }

  /// Takes the next action out if it is due by now.
  package func popFirst(dueAt now: Duration) -> (() -> Void)? {
    while let top = heap.first, top.attoseconds <= now.attoseconds {
      if let action = leave(removeTop()) { return action }
    }
    return nil
  }

  /// The action of an entry that is out of the heap, unless it was cancelled before.
  private func leave(_ entry: Entry) -> (() -> Void)? {
    if entry.isDisposed { return nil }
    count -= 1
    return entry.leave()
  }

  // MARK: - Entries

  /// An action that is due. It is its own ticket, to be taken back with.
  fileprivate final class Entry: Disposable {
    @exclusivity(unchecked) private var action: (() -> Void)?
    // Safety: the agenda has each entry that is due leave before it goes itself.
    private unowned(unsafe) let agenda: Agenda

    init(_ action: @escaping () -> Void, in agenda: Agenda) {
      self.action = action
      self.agenda = agenda
      super.init()
      hasDuties = true
    }

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

  // MARK: - The heap

  private struct Place {
    /// The deadline, as a number: that of a `Duration` is compared by a call.
    let attoseconds: Int128
    let number: Int
    // Safety: retained as long as it is in the heap, which moves its places about without counting.
    let entry: Unmanaged<Entry>

    var isDue: Bool { entry._withUnsafeGuaranteedRef { !$0.isDisposed } }

    /// Written so that it needs no branch, which nothing could predict.
    func isBefore(_ other: Place) -> Bool {
      number < other.number
        ? attoseconds <= other.attoseconds : attoseconds < other.attoseconds
    }
  }

  private static let branches = 4

  private func removeTop() -> Entry {
    let top = heap.withUnsafeMutableBufferPointer { heap in
      let top = heap[0]
      let rest = heap.count - 1
      heap[0] = heap[rest]
      if rest > 0 { Self.siftDown(0, in: .init(rebasing: heap[..<rest])) }
      return top
    }
    heap.removeLast()
    return top.entry.takeRetainedValue()
  }

  private func compact() {
    guard heap.count >= 64, count * 2 < heap.count else { return }
    heap.removeAll { place in
      if place.isDue { return false }
      place.entry.release()
      return true
    }
    heap.withUnsafeMutableBufferPointer { heap in
      let parents = (heap.count + Self.branches - 2) / Self.branches
      for index in (0..<parents).reversed() { Self.siftDown(index, in: heap) }
    }
  }

  /// Moves a place up to where it belongs, but not above a limit.
  private static func siftUp(
    _ start: Int, upTo limit: Int = 0, in heap: UnsafeMutableBufferPointer<Place>
  ) {
    let place = heap[start]
    var index = start
    while index > limit {
      let parent = (index - 1) / branches
      guard place.isBefore(heap[parent]) else { break }
      heap[index] = heap[parent]
      index = parent
    }
    heap[index] = place
  }

  /// Moves a place down to where it belongs: first to the end, and from there up again. What comes
  /// from the end, as most does, belongs near it, so that is found by fewer comparisons.
  private static func siftDown(_ start: Int, in heap: UnsafeMutableBufferPointer<Place>) {
    let place = heap[start]
    var index = start
    while true {
      let child = index &* branches &+ 1
      guard child < heap.count else { break }
      let first = firstOfSiblings(child, in: heap)
      heap[index] = heap[first]
      index = first
    }
    heap[index] = place
    siftUp(index, upTo: start, in: heap)
  }

  private static func firstOfSiblings(
    _ child: Int, in heap: UnsafeMutableBufferPointer<Place>
  ) -> Int {
    func earlier(_ one: Int, _ other: Int) -> Int {
      heap[other].isBefore(heap[one]) ? other : one
    }
    if child + branches <= heap.count {
      return earlier(earlier(child, child + 1), earlier(child + 2, child + 3))
    }
    return (child..<heap.count).reduce(child, earlier)
  }
}
