import RunnelStreams
import Testing

@testable import RunnelTesting

@Suite struct ThreadContextTests {
  @Test func runsJobsInOrder() {
    let thread = ThreadContext()
    let log = Monitor<[Int]>([])
    for number in 1...1000 { thread.execute { log.withLock { $0.append(number) } } }
    thread.join()
    #expect(log.withLock { $0 } == Array(1...1000))
  }

  @Test func isCurrentOnItsThreadOnly() {
    let thread = ThreadContext()
    let other = ThreadContext()
    #expect(!thread.isCurrent)
    #expect(thread.run { thread.isCurrent && !other.isCurrent })
    #expect(thread.run { Current.contextIfAny === thread })
    thread.join()
    other.join()
  }

  @Test func runReturnsTheResult() {
    let thread = ThreadContext()
    #expect(thread.run { 6 * 7 } == 42)
    thread.join()
  }

  @Test func flushWaitsForEarlierJobs() {
    let thread = ThreadContext()
    let count = Monitor(0)
    for _ in 1...100 { thread.execute { count.withLock { $0 += 1 } } }
    thread.flush()
    #expect(count.withLock { $0 } == 100)
    thread.join()
  }

  @Test func joinWaitsForJobsEnqueuedByJobs() {
    let thread = ThreadContext()
    let count = Monitor(0)
    thread.execute {
      thread.execute {
        thread.execute { count.withLock { $0 += 1 } }
      }
    }
    thread.join()
    #expect(count.withLock { $0 } == 1)
  }

  @Test func jobsAfterJoinAreDropped() {
    let thread = ThreadContext()
    thread.join()
    let count = Monitor(0)
    thread.execute { count.withLock { $0 += 1 } }
    thread.join()
    #expect(count.withLock { $0 } == 0)
  }

  @Test func joinReleasesTheContext() {
    var thread: ThreadContext? = ThreadContext()
    weak let released = thread
    thread?.join()
    thread = nil
    #expect(released == nil)
  }

  @Test func waitingOnItsOwnThreadTraps() async {
    await #expect(processExitsWith: .failure) {
      let thread = ThreadContext()
      thread.run { thread.join() }
    }
    await #expect(processExitsWith: .failure) {
      let thread = ThreadContext()
      thread.run { thread.flush() }
    }
  }
}
