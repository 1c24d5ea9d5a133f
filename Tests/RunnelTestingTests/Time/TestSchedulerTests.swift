import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct TestSchedulerTests {
  private let scheduler = TestScheduler()

  @Test func runsInOrderOfDeadlineThenOfScheduling() {
    var log: [String] = []
    _ = scheduler.schedule(after: .seconds(2)) { log.append("b") }
    _ = scheduler.schedule(after: .seconds(1)) { log.append("a") }
    _ = scheduler.schedule(after: .seconds(2)) { log.append("c") }
    scheduler.advance(by: .seconds(1))
    #expect(log == ["a"])
    scheduler.advance(by: .seconds(1))
    #expect(log == ["a", "b", "c"])
    #expect(scheduler.now == .seconds(2))
  }

  @Test func clockIsTheDeadlineWithinAnAction() {
    var times: [Duration] = []
    for second in [3, 1, 2] {
      _ = scheduler.schedule(at: .seconds(second)) { times.append(scheduler.now) }
    }
    scheduler.advance(by: .seconds(10))
    #expect(times == [.seconds(1), .seconds(2), .seconds(3)])
    #expect(scheduler.now == .seconds(10))
  }

  @Test func actionsScheduledByActionsRun() {
    var times: [Duration] = []
    _ = scheduler.schedule(at: .seconds(1)) {
      _ = scheduler.schedule(after: .seconds(1)) { times.append(scheduler.now) }
      _ = scheduler.schedule(after: .zero) { times.append(scheduler.now) }
      _ = scheduler.schedule(after: .seconds(5)) { times.append(scheduler.now) }
    }
    scheduler.advance(to: .seconds(3))
    #expect(times == [.seconds(1), .seconds(2)])
    #expect(scheduler.pending == 1)
  }

  @Test func pastDeadlinesRunAtThePresentTime() {
    var log: [String] = []
    scheduler.advance(to: .seconds(5))
    _ = scheduler.schedule(at: .seconds(6)) { log.append("later") }
    _ = scheduler.schedule(at: .seconds(2)) { log.append("past at \(scheduler.now)") }
    #expect(log.isEmpty)
    scheduler.advance(by: .zero)
    #expect(log == ["past at 5.0 seconds"])
    _ = scheduler.schedule(at: .seconds(6)) {
      _ = scheduler.schedule(at: .seconds(1)) { log.append("past at \(scheduler.now)") }
    }
    scheduler.advance(to: .seconds(9))
    #expect(log == ["past at 5.0 seconds", "later", "past at 6.0 seconds"])
  }

  @Test func negativeDelayIsZero() {
    var time: Duration?
    scheduler.advance(to: .seconds(5))
    _ = scheduler.schedule(after: .seconds(-3)) { time = scheduler.now }
    scheduler.advance(by: .zero)
    #expect(time == .seconds(5))
  }

  @Test func advancesByTicks() {
    let scheduler = TestScheduler(tick: .milliseconds(20))
    scheduler.advance(ticks: 3)
    #expect(scheduler.now == .milliseconds(60))
  }

  @Test func stopsAtTheEndOfTime() {
    let end = Duration(attoseconds: .max)
    scheduler.advance(ticks: 1)
    scheduler.advance(by: end)
    #expect(scheduler.now == end)
    scheduler.advance(ticks: 1)
    #expect(scheduler.now == end)
    let slow = TestScheduler(tick: end)
    slow.advance(ticks: 2)
    #expect(slow.now == end)
  }

  @Test func runsUntilNothingIsPending() {
    var count = 0
    func again() {
      count += 1
      if count < 10 { _ = scheduler.schedule(after: .seconds(1)) { again() } }
    }
    again()
    scheduler.run()
    #expect(count == 10)
    #expect(scheduler.now == .seconds(9))
    #expect(scheduler.pending == 0)
  }

  @Test func limitAllowsExactlyAsManyActions() {
    for second in 1...5 { _ = scheduler.schedule(at: .seconds(second)) {} }
    scheduler.run(limit: 5)
    #expect(scheduler.pending == 0)
  }

  // MARK: - Cancellation

  @Test func cancelledActionDoesNotRun() {
    var log: [Int] = []
    let tickets = (1...5).map { number in
      scheduler.schedule(at: .seconds(1)) { log.append(number) }
    }
    tickets[1].dispose()
    tickets[3].dispose()
    tickets[3].dispose()
    #expect(scheduler.pending == 3)
    scheduler.run()
    #expect(log == [1, 3, 5])
  }

  @Test func actionCanCancelAnotherOfTheSameTime() {
    var log: [Int] = []
    var second = Disposable.none
    _ = scheduler.schedule(at: .seconds(1)) {
      log.append(1)
      second.dispose()
    }
    second = scheduler.schedule(at: .seconds(1)) { log.append(2) }
    scheduler.run()
    #expect(log == [1])
  }

  @Test func actionCanCancelItself() {
    var ticket = Disposable.none
    var runs = 0
    ticket = scheduler.schedule(at: .seconds(1)) {
      runs += 1
      ticket.dispose()
    }
    scheduler.run()
    #expect(runs == 1)
    #expect(scheduler.pending == 0)
  }

  /// A scheduled action is a disposable like any other, although it is its own queue entry.
  @Test func disposablesAddedToAnActionAreDisposed() {
    var log: [String] = []
    let cancelled = scheduler.schedule(at: .seconds(1)) { log.append("cancelled") }
    let run = scheduler.schedule(at: .seconds(1)) { log.append("run") }
    for (ticket, name) in [(cancelled, "cancelled"), (run, "run")] {
      ticket.add { log.append("undone, \(name): 1") }
      ticket.add { log.append("undone, \(name): 2") }
    }
    cancelled.dispose()
    #expect(log == ["undone, cancelled: 2", "undone, cancelled: 1"])
    #expect(scheduler.pending == 1)
    log = []
    scheduler.run()
    #expect(log == ["undone, run: 2", "undone, run: 1", "run"])
    run.add { log.append("at once") }
    #expect(log.last == "at once")
  }

  @Test func cancellationReleasesTheActionAtOnce() {
    final class Witness {}
    weak var cancelled: Witness?
    weak var run: Witness?
    weak var waiting: Witness?
    func schedule(_ witness: Witness) -> Disposable {
      scheduler.schedule(at: .seconds(1)) { withExtendedLifetime(witness) {} }
    }
    func make() -> [Disposable] {
      let witnesses = [Witness(), Witness(), Witness()]
      (cancelled, run, waiting) = (witnesses[0], witnesses[1], witnesses[2])
      let late = scheduler.schedule(at: .seconds(2)) { [witness = witnesses[2]] in _ = witness }
      return [schedule(witnesses[0]), schedule(witnesses[1]), late]
    }
    let tickets = make()
    tickets[0].dispose()
    #expect(cancelled == nil)
    #expect(run != nil)
    scheduler.advance(ticks: 1)
    #expect(run == nil)
    #expect(tickets[1].isDisposed)
    #expect(waiting != nil)
    #expect(!tickets[2].isDisposed)
  }

  @Test func releasedCapturesMayUseTheScheduler() {
    final class Parting {
      let action: () -> Void
      init(_ action: @escaping () -> Void) { self.action = action }
      deinit { action() }
    }
    var log: [String] = []
    func schedule() -> Disposable {
      let parting = Parting { [scheduler] in
        _ = scheduler.schedule(after: .zero) { log.append("after the parting") }
      }
      return scheduler.schedule(at: .seconds(1)) { withExtendedLifetime(parting) {} }
    }
    schedule().dispose()
    scheduler.run()
    #expect(log == ["after the parting"])
  }

  @Test func schedulerReleasesPendingActions() {
    final class Witness {}
    weak var witness: Witness?
    func leave() -> Disposable {
      let scheduler = TestScheduler()
      let object = Witness()
      witness = object
      return scheduler.schedule(at: .seconds(1)) { withExtendedLifetime(object) {} }
    }
    do {
      let ticket = leave()
      ticket.dispose()
    }
    #expect(witness == nil)
    _ = leave()
    #expect(witness == nil)
  }

  // MARK: - Cost

  /// With linear insertion or cancellation, this would take minutes.
  @Test func manyActionsAreQuick() {
    var log: [Int] = []
    let count = 100_000
    for round in [1, 2] {
      let tickets = (0..<count).map { number in
        scheduler.schedule(after: .seconds(round == 1 ? 1 : 1 + number % 7)) { log.append(number) }
      }
      for ticket in tickets.indices where ticket % 3 == 0 { tickets[ticket].dispose() }
      #expect(scheduler.pending == count - (count + 2) / 3)
      log = []
      scheduler.run()
      let expected = (0..<count).filter { $0 % 3 != 0 }
      #expect(log == (round == 1 ? expected : expected.sorted { ($0 % 7, $0) < ($1 % 7, $1) }))
    }
  }

  /// Compared with a list that is searched for the earliest deadline each time.
  @Test func agreesWithASlowModel() {
    for seed in 0..<100 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let scheduler = TestScheduler()
      var model: [(deadline: Duration, number: Int)] = []
      var tickets: [Disposable] = []
      var log: [Int] = []
      var expected: [Int] = []
      for number in 0..<300 {
        switch Int.random(in: 0...9, using: &random) {
        case 0...5:
          let deadline = Duration.seconds(Int.random(in: 0...40, using: &random))
          tickets.append(scheduler.schedule(at: deadline) { log.append(number) })
          model.append((deadline, number))
        case 6...7:
          guard let index = model.indices.randomElement(using: &random) else { continue }
          model.remove(at: index)
          tickets.remove(at: index).dispose()
        default:
          scheduler.advance(ticks: Int.random(in: 0...2, using: &random))
          while let index = model.indices.min(by: { model[$0] < model[$1] }),
            model[index].deadline <= scheduler.now
          {
            expected.append(model.remove(at: index).number)
            #expect(tickets.remove(at: index).isDisposed, "seed \(seed)")
          }
        }
        #expect(scheduler.pending == model.count, "seed \(seed)")
      }
      #expect(log == expected, "seed \(seed)")
    }
  }

  // MARK: - Misuse

  @Test func tickOfZeroTraps() async {
    await #expect(processExitsWith: .failure) { _ = TestScheduler(tick: .zero) }
  }

  @Test func advancingBackTraps() async {
    await #expect(processExitsWith: .failure) { TestScheduler().advance(by: .seconds(-1)) }
    await #expect(processExitsWith: .failure) {
      let scheduler = TestScheduler()
      scheduler.advance(to: .seconds(2))
      scheduler.advance(to: .seconds(1))
    }
  }

  @Test func advancingWithinAnActionTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let scheduler = TestScheduler()
      _ = scheduler.schedule(after: .zero) { scheduler.advance(ticks: 1) }
      scheduler.advance(ticks: 1)
    }
    #expect(result.says("cannot be advanced from within one of its actions"))
    await #expect(processExitsWith: .failure) {
      let scheduler = TestScheduler()
      _ = scheduler.schedule(after: .zero) { scheduler.run() }
      scheduler.run()
    }
  }

  @Test func runningARepeatingActionTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let scheduler = TestScheduler()
      func again() { _ = scheduler.schedule(after: .seconds(1)) { again() } }
      again()
      scheduler.run(limit: 100)
    }
    #expect(result.says("still had work after 100 actions"))
  }
}
