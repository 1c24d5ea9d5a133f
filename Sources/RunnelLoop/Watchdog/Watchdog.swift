import CLinux
import CStacks
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

  /// The slow loops, and the time until the next look.
  private struct Findings {
    var slow: [(loop: WatchedLoop, duration: Duration)] = []
    var pause = Duration.longest
  }

  private let state = Monitor(State())

  var hasThread: Bool { state.withLock { $0.hasThread } }

  func watch(_ activity: LoopActivity, of name: String, limit: Duration) -> Disposable {
    runnel_install_recorder()
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

  /// Ends the present sleep, because a loop has something to do.
  func call() {
    state.withLock { $0.isCalled = true }
  }

  private func startThread() {
    let thread = startThreadIfAllowed { [self] in
      runnel_name_thread("watchdog")
      run()
    }
    if let thread {
      pthread_detach(thread)
    } else {
      state.withLock { $0.hasThread = false }
      Log("runnel.loop").warning("The system could not start the thread that watches slow turns.")
    }
  }

  private func run() {
    var deadline = Duration.longest
    while let findings = look(deadline: deadline) {
      report(findings.slow)
      deadline = DeadlineTimer.now.plus(findings.pause)
      _ = state.wait(atMost: findings.pause) { $0.isCalled ? true : nil }
    }
  }

  private func report(_ slow: [(loop: WatchedLoop, duration: Duration)]) {
    // All stacks first: names and handlers take time.
    let stacks = slow.map { loop, _ in
      let addresses = loop.isStillBusy ? StackRecorder.addresses(of: loop) : []
      // The next turn may have begun meanwhile.
      return loop.isStillBusy ? addresses : []
    }
    for ((loop, duration), addresses) in zip(slow, stacks) {
      let stack = StackRecorder.names(of: addresses)
      Hooks.slowTurn(SlowTurn(loop: loop.name, duration: duration, stack: stack))
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
      for loop in state.loops.values { loop.await(true) }
      // A loop that begins a turn now sees that it is awaited, or else its turn is seen below.
      let isFenced = runnel_fence_threads() != 0
      var allWait = true
      for (number, var loop) in state.loops {
        // The machine may have stopped the loop as well.
        if now > deadline { loop.discount(now - deadline) }
        if let duration = loop.look(now: now) { findings.slow.append((loop, duration)) }
        allWait = allWait && loop.isWaiting
        findings.pause = min(findings.pause, max(loop.limit / 4, .milliseconds(1)))
        state.loops[number] = loop
      }
      if allWait {
        findings.pause = isFenced ? .longest : .seconds(10)
      } else {
        for loop in state.loops.values { loop.await(false) }
      }
      return findings
    }
  }
}
