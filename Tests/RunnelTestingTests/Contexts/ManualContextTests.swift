import RunnelStreams
import Testing

@testable import RunnelTesting

@Suite struct ManualContextTests {
  @Test func runsJobsOnlyOnRequest() {
    let context = ManualContext()
    let log = Monitor<[Int]>([])
    context.execute { log.withLock { $0.append(1) } }
    context.execute { log.withLock { $0.append(2) } }
    #expect(log.withLock { $0 } == [])
    #expect(context.pending == 2)
    #expect(context.runOne())
    #expect(log.withLock { $0 } == [1])
    context.run()
    #expect(log.withLock { $0 } == [1, 2])
    #expect(!context.runOne())
  }

  @Test func runsJobsEnqueuedByJobs() {
    let context = ManualContext()
    let log = Monitor<[Int]>([])
    context.execute {
      log.withLock { $0.append(1) }
      context.execute { log.withLock { $0.append(2) } }
    }
    context.run()
    #expect(log.withLock { $0 } == [1, 2])
  }

  @Test func isCurrentOnTheCreatingThread() {
    let context = ManualContext()
    let thread = ThreadContext()
    #expect(context.isCurrent)
    #expect(!thread.run { context.isCurrent })
    #expect(context.use { Current.contextIfAny === context })
    thread.join()
  }

  @Test func waitsForJobsOfOtherThreads() async {
    let count = await ManualContext.onThread { home in
      let thread = ThreadContext()
      let count = Monitor(0)
      thread.execute {
        for _ in 1...100 { home.execute { count.withLock { $0 += 1 } } }
      }
      home.run(until: { count.withLock { $0 } == 100 })
      thread.join()
      return count.withLock { $0 }
    }
    #expect(count == 100)
  }

  @Test func stopsWhenTheConditionIsTrue() {
    let context = ManualContext()
    let count = Monitor(0)
    for _ in 1...3 { context.execute { count.withLock { $0 += 1 } } }
    #expect(context.run(until: { count.withLock { $0 } == 2 }))
    #expect(context.pending == 1)
    #expect(context.run(until: { true }))
    #expect(context.pending == 1)
  }

  @Test func reportsAnExceededLimit() {
    let reports = Monitor<[String]>([])
    let context = ManualContext(report: { message in reports.withLock { $0.append(message) } })
    #expect(!context.run(until: { false }, within: .zero))
    #expect(
      reports.withLock { $0 } == [
        "run(until:) exceeded its limit of 0.0 seconds, and its condition is still false."
      ])
  }

  @Test func acceptsAnyLimit() {
    let reports = Monitor(0)
    let context = ManualContext(report: { _ in reports.withLock { $0 += 1 } })
    let hasRun = Monitor(false)
    context.execute { hasRun.withLock { $0 = true } }
    #expect(
      context.run(until: { hasRun.withLock { $0 } }, within: Duration(attoseconds: .max)))
    for limit in [Duration.milliseconds(-999), Duration(attoseconds: .min)] {
      #expect(!context.run(until: { false }, within: limit))
    }
    #expect(reports.withLock { $0 } == 2)
  }

  @Test func exceededLimitTrapsByDefault() async {
    await #expect(processExitsWith: .failure) {
      ManualContext().run(until: { false }, within: .zero)
    }
  }

  @Test func useOnAnotherThreadTraps() async {
    await #expect(processExitsWith: .failure) {
      let context = ManualContext()
      let thread = ThreadContext()
      thread.run { context.run() }
    }
  }

  @Test func onThreadRunsTheBodyInItsContext() async {
    let isHome = await ManualContext.onThread { home in
      home.isCurrent && Current.contextIfAny === home
    }
    #expect(isHome)
  }
}
