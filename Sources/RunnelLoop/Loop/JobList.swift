/// A unit of work for a loop: a closure, or a job of a task.
enum Job {
  case call(@Sendable () -> Void)
  /// A job of a task that runs in an actor pinned to the loop.
  case actorJob(UnownedJob)
  /// A job of a task that prefers the loop.
  case taskJob(UnownedJob)
}

/// A node of a linked list of jobs. A spare node has no job.
struct JobLink {
  var job: Job?
  var next: UnsafeMutablePointer<JobLink>?

  static func make(_ job: Job) -> UnsafeMutablePointer<JobLink> {
    let link = UnsafeMutablePointer<JobLink>.allocate(capacity: 1)
    link.initialize(to: JobLink(job: job))
    return link
  }
}

/// A queue of jobs, first in, first out. It is not thread-safe.
// Safety: each node is reachable from exactly one list, which frees it.
struct JobList: ~Copyable {
  private var first: UnsafeMutablePointer<JobLink>?
  private var last: UnsafeMutablePointer<JobLink>?
  /// Nodes for reuse, so that most jobs of the loop's own thread need no allocation.
  private var spare: UnsafeMutablePointer<JobLink>?
  private var spareCount = 0

  private(set) var count = 0

  private static let maximumSpareCount = 1_024

  deinit {
    Self.free(first)
    Self.free(spare)
  }

  mutating func append(_ job: Job) {
    if let link = spare {
      spare = link.pointee.next
      spareCount -= 1
      link.pointee.job = job
      link.pointee.next = nil
      append(link)
    } else {
      append(JobLink.make(job))
    }
  }

  mutating func append(_ link: UnsafeMutablePointer<JobLink>) {
    if let last { last.pointee.next = link } else { first = link }
    last = link
    count += 1
  }

  mutating func popFirst() -> Job? {
    guard let link = first else { return nil }
    first = link.pointee.next
    if first == nil { last = nil }
    count -= 1
    let job = link.pointee.job.take()
    if spareCount < Self.maximumSpareCount {
      link.pointee.next = spare
      spare = link
      spareCount += 1
    } else {
      link.deallocate()
    }
    return job
  }

  private static func free(_ chain: UnsafeMutablePointer<JobLink>?) {
    var rest = chain
    while let link = rest {
      rest = link.pointee.next
      link.deinitialize(count: 1)
      link.deallocate()
    }
  }
}
