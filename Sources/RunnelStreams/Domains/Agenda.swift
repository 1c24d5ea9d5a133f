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
      _ = place.entry.takeRetainedValue().leave()
    }
  }

  /// Enters an action. Disposing what is returned takes it out again and releases it.
  package func add(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    lastNumber += 1
    count += 1
    let ticket = Disposable()
    let entry = Unmanaged.passRetained(Entry(action, ticket, in: self))
    heap.append(Place(attoseconds: deadline.attoseconds, number: lastNumber, entry: entry))
    heap.withUnsafeMutableBufferPointer { Self.siftUp($0.count - 1, in: $0) }
    ticket.attach(entry.takeUnretainedValue())
    return ticket
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
    private let ticket: Disposable
    @exclusivity(unchecked) private(set) var isDue = true
    @exclusivity(unchecked) private var action: (() -> Void)?
    // Safety: the agenda has each entry that is due leave before it goes itself.
    private unowned(unsafe) let agenda: Agenda

    init(_ action: @escaping () -> Void, _ ticket: Disposable, in agenda: Agenda) {
      self.action = action
      self.ticket = ticket
      self.agenda = agenda
    }

    func leave() -> (() -> Void)? {
      guard isDue else { return nil }
      isDue = false
      agenda.count -= 1
      // What somebody added to the ticket is torn down; for the entry itself there is nothing to do.
      ticket.detach(self)
      ticket.dispose()
      defer { action = nil }
      return action
    }

    func tearDown() {
      guard isDue else { return }
      agenda.check?()
      isDue = false
      agenda.count -= 1
      agenda.compact()
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
      let child = index * branches + 1
      guard child < heap.count else { break }
      var first = child
      for sibling in child + 1..<max(child + 1, min(child + branches, heap.count))
      where heap[sibling].isBefore(heap[first]) {
        first = sibling
      }
      guard heap[first].isBefore(place) else { break }
      heap[index] = heap[first]
      index = first
    }
    heap[index] = place
  }
}
