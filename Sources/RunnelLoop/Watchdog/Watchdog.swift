import Glibc
import RunnelStreams

/// The thread that watches the turns of loops.
final class Watchdog: Sendable {
  static let shared = Watchdog()

  private struct State {
    var loops: [Int: WatchedLoop] = [:]
    var nextNumber = 0
    var hasThread = false
    var isCalled = false
  }

  /// What to do after a look at all loops.
  private struct Findings {
    var slow: [(loop: WatchedLoop, duration: Duration)] = []
    var pause = Duration.longest
    var allWait = true
  }

  private let state = Monitor(State())

  /// The longest sleep while all loops wait. A call ends it, unless a loop did not yet see that it has
  /// begun.
  private static let longestPause = Duration.seconds(10)

  func watch(_ activity: LoopActivity, of name: String, limit: Duration) -> Disposable {
    let loop = WatchedLoop(name, activity, limit: limit, now: DeadlineTimer.now)
    let (number, startsThread) = state.withLock { state in
      let number = state.nextNumber
      state.nextNumber += 1
      state.loops[number] = loop
      state.isCalled = true
      return (number, !exchange(&state.hasThread, with: true))
    }
    if startsThread { startThread() }
    return Disposable { [self] in
      state.withLock { state in
        state.loops[number] = nil
        state.isCalled = true
      }
    }
  }

  var hasThread: Bool { state.withLock { $0.hasThread } }

  /// Ends the present sleep, because a loop has something to do.
  func call() {
    LoopActivity.isAwaited.store(false, ordering: .relaxed)
    state.withLock { $0.isCalled = true }
  }

  private func startThread() {
    let thread = startThreadIfAllowed(stackSize: 1 << 18) { [self] in
      nameThread("watchdog")
      run()
    }
    if let thread { pthread_detach(thread) } else { state.withLock { $0.hasThread = false } }
  }

  private func run() {
    var deadline = Duration.longest
    while let findings = look(deadline: deadline) {
      for (loop, duration) in findings.slow {
        let stack = loop.activity.map { StackRecorder.stack(of: $0.thread) } ?? []
        Hooks.slowTurn(SlowTurn(loop: loop.name, duration: duration, stack: stack))
      }
      deadline = findings.allWait ? .longest : DeadlineTimer.now + findings.pause
      wait(for: findings.allWait ? Self.longestPause : findings.pause)
    }
  }

  /// Looks at all loops. Returns nil if there are none any more, and the thread ends.
  private func look(deadline: Duration) -> Findings? {
    state.withLock { state in
      state.isCalled = false
      state.loops = state.loops.filter { $0.value.activity != nil }
      if state.loops.isEmpty {
        state.hasThread = false
        return nil
      }
      let now = DeadlineTimer.now
      var findings = Findings()
      // Before the look: a loop that begins a turn after it sees this, and calls.
      LoopActivity.isAwaited.store(true, ordering: .sequentiallyConsistent)
      for (number, var loop) in state.loops {
        // This thread was as late as the loop may be.
        if now - deadline > loop.limit / 4 { loop.restart(at: now) }
        if let activity = loop.activity, let duration = loop.look(at: activity.present, now: now) {
          findings.slow.append((loop, duration))
        }
        findings.allWait = findings.allWait && loop.isWaiting
        findings.pause = min(findings.pause, loop.limit / 2)
        state.loops[number] = loop
      }
      if !findings.allWait { LoopActivity.isAwaited.store(false, ordering: .relaxed) }
      return findings
    }
  }

  private func wait(for pause: Duration) {
    _ = state.wait(atMost: pause) { $0.isCalled ? true : nil }
  }
}
