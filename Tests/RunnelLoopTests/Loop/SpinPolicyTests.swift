import CLinux
import RunnelFiles
import TestSupport
import Testing

@testable import RunnelLoop

@Suite struct SpinPolicyTests {
  /// A simulation of a loop that uses a `SpinPolicy`, without threads.
  private struct SimulatedLoop {
    var spinPolicy = SpinPolicy()
    var now: Duration = .zero

    /// Simulates an idle time before a job. Returns the time spent spinning.
    mutating func pause(_ length: Duration) -> Duration {
      let start = now
      var spun: Duration = .zero
      while now - start < length {
        if spinPolicy.shouldSpin(at: now) { spun += .microseconds(1) }
        now += .microseconds(1)
      }
      spinPolicy.jobsArrived(at: now)
      return spun
    }

    /// Simulates a long idle time that ends with other work than a job.
    mutating func sleepUntilOtherWork() {
      _ = spinPolicy.shouldSpin(at: now)
      now += .milliseconds(10)
      spinPolicy.didOtherWork()
    }

    mutating func reachRequiredStreak() {
      for _ in 0..<SpinPolicy.requiredStreak { _ = pause(.microseconds(5)) }
    }
  }

  @Test func spinsAfterSeveralJobsInQuickSuccession() {
    var loop = SimulatedLoop()
    for _ in 0..<SpinPolicy.requiredStreak { #expect(loop.pause(.microseconds(40)) == .zero) }
    #expect(loop.pause(.microseconds(10)) == .microseconds(10))
    #expect(loop.pause(.microseconds(20)) == .microseconds(20))
  }

  @Test func spinIsLimited() {
    var loop = SimulatedLoop()
    loop.reachRequiredStreak()
    #expect(loop.pause(.milliseconds(1)) == SpinPolicy.maximumSpin)
    for _ in 0..<100 { #expect(loop.pause(.microseconds(60)) == .zero) }
  }

  /// Jobs that arrive soon, but after the policy has stopped spinning.
  @Test func rarelySpinsInVain() {
    var loop = SimulatedLoop()
    loop.reachRequiredStreak()
    let spins = (0..<100).map { _ in loop.pause(.microseconds(40)) }
    #expect(spins.filter { $0 == SpinPolicy.maximumSpin }.count == 25)
    #expect(spins.filter { $0 == .zero }.count == 75)
  }

  @Test func lateJobResetsStreak() {
    var loop = SimulatedLoop()
    loop.reachRequiredStreak()
    _ = loop.pause(.microseconds(51))
    for _ in 0..<SpinPolicy.requiredStreak { #expect(loop.pause(.microseconds(5)) == .zero) }
    #expect(loop.pause(.microseconds(5)) == .microseconds(5))
  }

  /// Descriptors wake a loop after a long sleep, and their jobs are answered soon.
  @Test func otherWorkIsNotIdleTime() {
    var loop = SimulatedLoop()
    for _ in 0..<SpinPolicy.requiredStreak {
      loop.sleepUntilOtherWork()
      #expect(loop.pause(.microseconds(10)) == .zero)
    }
    #expect(loop.pause(.microseconds(10)) == .microseconds(10))
  }

  @Test func countsOnlyAllowedProcessors() throws {
    let status = try SafeFile("/proc/thread-self/status").contents(upTo: 1 << 20).bytes
    let line = try #require(
      String(decoding: status, as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix("Cpus_allowed:") })
    let count = line.split(separator: "\t")[1].compactMap(\.hexDigitValue)
      .reduce(0) { $0 + $1.nonzeroBitCount }
    #expect(runnel_processor_count() == count)
  }

  /// A spinning loop makes many turns between two jobs; a sleeping one does not. The result depends
  /// on the time that other threads take, so the test may try again.
  @Test(.enabled(if: SpinPolicy.isUseful)) func loopSpins() async {
    await withLoop { loop in
      let end = ContinuousClock.now + .seconds(60)
      var mostTurns = 0
      // A slow machine needs longer for as many turns, and a loop spins for at most 30 µs.
      var pauses = [10, 20, 30, 40].map { Duration.microseconds($0) }
      while mostTurns < 300 && ContinuousClock.now < end {
        pauses.append(pauses.removeFirst())
        let before = loop.wait { loop.statistics.turns }
        for _ in 0..<100 {
          let next = ContinuousClock.now + pauses[0]
          while ContinuousClock.now < next {}
          loop.execute {}
        }
        mostTurns = max(mostTurns, loop.wait { loop.statistics.turns } - before)
      }
      #expect(mostTurns >= 300, "The loop never spins.")
    }
  }

  /// A loop that has only descriptors reads the clock once, when it becomes idle.
  @Test func readsTheClockOnceWithoutJobs() {
    var spinPolicy = SpinPolicy()
    var count = 0
    var now: Duration {
      count += 1
      return .zero
    }
    for _ in 0..<1_000 where spinPolicy.shouldSpin(at: now) { Issue.record("The policy spins.") }
    #expect(count == 1)
  }
}
