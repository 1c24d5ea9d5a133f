/// What is due on a clock, by deadline, and among equal deadlines in the order of entry.
///
/// A binary heap. An entry that is cancelled gives up its action at once and its place later: when
/// it comes to the top, or when half of the places are such.
///
/// *Complexity*: adding and taking O(log n), cancelling amortised O(log n).
package final class Agenda {
  private var heap: [Entry] = []
  private var lastNumber = 0

  /// How many actions are due.
  package private(set) var count = 0

  package init() {}

  /// Enters an action. Disposing what is returned takes it out again and releases it.
  package func add(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    lastNumber += 1
    let entry = Entry(deadline, lastNumber, action, in: self)
    let ticket = Disposable()
    entry.ticket = ticket
    ticket.add(entry)
    count += 1
    heap.append(entry)
    siftUp(from: heap.count - 1)
    return ticket
  }

  /// When the next action is due.
  package var nextDeadline: Duration? {
    while let top = heap.first {
      if top.action != nil { return top.deadline }
      removeTop()
    }
    return nil
  }

  /// Takes the next action out. Its ticket counts as disposed from then on.
  package func popFirst() -> (() -> Void)? {
    guard nextDeadline != nil else { return nil }
    return removeTop().surrender()
  }

  // MARK: - Entries

  fileprivate final class Entry: Teardown {
    let deadline: Duration
    let number: Int
    var action: (() -> Void)?
    weak var ticket: Disposable?
    private weak var agenda: Agenda?

    init(
      _ deadline: Duration, _ number: Int, _ action: @escaping () -> Void, in agenda: Agenda
    ) {
      self.deadline = deadline
      self.number = number
      self.action = action
      self.agenda = agenda
    }

    func isBefore(_ other: Entry) -> Bool {
      (deadline, number) < (other.deadline, other.number)
    }

    func surrender() -> (() -> Void)? {
      guard let action else { return nil }
      self.action = nil
      agenda?.count -= 1
      ticket?.dispose()
      return action
    }

    func tearDown() {
      guard let leaving = action else { return }
      action = nil
      agenda?.count -= 1
      agenda?.compact()
      // What the action captured dies last: its deinit may use the agenda.
      withExtendedLifetime(leaving) {}
    }
  }

  // MARK: - The heap

  private func compact() {
    guard heap.count >= 64, count * 2 < heap.count else { return }
    heap = heap.filter { $0.action != nil }.sorted { $0.isBefore($1) }
  }

  @discardableResult
  private func removeTop() -> Entry {
    heap.swapAt(0, heap.count - 1)
    let top = heap.removeLast()
    siftDown()
    return top
  }

  private func siftUp(from start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard heap[index].isBefore(heap[parent]) else { return }
      heap.swapAt(index, parent)
      index = parent
    }
  }

  private func siftDown() {
    var index = 0
    while true {
      var first = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
        if heap[child].isBefore(heap[first]) { first = child }
      }
      if first == index { return }
      heap.swapAt(index, first)
      index = first
    }
  }
}
