/// What a loop is to run: a closure, or a part of a task.
enum Job {
  case call(@Sendable () -> Void)
  /// A part of a task that runs in an actor pinned to the loop.
  case actorPart(UnownedJob)
  /// A part of a task that prefers the loop.
  case taskPart(UnownedJob)
}

/// A job, and the one that it is linked to; an empty one waits to be used again.
struct JobLink {
  var job: Job?
  var next: UnsafeMutablePointer<JobLink>?

  static func make(_ job: Job) -> UnsafeMutablePointer<JobLink> {
    let link = UnsafeMutablePointer<JobLink>.allocate(capacity: 1)
    link.initialize(to: JobLink(job: job))
    return link
  }
}

/// The jobs of a loop that are ready to run, first in, first out. Only its thread touches them.
// Safety: each link belongs to one list, is reachable from it once, and is freed by it.
struct JobList: ~Copyable {
  private var first: UnsafeMutablePointer<JobLink>?
  private var last: UnsafeMutablePointer<JobLink>?
  /// Empty links, so that a job of the loop's own needs no allocation.
  private var spare: UnsafeMutablePointer<JobLink>?
  private var spareCount = 0

  /// How many jobs wait.
  private(set) var count = 0

  private static let mostSpare = 1_024

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
    if spareCount < Self.mostSpare {
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
