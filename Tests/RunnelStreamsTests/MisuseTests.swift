import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

/// The messages of traps: each states the mistake and the fix. The tests of each operator check
/// which calls trap.
@Suite struct MisuseTests {
  @Test func aMissingSchedulerIsExplained() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let thread = ThreadContext()
      thread.run { _ = EventStream<Void, Never>.timer(after: .seconds(1)).observeNext { _ in } }
    }
    #expect(result.says("This thread has no scheduler for a timed operator."))
    #expect(result.says("on: scheduler"))
  }

  @Test func aNegativeCountIsExplained() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = EventStream<Int, Never>.never.take(-3)
    }
    #expect(result.says("take(_:) called with a count of -3. Pass 0 or more."))
  }

  @Test func aNegativeReplayIsExplained() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = EventStream<Int, Never>.never.replay(-1)
    }
    #expect(result.says("The replay count is -1. Pass 0 or more, or .max to replay all elements."))
  }

  @Test func aPeriodOfZeroIsExplained() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = EventStream<Int, Never>.interval(.zero)
    }
    #expect(result.says("interval(_:) needs a period longer than zero."))
    #expect(result.says("use timer(after:)"))
  }

  @Test func mutatingAPropertyInsideMutateIsExplained() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let number = Property(1)
      number.mutate { $0 += number.value }
    }
    #expect(result.says("A Property was used within its own mutate { }"))
    #expect(result.says("Use the inout argument of the closure."))
  }

  @Test func singleAndCompletableNeedAnAttempt() async {
    await #expect(processExitsWith: .failure) { _ = Single<Int, Broken>.just(1).retry(0) }
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = Completable<Broken>.completed.retry(0)
    }
    #expect(result.says("retry(_:) needs at least 1 attempt. The first one counts."))
  }
}
