import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelNet

@Suite struct TimeLimitsTests {
  private let scheduler: TestScheduler
  private let near: Connection
  private let far: Connection

  init() throws {
    let pair = try Pair { $0.capacity = 10 }
    (scheduler, near, far) = (pair.scheduler, pair.near, pair.far)
  }

  /// Returns the time and the limit at which the far end fails, after some actions at given seconds.
  private func failure(
    of limits: TimeLimits, reading: Bool = true, _ actions: [(Int, () -> Void)] = []
  ) -> String {
    var result = "none"
    let start = scheduler.now
    far.closed.observe(
      completed: { result = "closed" },
      failed: { result = "\($0.cause) after \(scheduler.now - start)" })
    if reading { far.bytes.observe(next: { _ in }, failed: { _ in }) }
    far.timeLimits = limits
    for (second, action) in actions {
      scheduler.advance(to: start + .seconds(second))
      action()
    }
    scheduler.advance(to: start + .seconds(100))
    return result
  }

  private func timedOut(_ limit: SocketError.TimeLimit, _ seconds: Double) -> String {
    "\(SocketError.Cause.timedOut(limit)) after \(Duration.seconds(seconds))"
  }

  @Test func idleCountsFromLastByteOfEitherDirection() {
    let actions = [(3, { [near] in _ = near.write("x") }), (7, { [far] in _ = far.write("y") })]
    #expect(failure(of: TimeLimits(idle: .seconds(5)), actions) == timedOut(.idle, 12))
  }

  @Test("The idle time does not run while the program is behind, and begins again afterwards")
  func idleDoesNotCountWhilePaused() {
    let worker = ManualContext()
    let home = ManualContext()
    home.use {
      _ = far.lines().via(worker, backlog: Backlog(elements: 1)) { $0 }
        .observe(next: { _ in }, failed: { _ in })
    }
    let goOn = { while worker.runOne() || home.runOne() {} }
    let write = { [near] in _ = near.write("a\nb\nc\n") }
    let actions = [(1, write), (50, goOn), (51, goOn), (52, goOn), (53, goOn)]
    let result = failure(of: TimeLimits(idle: .seconds(5)), reading: false, actions)
    #expect(result == timedOut(.idle, 57))
  }

  @Test("The idle time does not run while a demand is used up")
  func idleDoesNotCountWithoutDemand() {
    let demand = Demand(1)
    far.lines(demand: demand).observe(next: { _ in }, failed: { _ in })
    let write = { [near] in _ = near.write("a\nb\n") }
    let actions = [(1, write), (50, { demand.request(2) })]
    let result = failure(of: TimeLimits(idle: .seconds(5)), reading: false, actions)
    #expect(result == timedOut(.idle, 55))
  }

  /// From 1 s to 3 s, and from 4 s to 6 s, the demand is used up.
  @Test("A pause that others cause leaves the limits of a silent connection as they are")
  func silentConnectionIsIdle() {
    #expect(sharing(TimeLimits(idle: .seconds(5))) == timedOut(.idle, 9))
  }

  @Test("The reading time begins again after a pause that others cause")
  func silentConnectionIsNotRead() {
    #expect(sharing(TimeLimits(reading: .seconds(5))) == timedOut(.reading, 11))
  }

  /// Returns the failure of a silent connection that shares a demand with others.
  private func sharing(_ limits: TimeLimits) -> String {
    let demand = Demand(1)
    far.lines(demand: demand).observe(next: { _ in }, failed: { _ in })
    let (use, request) = ({ demand.use() }, { demand.request() })
    let actions = [(1, use), (3, request), (4, use), (6, request)]
    return failure(of: limits, reading: false, actions)
  }

  @Test("The idle time runs while the peer takes nothing")
  func idleCountsWhileThePeerIsBehind() {
    far.writer.limit = 1
    far.lines().map { $0 + String(repeating: "x", count: 100) }.bind(to: far.writer)
    let actions = [(1, { [near] in _ = near.write("a\nb\nc\n") })]
    let result = failure(of: TimeLimits(idle: .seconds(5)), reading: false, actions)
    #expect(result == timedOut(.idle, 6))
  }

  @Test func readingCountsFromLastArrival() {
    let actions = [(3, { [near] in _ = near.write("x") }), (4, { [far] in _ = far.write("y") })]
    #expect(failure(of: TimeLimits(reading: .seconds(5)), actions) == timedOut(.reading, 8))
  }

  @Test func readingDoesNotCountWithoutReader() {
    let limits = TimeLimits(reading: .seconds(5))
    #expect(failure(of: limits, reading: false) == "none")
  }

  @Test func readingDoesNotCountAfterTheReaderHasLeft() {
    let reader = far.bytes.observe(next: { _ in }, failed: { _ in })
    let result = failure(
      of: TimeLimits(reading: .seconds(5)), reading: false, [(2, { reader.dispose() })])
    #expect(result == "none")
  }

  @Test func readingCountsFromFirstObservation() {
    let limits = TimeLimits(reading: .seconds(5))
    let begin = { [far] in _ = far.bytes.observe(next: { _ in }, failed: { _ in }) }
    #expect(failure(of: limits, reading: false, [(20, begin)]) == timedOut(.reading, 25))
  }

  @Test("Writing counts while bytes wait, from the last progress")
  func writingCountsWhileBytesWait() {
    let fill = { [far] in _ = far.write([UInt8](repeating: 1, count: 25)) }
    // The first ten bytes fit. Reading at 13 s makes room for ten more.
    let read = { [near] in
      var observation: Disposable?
      observation = near.bytes.take(1).observe(next: { _ in }, failed: { _ in })
      withExtendedLifetime(observation) {}
    }
    let limits = TimeLimits(writing: .seconds(5))
    #expect(failure(of: limits, [(10, fill), (13, read)]) == timedOut(.writing, 18))
  }

  @Test func writingDoesNotCountWhenNothingWaits() {
    let limits = TimeLimits(writing: .seconds(5))
    let write = { [far] in _ = far.write("short") }
    #expect(failure(of: limits, [(10, write)]) == "none")
  }

  @Test func totalCountsFromSetting() {
    let actions = (1...9).map { second in (second, { [near] in _ = near.write("x") }) }
    #expect(failure(of: TimeLimits(total: .seconds(8)), actions) == timedOut(.total, 8))
  }

  @Test func earliestLimitWins() {
    let limits = TimeLimits(idle: .seconds(9), reading: .seconds(6), total: .seconds(7))
    #expect(failure(of: limits) == timedOut(.reading, 6))
  }

  @Test func removedLimitsDoNotFail() {
    far.timeLimits = TimeLimits(idle: .seconds(1))
    #expect(failure(of: TimeLimits()) == "none")
    #expect(scheduler.pending == 0)
  }

  @Test func endedConnectionLeavesNoTimer() {
    let limits = TimeLimits(idle: .seconds(50), total: .seconds(60))
    let close = { [near] in near.close() }
    #expect(failure(of: limits, [(1, close)]) == "closed")
    #expect(scheduler.pending == 0)
  }

  @Test("Reading does not count without demand")
  func readingDoesNotCountWithoutDemand() {
    let demand = Demand(0)
    far.bytes(demand: demand).observe(next: { _ in }, failed: { _ in })
    let limits = TimeLimits(reading: .seconds(5))
    let request = { demand.request() }
    let write = { [near] in _ = near.write("x") }
    // The byte that came at 10 s is read at 20 s. From 21 s on, a second one is demanded.
    let actions = [(10, write), (20, request), (21, request)]
    #expect(failure(of: limits, reading: false, actions) == timedOut(.reading, 26))
  }
}
