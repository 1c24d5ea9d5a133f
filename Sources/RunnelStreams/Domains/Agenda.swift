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
      let action = place.entry.takeRetainedValue().leave()
      withExtendedLifetime(action) {}
    }
  }

  /// Enters an action. Disposing what is returned takes it out again and releases it.
  package func add(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    lastNumber += 1
    let entry = Entry(action, in: self)
    count += 1
    heap.append(
      Place(
        attoseconds: deadline.attoseconds, number: lastNumber, entry: Unmanaged.passRetained(entry))
    )
    heap.withUnsafeMutableBufferPointer { Self.siftUp($0.count - 1, in: $0) }
    return entry.ticket
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
    return removeTop().leave()
  }

  /// Takes the next action out if it is due by now.
  package func popFirst(dueAt now: Duration) -> (() -> Void)? {
    while let top = heap.first, top.attoseconds <= now.attoseconds {
      if let action = removeTop().leave() { return action }
    }
    return nil
  }

  // MARK: - Entries

  /// An action that is due, and the ticket that it can be taken back with.
  ///
  /// The two hold each other until the action leaves.
  fileprivate final class Entry: Teardown {
    let ticket = Disposable()
    @exclusivity(unchecked) private var action: (() -> Void)?
    // Safety: the agenda has each entry that is due leave before it goes itself.
    private unowned(unsafe) let agenda: Agenda

    init(_ action: @escaping () -> Void, in agenda: Agenda) {
      self.action = action
      self.agenda = agenda
      ticket.add(self)
    }

    var isDue: Bool { action != nil }

    func leave() -> (() -> Void)? {
      guard let leaving = action.take() else { return nil }
      agenda.count -= 1
      ticket.dispose()
      return leaving
    }

    func tearDown() {
      guard action != nil else { return }
      agenda.check?()
      // What the action captured dies last: its deinit may use the agenda.
      let leaving = action.take()
      agenda.count -= 1
      agenda.compact()
      withExtendedLifetime(leaving) {}
    }
  }

  // MARK: - The heap

  private struct Place {
    /// The deadline, as a number: that of a `Duration` is compared by a call.
    let attoseconds: Int128
    let number: Int
    // Safety: retained as long as it is in the heap, which moves its places about without counting.
    let entry: Unmanaged<Entry>

    var isDue: Bool { entry._withUnsafeGuaranteedRef { $0.isDue } }

    func isBefore(_ other: Place) -> Bool {
      attoseconds < other.attoseconds
        || (attoseconds == other.attoseconds && number < other.number)
    }
  }

  private static let branches = 4

  private func removeTop() -> Entry {
    let top = heap[0]
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      heap.withUnsafeMutableBufferPointer { Self.siftDown(0, in: $0) }
    }
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

  private static func siftUp(_ start: Int, in heap: UnsafeMutableBufferPointer<Place>) {
    let place = heap[start]
    var index = start
    while index > 0 {
      let parent = (index - 1) / branches
      guard place.isBefore(heap[parent]) else { break }
      heap[index] = heap[parent]
      index = parent
    }
    heap[index] = place
  }

  private static func siftDown(_ start: Int, in heap: UnsafeMutableBufferPointer<Place>) {
    let place = heap[start]
    var index = start
    while true {
      let children = index * branches + 1
      guard children < heap.count else { break }
      var first = children
      for child in children + 1..<max(children + 1, min(children + branches, heap.count))
      where heap[child].isBefore(heap[first]) {
        first = child
      }
      guard heap[first].isBefore(place) else { break }
      heap[index] = heap[first]
      index = first
    }
    heap[index] = place
  }
}
