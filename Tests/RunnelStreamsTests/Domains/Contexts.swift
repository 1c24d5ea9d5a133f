import Glibc
import RunnelStreams

@testable import RunnelTesting

/// A context on one thread that runs a job at once, or after the one that runs: it shows what a
/// crossing does without the chance of threads.
// Safety: the tests that use it have one thread.
final class TurnContext: ExecutionContext, @unchecked Sendable {
  private var jobs: [@Sendable () -> Void] = []
  private var isRunning = false

  var isCurrent: Bool { true }

  func execute(_ job: @escaping @Sendable () -> Void) {
    jobs.append(job)
    guard !isRunning else { return }
    isRunning = true
    defer { isRunning = false }
    while !jobs.isEmpty { jobs.removeFirst()() }
  }
}

/// A thread that has run a job when the giving of it returns: the order of things in which whoever
/// gave the job and held on to what it is about would be the last to let go.
final class MeetingContext: ExecutionContext {
  private let thread: ThreadContext

  init(_ thread: ThreadContext) {
    self.thread = thread
  }

  var isCurrent: Bool { thread.isCurrent }

  func execute(_ job: @escaping @Sendable () -> Void) {
    thread.execute(job)
    if !thread.isCurrent { thread.flush() }
  }
}

/// A pool of three threads: jobs run side by side, and no thread is anybody's home.
final class PoolContext: ExecutionContext {
  private struct Work {
    var jobs = JobQueue()
    var running = 0
    var isJoining = false
    var threads: [pthread_t] = []
  }

  private let work = Monitor(Work())

  init() {
    for _ in 1...3 {
      let thread = startThread { self.main() }
      work.withLock { $0.threads.append(thread) }
    }
  }

  var isCurrent: Bool { false }

  func execute(_ job: @escaping @Sendable () -> Void) {
    work.withLock { $0.jobs.append(job) }
  }

  /// Waits until all jobs have run, and those that they gave; then ends the threads.
  func join() {
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

  private func nextJob() -> JobQueue.Job? {
    let job: JobQueue.Job?? = work.wait { work in
      if let job = work.jobs.popFirst() {
        work.running += 1
        return .some(job)
      }
      return work.isJoining && work.running == 0 ? .some(nil) : nil
    }
    return job ?? nil
  }
}

/// A list that any thread may add to.
final class SharedLog<Element: Sendable>: Sendable {
  private let elements = Monitor<[Element]>([])

  var all: [Element] { elements.withLock { $0 } }
  var count: Int { all.count }

  func append(_ element: Element) {
    elements.withLock { $0.append(element) }
  }

  /// Waits until there are so many.
  func wait(for count: Int) {
    _ = elements.wait { $0.count >= count ? true : nil }
  }
}

/// Something that goes up when it is raised, once.
final class Gate: Sendable {
  private let isOpen = Monitor(false)

  func open() {
    isOpen.withLock { $0 = true }
  }

  func pass() {
    _ = isOpen.wait { $0 ? true : nil }
  }
}

/// An object of one thread that says where it died.
final class Resident {
  private let home: any ExecutionContext
  private let deaths: SharedLog<Bool>

  /// Its death is logged as true if it happens on its context.
  init(of home: any ExecutionContext, _ deaths: SharedLog<Bool>) {
    self.home = home
    self.deaths = deaths
  }

  deinit {
    deaths.append(home.isCurrent)
  }
}

struct Broken: Error, Hashable {}

/// Counts, from any thread, how many are inside at a time.
final class Occupancy: Sendable {
  private let counts = Monitor((inside: 0, most: 0))

  var most: Int { counts.withLock(\.most) }

  func visit(_ body: () -> Void) {
    counts.withLock {
      $0.inside += 1
      $0.most = max($0.most, $0.inside)
    }
    body()
    counts.withLock { $0.inside -= 1 }
  }
}
