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
  private static let limit = Duration.milliseconds(10)

  /// Runs a body while the slow turns of one loop are recorded.
  private func recorded(_ body: @escaping @Sendable (EventLoop, EventLog<SlowTurn>) -> Void) async {
    let log = EventLog<SlowTurn>()
    let former = Hooks.slowTurn
    Hooks.slowTurn = { turn in
      if turn.loop == "slow" { log.add(turn) } else { former(turn) }
    }
    await withLoop("slow") { loop in
      let watch = loop.reportSlowTurns(after: Self.limit)
      body(loop, log)
      watch.dispose()
    }
    Hooks.slowTurn = former
  }

  @Test("A turn that does not end is reported with its stack, and again when it is twice as long")
  func reportsTheStack() async {
    await recorded { loop, log in
      // The loop goes on when the turn was reported three times. A busy machine may let the thread
      // answer late, and such reports have no stack.
      @Sendable func isReported(_ all: [SlowTurn]) -> Bool {
        let turns = lastTurn(all)
        return turns.count >= 3 && turns.contains { $0.stack.contains { $0.contains("dawdle") } }
      }
      // The machine may be so busy that an earlier turn is reported too.
      @Sendable func lastTurn(_ all: [SlowTurn]) -> [SlowTurn] {
        let start = all.indices.dropFirst().last { all[$0].duration < all[$0 - 1].duration }
        return Array(all[(start ?? 0)...])
      }
      loop.execute { dawdle { log.wait(until: isReported) } }
      let turns = lastTurn(log.wait(until: isReported))
      #expect(turns[0].duration >= Self.limit)
      #expect(turns[1].duration >= turns[0].duration * 2)
      #expect(turns[2].duration >= turns[1].duration * 2)
      for turn in turns {
        #expect(!turn.stack.contains { $0.contains("EventLoop.(turn") })
        #expect(!turn.stack.contains("start_thread"))
        #expect("\(turn)".contains("loop \"slow\""))
      }
    }
  }

  /// A loop that is not noticed when it wakes would never be reported.
  @Test("A loop that has waited is watched again, whatever wakes it")
  func reportsAfterWaiting() async {
    await recorded { loop, log in
      var ends: [Int32] = [-1, -1]
      pipe(&ends)
      let (reading, writing) = (ends[0], ends[1])
      defer { for end in [reading, writing] { close(end) } }
      func waitUntilItRests() {
        while !loop.activity.isAwaited.load(ordering: .relaxed) { sched_yield() }
      }
      @Sendable func waitForNext() {
        let former = log.count
        log.wait { turns in turns[former...].contains { !$0.stack.isEmpty } }
      }
      loop.execute {
        _ = loop.bytes(from: reading).observe(next: { _ in waitForNext() }, failed: { _ in })
      }
      loop.wait {}
      waitUntilItRests()
      _ = write(writing, "x", 1)
      loop.wait {}
      waitUntilItRests()
      loop.wait { waitForNext() }
      waitUntilItRests()
      loop.execute { _ = loop.schedule(after: .milliseconds(50)) { waitForNext() } }
      let turns = log.wait { turns in turns.count { !$0.stack.isEmpty } >= 3 }
      // Neither the watch of a descriptor nor libevent calls the code of the program in a report.
      #expect(!turns.contains { $0.stack.contains { $0.contains("RunnelLoop.Watch") } })
      #expect(!turns.contains { $0.stack.contains { $0.contains("event_base_loop") } })
    }
  }

  @Test("A report takes the time at which the watchdog saw the turn first")
  func countsFromTheFirstLook() {
    let activity = LoopActivity()
    var loop = WatchedLoop("a", activity, limit: Self.limit * 10, now: .seconds(1))
    func look(_ milliseconds: Int) -> Duration? {
      loop.look(now: .milliseconds(milliseconds))
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
    loop.discount(.milliseconds(50))
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
      withExtendedLifetime(activity) {
        if let activity { _ = watchdog.watch(activity, of: "released", limit: .milliseconds(1)) }
        #expect(watchdog.hasThread)
      }
      activity = nil
      watchdog.call()
      while watchdog.hasThread { sched_yield() }
      let other = LoopActivity()
      let watch = watchdog.watch(other, of: "disposed", limit: .milliseconds(1))
      withExtendedLifetime(other) {
        #expect(watchdog.hasThread)
        watch.dispose()
      }
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
    let turn = "$s10RunnelLoop05EventB0C4turn33_CDA60C160BDE050030DE958F6F52395BLLyyF"
    let job = "$s10RunnelLoop05EventB0C3runyyF"
    let user = "$s5meter8ImporterC3run2ony10RunnelLoop05EventE0C_tF"
    #expect(StackRecorder.trimmed([user, "b", job, turn, "main"]) == [user, "b"])
    #expect(StackRecorder.trimmed(["usleep", user, job, turn]) == ["usleep", user])
    #expect(StackRecorder.trimmed(["read", job, "c", job, turn]) == ["read", job, "c"])
    #expect(StackRecorder.trimmed(["a", "libevent_core-2.1.so.7+0x1", turn]) == ["a"])
    #expect(StackRecorder.trimmed([job, turn, "main"]) == [job])
    #expect(StackRecorder.trimmed(["a", "b"]) == ["a", "b"])
    #expect(StackRecorder.trimmed([]) == [])
  }

  /// A file with one function, `work`, at 0x100 with 16 bytes.
  private static func file() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 512)
    func set(_ offset: Int, _ value: UInt64, _ count: Int) {
      for index in 0..<count {
        bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
      }
    }
    set(0, 0x464C_457F, 4)
    set(16, 3, 2)
    set(40, 64, 8)
    set(58, 64, 2)
    set(60, 2, 2)
    // The table of symbols, and the names.
    set(64 + 4, 2, 4)
    set(64 + 24, 256, 8)
    set(64 + 32, 48, 8)
    set(64 + 40, 1, 4)
    set(128 + 24, 400, 8)
    set(280, 1, 4)
    set(284, 18, 1)
    set(288, 0x100, 8)
    set(296, 16, 8)
    for (index, byte) in "work".utf8.enumerated() { bytes[401 + index] = byte }
    return bytes
  }

  private static func function(at place: UInt, in bytes: [UInt8]) -> String? {
    // The file unmaps its memory.
    guard !bytes.isEmpty,
      let start = mmap(
        nil, bytes.count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      start != MAP_FAILED
    else { return nil }
    let memory = UnsafeMutableRawBufferPointer(start: start, count: bytes.count)
    memory.copyBytes(from: bytes)
    return SymbolFile(UnsafeRawBufferPointer(memory), named: "a").function(at: place, place)
  }

  @Test func functionsAreFound() {
    let file = Self.file()
    let found = [0xFF, 0x100, 0x10F, 0x110].map { Self.function(at: $0, in: file) }
    #expect(found == [nil, "work", "work", nil])
  }

  @Test("Damaged files have no names, or others", arguments: seeds(2))
  func damagedFiles(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let file = Self.file()
    for count in 0..<file.count { _ = Self.function(at: 0x108, in: Array(file[..<count])) }
    for _ in 0..<2_000 {
      var damaged = file
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let place = Int.random(in: 0..<304, using: &random)
        damaged[place] = [0, 1, 127, 128, 255].randomElement(using: &random) ?? 0
      }
      _ = Self.function(at: 0x108, in: damaged)
    }
  }

  @Test("An address without a function is shown as a number")
  func unknownAddresses() {
    #expect(StackRecorder.names(of: [16]) == ["0x10"])
    let names = StackRecorder.names(of: Array(1...30))
    #expect(names.count == 25 && names[15] == "0x10" && names[16] == "…" && names[24] == "0x1e")
  }

  @Test func aLimitOfZeroTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await withLoop { loop in _ = loop.reportSlowTurns(after: .zero) }
    }
    #expect(result.says("The limit of a turn must be longer than zero."))
  }
}
