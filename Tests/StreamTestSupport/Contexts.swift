import Glibc
import RunnelStreams
import RunnelTesting

/// A context on one thread that runs a job at once, or after the current job. A test sees the order
/// of a crossing without the nondeterminism of threads.
// Safety: each test that uses it runs on one thread.
package final class TurnContext: ExecutionContext, @unchecked Sendable {
  private var jobs: [@Sendable () -> Void] = []
  private var isRunning = false

  package init() {}

  package var isCurrent: Bool { true }

  package func execute(_ job: @escaping @Sendable () -> Void) {
    jobs.append(job)
    guard !isRunning else { return }
    isRunning = true
    defer { isRunning = false }
    while !jobs.isEmpty { jobs.removeFirst()() }
  }
}

/// A context whose `execute` returns only after its thread has run the job. If the caller still
/// held the job's captures, it would be the last to release them.
package final class MeetingContext: ExecutionContext {
  private let thread: ThreadContext

  package init(_ thread: ThreadContext) {
    self.thread = thread
  }

  package var isCurrent: Bool { thread.isCurrent }

  package func execute(_ job: @escaping @Sendable () -> Void) {
    thread.execute(job)
    if !thread.isCurrent { thread.flush() }
  }
}

/// A pool of three threads: jobs run in parallel, and no thread belongs to a context.
package final class PoolContext: ExecutionContext {
  private struct Work {
    var jobs: [@Sendable () -> Void] = []
    var running = 0
    var isJoining = false
    var threads: [pthread_t] = []
  }

  private let work = Monitor(Work())

  package init() {
    for _ in 1...3 {
      let thread = startThread { self.main() }
      work.withLock { $0.threads.append(thread) }
    }
  }

  package var isCurrent: Bool { false }

  package func execute(_ job: @escaping @Sendable () -> Void) {
    work.withLock { $0.jobs.append(job) }
  }

  /// Waits until all jobs, including those that jobs add, have run. Then ends the threads.
  package func join() {
    let threads = work.withLock { work in
      work.isJoining = true
      return work.threads
    }
    for thread in threads { pthread_join(thread, nil) }
  }

  private func main() {
    while let job = nextJob() {
      job()
      work.withLock { $0.running -= 1 }
    }
  }

  private func nextJob() -> (@Sendable () -> Void)? {
    let job: (@Sendable () -> Void)?? = work.wait { work in
      if !work.jobs.isEmpty {
        work.running += 1
        return .some(work.jobs.removeFirst())
      }
      return work.isJoining && work.running == 0 ? .some(nil) : nil
    }
    return job ?? nil
  }
}

/// A list that any thread can append to.
package final class SharedLog<Element: Sendable>: Sendable {
  private let elements = Monitor<[Element]>([])

  package init() {}

  package var all: [Element] { elements.withLock { $0 } }
  package var count: Int { all.count }

  package func append(_ element: Element) {
    elements.withLock { $0.append(element) }
  }

  /// Waits until the list has at least `count` elements.
  package func wait(for count: Int) {
    _ = elements.wait { $0.count >= count ? true : nil }
  }
}

/// A gate that opens once. Threads wait in ``pass()`` until it is open.
package final class Gate: Sendable {
  private let isOpen = Monitor(false)

  package init() {}

  package func open() {
    isOpen.withLock { $0 = true }
  }

  package func pass() {
    _ = isOpen.wait { $0 ? true : nil }
  }
}

/// An object of one context that logs where it was released.
package final class Resident {
  private let home: any ExecutionContext
  private let releases: SharedLog<Bool>

  /// Appends true to `releases` when it is released on its context.
  package init(of home: any ExecutionContext, _ releases: SharedLog<Bool>) {
    self.home = home
    self.releases = releases
  }

  deinit {
    releases.append(home.isCurrent)
  }
}

package struct Broken: Error, Hashable {
  package init() {}
}

/// Counts, from any thread, the number of simultaneous visits.
package final class Occupancy: Sendable {
  private let counts = Monitor((inside: 0, most: 0))

  package init() {}

  package var most: Int { counts.withLock(\.most) }

  package func visit(_ body: () -> Void) {
    counts.withLock {
      $0.inside += 1
      $0.most = max($0.most, $0.inside)
    }
    body()
    counts.withLock { $0.inside -= 1 }
  }
}
