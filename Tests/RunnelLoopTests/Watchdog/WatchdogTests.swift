import Glibc
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@testable import RunnelLoop

/// The code that blocks. Never inlined, so that it has a place on the stack.
@inline(never)
private func dawdle(until isReported: () -> Void) {
  isReported()
}

@Suite(.serialized) struct WatchdogTests {
  private static let limit = Duration.milliseconds(100)

  /// Runs a body while the slow turns of one loop are recorded.
  private func recorded(_ body: @escaping @Sendable (EventLoop, EventLog<SlowTurn>) -> Void) async {
    let log = EventLog<SlowTurn>()
    let former = Hooks.slowTurn
    Hooks.slowTurn = { turn in
      if turn.loop == "slow" { log.add(turn) } else { former(turn) }
    }
    await withLoop("slow") { loop in
      let watch = loop.reportSlowTurns(after: .milliseconds(10))
      body(loop, log)
      watch.dispose()
    }
    Hooks.slowTurn = former
  }

  @Test("A turn that does not end is reported with its stack, and again when it has taken twice as long")
  func reportsTheStack() async {
    await recorded { loop, log in
      // The loop goes on when the turn was reported three times.
      loop.execute { dawdle { log.wait(for: 3) } }
      let turns = log.wait(for: 3)
      #expect(turns[0].duration >= .milliseconds(10))
      #expect(turns[1].duration >= turns[0].duration * 2)
      #expect(turns[2].duration >= turns[1].duration * 2)
      for turn in turns {
        let place = turn.stack.firstIndex { $0.contains("dawdle") }
        #expect(place != nil, "\(turn.stack)")
        #expect(!turn.stack.contains { $0.contains("EventLoop.(turn") || $0.contains("start_thread") })
        #expect("\(turn)".contains("loop \"slow\""))
      }
    }
  }

  @Test("A loop that has waited is watched again, whatever wakes it")
  func reportsAfterWaiting() async {
    await recorded { loop, log in
      for round in 1...3 {
        while !LoopActivity.isAwaited.load(ordering: .relaxed) { sched_yield() }
        switch round {
        case 1: loop.execute { log.wait(for: 1) }
        case 2: loop.execute { _ = loop.schedule(after: .zero) { log.wait(for: 2) } }
        default:
          var ends: [Int32] = [-1, -1]
          pipe(&ends)
          let (reading, writing) = (ends[0], ends[1])
          defer { for end in [reading, writing] { close(end) } }
          loop.execute {
            loop.bytes(from: reading).observe(
              next: { _ in log.wait(for: 3) }, failed: { _ in })
          }
          loop.wait {}
          while !LoopActivity.isAwaited.load(ordering: .relaxed) { sched_yield() }
          _ = write(writing, "x", 1)
          log.wait(for: 3)
        }
        log.wait(for: round)
      }
    }
  }

  @Test("A report takes the time at which the watchdog saw the turn first")
  func countsFromTheFirstLook() {
    let activity = LoopActivity()
    var loop = WatchedLoop("a", activity, limit: Self.limit, now: .seconds(1))
    func look(_ milliseconds: Int) -> Duration? {
      loop.look(at: activity.present, now: .milliseconds(milliseconds))
    }
    #expect(loop.isWaiting)
    #expect(look(9_000) == nil && loop.isWaiting)
    activity.begin()
    #expect(look(9_050) == nil && !loop.isWaiting)
    #expect(look(9_149) == nil)
    #expect(look(9_150) == .milliseconds(100))
    #expect(look(9_200) == nil)
    #expect(look(9_250) == .milliseconds(200))
    #expect(look(9_500) == .milliseconds(450))
    #expect(look(9_900) == nil)
    activity.begin()
    #expect(look(10_000) == nil)
    #expect(look(10_099) == nil)
    activity.rest()
    #expect(look(20_000) == nil && loop.isWaiting)
    activity.wake()
    #expect(look(20_100) == nil && !loop.isWaiting)
    loop.restart(at: .milliseconds(20_150))
    #expect(look(20_249) == nil)
    #expect(look(20_250) == .milliseconds(100))
  }

  @Test("A turn that waits and begins again between two looks is another turn")
  func turnsDiffer() {
    let activity = LoopActivity()
    var seen: Set<Int> = []
    for _ in 0..<100 {
      activity.begin()
      #expect(activity.present % 2 != 0 && seen.insert(activity.present).inserted)
      activity.wake()
      #expect(seen.contains(activity.present))
      activity.rest()
      #expect(activity.present % 2 == 0)
    }
  }

  @Test("The thread ends with the last loop, and starts with the next one")
  func threadEnds() async {
    let watchdog = Watchdog()
    for _ in 0..<3 {
      var activity: LoopActivity? = LoopActivity()
      if let activity { _ = watchdog.watch(activity, of: "released", limit: .milliseconds(1)) }
      #expect(watchdog.hasThread)
      activity = nil
      watchdog.call()
      while watchdog.hasThread { sched_yield() }
      let other = LoopActivity()
      let watch = watchdog.watch(other, of: "disposed", limit: .milliseconds(1))
      #expect(watchdog.hasThread)
      watch.dispose()
      while watchdog.hasThread { sched_yield() }
    }
  }

  @Test func namesAreReadable() {
    #expect(SymbolFile.readable("$s4main1fyyF") == "main.f() -> ()")
    #expect(SymbolFile.readable("event_base_loop") == "event_base_loop")
    let mark = "_ABCDEF0123456789ABCDEF0123456789"
    let name = "$s4main1f33\(mark)LLyyF"
    #expect(SymbolFile.readable(name) == "main.(f)() -> ()")
  }

  @Test("Only the functions of the program remain")
  func trims() {
    let turn = "RunnelLoop.EventLoop.(turn)() -> ()"
    let job = "RunnelLoop.EventLoop.(run)(RunnelLoop.Job) -> ()"
    #expect(StackRecorder.trimmed(["a", "b", job, turn, "main"]) == ["a", "b"])
    #expect(StackRecorder.trimmed(["read", job, "c", job, turn]) == ["read", job, "c"])
    #expect(StackRecorder.trimmed([job, turn, "main"]) == [job])
    #expect(StackRecorder.trimmed(["a", "b"]) == ["a", "b"])
    #expect(StackRecorder.trimmed([]) == [])
  }

  @Test("An address without a function is told by its place")
  func unknownAddresses() {
    var files: [String: SymbolFile] = [:]
    #expect(SymbolFile.function(at: 16, &files) == "0x10")
  }

  @Test func aLimitOfZeroTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await withLoop { loop in _ = loop.reportSlowTurns(after: .zero) }
    }
    #expect(result.says("The limit of a turn must be longer than zero."))
  }
}
