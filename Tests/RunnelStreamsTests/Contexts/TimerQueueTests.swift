import RunnelStreams
import RunnelTesting
import Testing

@Suite struct TimerQueueTests {
  /// Each step adds, removes or cancels a timer. The removed timers are compared with a sorted
  /// list.
  @Test(arguments: seeds(4) as Range<UInt64>)
  func stepsAgreeWithASortedList(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let queue = TimerQueue()
    var model: [(deadline: Int, number: Int, ticket: Disposable)] = []
    let log = Notes()
    // The range gives few distinct deadlines or many. At first, steps add more than they remove.
    let range = [3, 100, 1_000_000][Int(seed) % 3]
    for number in 0..<2_500 {
      let isGrowing = number < 1_600
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<(isGrowing ? 6 : 2):
        let deadline = Int.random(in: -range...range, using: &random)
        let ticket = queue.add(at: .nanoseconds(deadline)) { log.numbers.append(number) }
        model.append((deadline, number, ticket))
      case 6 where !model.isEmpty:
        model.remove(at: Int.random(in: model.indices, using: &random)).ticket.dispose()
      default:
        let first = model.indices.min {
          (model[$0].deadline, model[$0].number) < (model[$1].deadline, model[$1].number)
        }
        log.numbers = []
        if Bool.random(using: &random) {
          queue.popFirst()?()
        } else {
          queue.popFirst(dueAt: .longest)?()
        }
        let expected = first.map { model.remove(at: $0) }
        #expect(log.numbers == (expected.map { [$0.number] } ?? []), "seed \(seed)")
        #expect(expected?.ticket.isDisposed ?? true)
      }
      #expect(queue.count == model.count)
    }
    let deadlines = model.map(\.deadline)
    #expect(queue.nextDeadline == deadlines.min().map { .nanoseconds($0) }, "seed \(seed)")
  }

  /// Orders that can be slow or wrong for a sort: equal, rising, falling, alternating, repeating.
  @Test(arguments: ["equal", "rising", "falling", "by turns", "in a pattern"])
  func actionsRunByDeadlineInAnyOrderOfAdding(row: String) {
    let count = 5_000
    let queue = TimerQueue()
    let log = Notes()
    func deadline(_ number: Int) -> Int {
      switch row {
      case "equal": 7
      case "rising": number
      case "falling": -number
      case "by turns": number.isMultiple(of: 2) ? number : -number
      default: number * 7_919 % 1_000
      }
    }
    for number in 0..<count {
      _ = queue.add(at: .milliseconds(deadline(number))) { log.numbers.append(number) }
    }
    while let action = queue.popFirst(dueAt: .longest) { action() }
    let expected = (0..<count).sorted { (deadline($0), $0) < (deadline($1), $1) }
    #expect(log.numbers == expected)
  }

  /// Covers more timers than the queue keeps sorted, at both ends of time.
  @Test(arguments: [Duration(attoseconds: .min), .longest])
  func manyTimersCanBeDueAtTheEndsOfTime(end: Duration) {
    let queue = TimerQueue()
    let log = Notes()
    for number in 0..<500 {
      _ = queue.add(at: number.isMultiple(of: 5) ? .zero : end) { log.numbers.append(number) }
    }
    while let action = queue.popFirst() { action() }
    let early = (0..<500).filter { $0.isMultiple(of: 5) == (end == .longest) }
    #expect(log.numbers == early + Array(Set(0..<500).subtracting(early)).sorted())
  }

  @Test func deadlinesDifferToTheAttosecond() {
    let queue = TimerQueue()
    let log = Notes()
    let deadlines: [Duration] = [
      .longest, .zero, Duration(attoseconds: .min), Duration(attoseconds: 1),
      .seconds(Int64.max), Duration(attoseconds: -1), Duration(attoseconds: .max - 1),
    ]
    for (number, deadline) in deadlines.enumerated() {
      _ = queue.add(at: deadline) { log.numbers.append(number) }
    }
    while let deadline = queue.nextDeadline {
      let before = queue.count
      queue.popFirst(dueAt: deadline)?()
      #expect(queue.count == before - 1)
    }
    #expect(log.numbers == [2, 5, 1, 3, 4, 6, 0])
  }

  /// An action adds a timer for its own deadline, which has passed: it follows the due timers.
  @Test func aTimerAddedForTheSameDeadlineRunsLast() {
    let queue = TimerQueue()
    let log = Notes()
    for number in 0..<1_000 {
      _ = queue.add(at: .seconds(1)) {
        log.numbers.append(number)
        _ = queue.add(at: .seconds(1)) { log.numbers.append(1_000 + number) }
      }
    }
    while let action = queue.popFirst(dueAt: .seconds(1)) { action() }
    #expect(log.numbers == Array(0..<2_000))
  }

  /// An action cancels the next timers and some distant ones, and adds earlier ones.
  @Test(arguments: seeds(5) as Range<UInt64>)
  func aCancelledTimerNeverRuns(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let queue = TimerQueue()
    let tickets = Notes()
    let log = Notes()
    for number in 0..<1_000 {
      let others = (0..<3).map { _ in Int.random(in: 0..<1_000, using: &random) }
      let deadline = Duration.milliseconds(Int.random(in: 0..<50, using: &random))
      let ticket = queue.add(at: deadline) {
        log.numbers.append(number)
        for other in others { tickets.tickets[other].dispose() }
        _ = queue.add(at: deadline - .milliseconds(1)) { log.numbers.append(-1) }
        #expect(queue.count == tickets.tickets.count { !$0.isDisposed } + 1, "seed \(seed)")
        queue.popFirst()?()
      }
      tickets.tickets.append(ticket)
      tickets.cancelled.append(Set(others))
    }
    while let action = queue.popFirst() { action() }
    var gone: Set<Int> = []
    for (earlier, number) in zip([0] + log.numbers, log.numbers) {
      if number == -1 {
        #expect(earlier >= 0, "seed \(seed)")
      } else {
        #expect(!gone.contains(number), "seed \(seed)")
        gone.formUnion(tickets.cancelled[number] + [number])
      }
    }
    #expect(queue.count == 0 && gone.count == 1_000, "seed \(seed)")
  }

  /// Cancels more than half during the queue's release, which would otherwise compact its ladder.
  @Test func aReleasedActionCanCancelTheOtherTimers() async {
    await #expect(processExitsWith: .success) {
      var queue: TimerQueue? = TimerQueue()
      let others = Notes()
      let probe = ReleaseProbe { for other in others.tickets { other.dispose() } }
      _ = queue?.add(at: .zero) { [probe] in withExtendedLifetime(probe) {} }
      for number in 1...200 {
        if let ticket = queue?.add(at: .seconds(number), {}) { others.tickets.append(ticket) }
      }
      _ = consume probe
      queue = nil
      let areDisposed = others.tickets.allSatisfy { $0.isDisposed }
      require(areDisposed, "The queue was released without its actions.")
    }
  }
}

private final class Notes {
  var tickets: [Disposable] = []
  var cancelled: [Set<Int>] = []
  var numbers: [Int] = []
}

/// Calls a closure when it is released.
private final class ReleaseProbe {
  private let action: () -> Void

  init(_ action: @escaping () -> Void) {
    self.action = action
  }

  deinit { action() }
}
