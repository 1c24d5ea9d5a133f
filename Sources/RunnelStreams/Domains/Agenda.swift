/// What is due on a clock, by deadline, and among equal deadlines in the order of entry.
///
/// A heap of four branches. An entry that is cancelled gives up its action at once and its place
/// later: when it comes to the top, or when half of the places are such.
///
/// *Complexity*: adding and taking O(log n), cancelling amortised O(log n).
package final class Agenda {
  private var heap: [Place] = []
  private var lastNumber = 0
  private let check: () -> Void

  /// How many actions are due.
  package private(set) var count = 0

  /// An empty agenda. The check is made before something is taken back: it traps where the caller is
  /// not on the agenda's thread.
  package init(check: @escaping () -> Void = {}) {
    self.check = check
  }

  deinit {
    for place in heap {
      let action = place.entry.leave()
      withExtendedLifetime(action) {}
    }
  }

  /// Enters an action. Disposing what is returned takes it out again and releases it.
  package func add(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    lastNumber += 1
    let entry = Entry(action, in: self)
    count += 1
    add(Place(deadline: deadline, number: lastNumber, entry: entry))
    return entry.ticket
  }

  /// When the next action is due.
  package var nextDeadline: Duration? {
    while let top = heap.first {
      if top.entry.isDue { return top.deadline }
      removeTop()
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
    guard let deadline = nextDeadline, deadline <= now else { return nil }
    return removeTop().leave()
  }

  // MARK: - Entries

  /// An action that is due, and the ticket that it can be taken back with.
  ///
  /// The two hold each other until the action leaves.
  fileprivate final class Entry: Teardown {
    let ticket = Disposable()
    private var action: (() -> Void)?
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
      agenda.check()
      // What the action captured dies last: its deinit may use the agenda.
      let leaving = action.take()
      agenda.count -= 1
      agenda.compact()
      withExtendedLifetime(leaving) {}
    }
  }

  // MARK: - The heap

  private struct Place {
    let deadline: Duration
    let number: Int
    let entry: Entry

    func isBefore(_ other: Place) -> Bool {
      deadline < other.deadline || (deadline == other.deadline && number < other.number)
    }
  }

  private static let branches = 4

  private func add(_ place: Place) {
    heap.append(place)
    heap.withUnsafeMutableBufferPointer { Self.siftUp($0.count - 1, in: $0) }
  }

  @discardableResult
  private func removeTop() -> Entry {
    heap.swapAt(0, heap.count - 1)
    let top = heap.removeLast()
    heap.withUnsafeMutableBufferPointer { Self.siftDown(0, in: $0) }
    return top.entry
  }

  private func compact() {
    guard heap.count >= 64, count * 2 < heap.count else { return }
    heap.removeAll { !$0.entry.isDue }
    heap.withUnsafeMutableBufferPointer { heap in
      for index in stride(from: heap.count / Self.branches, through: 0, by: -1) {
        Self.siftDown(index, in: heap)
      }
    }
  }

  private static func siftUp(_ start: Int, in heap: UnsafeMutableBufferPointer<Place>) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / branches
      guard heap[index].isBefore(heap[parent]) else { return }
      heap.swapAt(index, parent)
      index = parent
    }
  }

  private static func siftDown(_ start: Int, in heap: UnsafeMutableBufferPointer<Place>) {
    var index = start
    while true {
      var first = index
      let children = index * branches + 1
      for child in children..<max(children, min(children + branches, heap.count))
      where heap[child].isBefore(heap[first]) {
        first = child
      }
      if first == index { return }
      heap.swapAt(index, first)
      index = first
    }
  }
}
