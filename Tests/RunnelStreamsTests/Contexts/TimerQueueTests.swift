import RunnelStreams
import RunnelTesting
import Testing

@Suite struct TimerQueueTests {
  /// Each step adds, takes or cancels; what is taken is compared with what a sorted list says.
  @Test(arguments: UInt64(1)...12)
  func stepsAtRandomAgreeWithASortedList(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let agenda = TimerQueue()
    var model: [(deadline: Int, number: Int, ticket: Disposable)] = []
    let log = Notes()
    // Few different deadlines or many, and more added than taken for a while.
    let range = [3, 100, 1_000_000][Int(seed) % 3]
    for number in 0..<2_500 {
      let isGrowing = number < 1_600
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<(isGrowing ? 6 : 2):
        let deadline = Int.random(in: -range...range, using: &random)
        let ticket = agenda.add(at: .nanoseconds(deadline)) { log.numbers.append(number) }
        model.append((deadline, number, ticket))
      case 6 where !model.isEmpty:
        model.remove(at: Int.random(in: model.indices, using: &random)).ticket.dispose()
      default:
        let first = model.indices.min {
          (model[$0].deadline, model[$0].number) < (model[$1].deadline, model[$1].number)
        }
        log.numbers = []
        if Bool.random(using: &random) {
          agenda.popFirst()?()
        } else {
          agenda.popFirst(dueAt: .longest)?()
        }
        let expected = first.map { model.remove(at: $0) }
        #expect(log.numbers == (expected.map { [$0.number] } ?? []), "seed \(seed)")
        #expect(expected?.ticket.isDisposed ?? true)
      }
      #expect(agenda.count == model.count)
    }
    let deadlines = model.map(\.deadline)
    #expect(agenda.nextDeadline == deadlines.min().map { .nanoseconds($0) }, "seed \(seed)")
  }

  /// Rows that a sort could be slow at, or wrong: equal, rising, falling, and both by turns.
  @Test(arguments: ["equal", "rising", "falling", "by turns", "in a pattern"])
  func deadlinesComeInOrderHoweverTheyWereAdded(row: String) {
    let count = 5_000
    let agenda = TimerQueue()
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
      _ = agenda.add(at: .milliseconds(deadline(number))) { log.numbers.append(number) }
    }
    while let action = agenda.popFirst(dueAt: .longest) { action() }
    let expected = (0..<count).sorted { (deadline($0), $0) < (deadline($1), $1) }
    #expect(log.numbers == expected)
  }

  /// More than are kept in order, on both ends of time.
  @Test(arguments: [Duration(attoseconds: .min), .longest])
  func manyMayBeDueAtTheEndsOfTime(end: Duration) {
    let agenda = TimerQueue()
    let log = Notes()
    for number in 0..<500 {
      _ = agenda.add(at: number.isMultiple(of: 5) ? .zero : end) { log.numbers.append(number) }
    }
    while let action = agenda.popFirst() { action() }
    let early = (0..<500).filter { $0.isMultiple(of: 5) == (end == .longest) }
    #expect(log.numbers == early + Array(Set(0..<500).subtracting(early)).sorted())
  }

  @Test func deadlinesAreToldApartToTheLastDigit() {
    let agenda = TimerQueue()
    let log = Notes()
    let deadlines: [Duration] = [
      .longest, .zero, Duration(attoseconds: .min), Duration(attoseconds: 1),
      .seconds(Int64.max), Duration(attoseconds: -1), Duration(attoseconds: .max - 1),
    ]
    for (number, deadline) in deadlines.enumerated() {
      _ = agenda.add(at: deadline) { log.numbers.append(number) }
    }
    while let deadline = agenda.nextDeadline {
      let before = agenda.count
      agenda.popFirst(dueAt: deadline)?()
      #expect(agenda.count == before - 1)
    }
    #expect(log.numbers == [2, 5, 1, 3, 4, 6, 0])
  }

  /// An action sets another for its own deadline, which has passed: it comes after those that wait.
  @Test func whatAnActionAddsForTheSameDeadlineComesLast() {
    let agenda = TimerQueue()
    let log = Notes()
    for number in 0..<1_000 {
      _ = agenda.add(at: .seconds(1)) {
        log.numbers.append(number)
        _ = agenda.add(at: .seconds(1)) { log.numbers.append(1_000 + number) }
      }
    }
    while let action = agenda.popFirst(dueAt: .seconds(1)) { action() }
    #expect(log.numbers == Array(0..<2_000))
  }

  /// An action cancels those that come next, others far away, and adds earlier ones meanwhile.
  @Test(arguments: UInt64(1)...5)
  func whatAnActionCancelsNeverComes(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let agenda = TimerQueue()
    let tickets = Notes()
    let log = Notes()
    for number in 0..<1_000 {
      let others = (0..<3).map { _ in Int.random(in: 0..<1_000, using: &random) }
      let deadline = Duration.milliseconds(Int.random(in: 0..<50, using: &random))
      let ticket = agenda.add(at: deadline) {
        log.numbers.append(number)
        for other in others { tickets.tickets[other].dispose() }
        _ = agenda.add(at: deadline - .milliseconds(1)) { log.numbers.append(-1) }
        #expect(agenda.count == tickets.tickets.count { !$0.isDisposed } + 1, "seed \(seed)")
        agenda.popFirst()?()
      }
      tickets.tickets.append(ticket)
      tickets.cancelled.append(Set(others))
    }
    while let action = agenda.popFirst() { action() }
    var gone: Set<Int> = []
    for (earlier, number) in zip([0] + log.numbers, log.numbers) {
      if number == -1 {
        #expect(earlier >= 0, "seed \(seed)")
      } else {
        #expect(!gone.contains(number), "seed \(seed)")
        gone.formUnion(tickets.cancelled[number] + [number])
      }
    }
    #expect(agenda.count == 0 && gone.count == 1_000, "seed \(seed)")
  }

  /// More than half are taken back while the agenda goes, which would have it tidy its ladder.
  @Test func whatDiesWithAnAgendaMayTakeTheOthersBack() async {
    await #expect(processExitsWith: .success) {
      var agenda: TimerQueue? = TimerQueue()
      let others = Notes()
      let death = Death { for other in others.tickets { other.dispose() } }
      _ = agenda?.add(at: .zero) { [death] in withExtendedLifetime(death) {} }
      for number in 1...200 {
        if let ticket = agenda?.add(at: .seconds(number), {}) { others.tickets.append(ticket) }
      }
      _ = consume death
      agenda = nil
      let areDisposed = others.tickets.allSatisfy { $0.isDisposed }
      require(areDisposed, "The agenda has gone without its actions.")
    }
  }
}

private final class Notes {
  var tickets: [Disposable] = []
  var cancelled: [Set<Int>] = []
  var numbers: [Int] = []
}

/// Calls back when it is released.
private final class Death {
  private let action: () -> Void

  init(_ action: @escaping () -> Void) {
    self.action = action
  }

  deinit { action() }
}
