import CLibevent
import RunnelFiles
import TestSupport
import Testing

@testable import RunnelLoop

@Suite struct SpinPolicyTests {
  /// A loop that looks as a `SpinPolicy` says, without threads.
  private struct RunState {
    var spinPolicy = SpinPolicy()
    var now: Duration = .zero

    /// Jobs come after a pause in which there is nothing to do. Returns for how long it looked.
    mutating func pause(_ length: Duration) -> Duration {
      let start = now
      var looked: Duration = .zero
      while now - start < length {
        if spinPolicy.expectsJobs(at: now) { looked += .microseconds(1) }
        now += .microseconds(1)
      }
      spinPolicy.haveCome(at: now)
      return looked
    }

    /// What comes after a long pause is no job.
    mutating func sleepUntilSomethingElse() {
      _ = spinPolicy.expectsJobs(at: now)
      now += .milliseconds(10)
      spinPolicy.hasWorked()
    }

    mutating func gainConfidence() {
      for _ in 0..<SpinPolicy.confidence { _ = pause(.microseconds(5)) }
    }
  }

  @Test func itLooksWhereJobsCameSoonManyTimesInARow() {
    var course = RunState()
    for _ in 0..<SpinPolicy.confidence { #expect(course.pause(.microseconds(40)) == .zero) }
    #expect(course.pause(.microseconds(10)) == .microseconds(10))
    #expect(course.pause(.microseconds(20)) == .microseconds(20))
  }

  @Test func itLooksForAMomentOnly() {
    var course = RunState()
    course.gainConfidence()
    #expect(course.pause(.seconds(1) / 1_000) == SpinPolicy.patience)
    for _ in 0..<100 { #expect(course.pause(.microseconds(60)) == .zero) }
  }

  /// Jobs that come soon, but not soon enough for it.
  @Test func itSeldomLooksInVain() {
    var course = RunState()
    course.gainConfidence()
    let looks = (0..<100).map { _ in course.pause(.microseconds(40)) }
    #expect(looks.filter { $0 == SpinPolicy.patience }.count == 25)
    #expect(looks.filter { $0 == .zero }.count == 75)
  }

  @Test func whatComesLateIsBeginningAnew() {
    var course = RunState()
    course.gainConfidence()
    _ = course.pause(.microseconds(51))
    for _ in 0..<SpinPolicy.confidence { #expect(course.pause(.microseconds(5)) == .zero) }
    #expect(course.pause(.microseconds(5)) == .microseconds(5))
  }

  /// Descriptors wake a loop that has slept for long, and what they ask others is answered soon.
  @Test func whatIsDoneInBetweenIsNoPause() {
    var course = RunState()
    for _ in 0..<SpinPolicy.confidence {
      course.sleepUntilSomethingElse()
      #expect(course.pause(.microseconds(10)) == .zero)
    }
    #expect(course.pause(.microseconds(10)) == .microseconds(10))
  }

  @Test func onlyProcessorsThatItMayRunOnCount() throws {
    let status = try SafeFile("/proc/thread-self/status").contents(upTo: 1 << 20).bytes
    let line = try #require(
      String(decoding: status, as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix("Cpus_allowed:") })
    let count = line.split(separator: "\t")[1].compactMap(\.hexDigitValue)
      .reduce(0) { $0 + $1.nonzeroBitCount }
    #expect(runnel_processor_count() == count)
  }

  /// A loop that looks turns many times from job to job, one that sleeps does not. Whether it looks
  /// goes by the time, and other threads may take theirs: so it may be tried again.
  @Test(.enabled(if: SpinPolicy.isOfUse)) func aLoopLooks() async {
    await withLoop { loop in
      let end = ContinuousClock.now + .seconds(60)
      var mostTurns = 0
      // A slow machine needs longer for as many turns, and one that looks gives it up to 50 µs.
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
      #expect(mostTurns >= 300, "It never looks.")
    }
  }

  /// A loop that has descriptors only does not ask for the time.
  @Test func withoutJobsItDoesNotLookAtTheClock() {
    var spinPolicy = SpinPolicy()
    var count = 0
    var now: Duration {
      count += 1
      return .zero
    }
    for _ in 0..<1_000 where spinPolicy.expectsJobs(at: now) { Issue.record("It looks.") }
    #expect(count == 1)
  }
}
