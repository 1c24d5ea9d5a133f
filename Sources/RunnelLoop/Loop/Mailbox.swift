import CLinux
import Glibc
import RunnelStreams
import Synchronization

/// The inbox of a loop for jobs from other threads.
///
/// A lock-free stack. The loop takes all of it at once and reverses it. The loop announces when it
/// sleeps; only the first job after that costs a system call.
// Safety: nodes are handed over with the stack; the descriptor is constant and the flag is atomic.
final class Mailbox: @unchecked Sendable {
  private let top = Atomic<UnsafeMutablePointer<JobLink>?>(nil)
  private let isAsleep = Atomic(false)

  /// An eventfd that signals an edge with each call of ``wake()``.
  let descriptor = Descriptor(needed: eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)))

  deinit {
    var unused = JobList()
    _ = empty(into: &unused)
  }

  /// Adds a job, from any thread.
  func add(_ job: Job) {
    let link = JobLink.make(job)
    var current = top.load(ordering: .relaxed)
    while true {
      // Safety: no other thread can reach the node before it is on top; after that the loop owns
      // it.
      link.pointee.next = current
      // All operations on `top` and `isAsleep` are sequentially consistent: if the loop does not
      // see this job, this thread sees that the loop sleeps.
      let (exchanged, original) = top.compareExchange(
        expected: current, desired: link, ordering: .sequentiallyConsistent)
      if exchanged { break }
      current = original
    }
    // If the stack was not empty, the thread that added the first job has woken the loop.
    if current == nil && isAsleep.load(ordering: .sequentiallyConsistent) {
      if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { wake() }
    }
  }

  /// Ends the current or the next sleep of the loop.
  private func wake() {
    // Each write signals a new edge, even if the previous count was not read.
    eventfd_write(descriptor.number, 1)
  }

  /// Moves the jobs into a list, oldest first. Returns false if there were none.
  func empty(into list: inout JobList) -> Bool {
    guard top.load(ordering: .relaxed) != nil else { return false }
    var newest = top.exchange(nil, ordering: .acquiringAndReleasing)
    var oldest: UnsafeMutablePointer<JobLink>?
    while let link = newest {
      newest = link.pointee.next
      link.pointee.next = oldest
      oldest = link
    }
    while let link = oldest {
      oldest = link.pointee.next
      link.pointee.next = nil
      list.append(link)
    }
    return true
  }

  /// Announces that the loop is about to sleep. Returns false if a job has arrived, so it must not.
  func prepareToSleep() -> Bool {
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    if top.load(ordering: .sequentiallyConsistent) == nil { return true }
    isAsleep.store(false, ordering: .relaxed)
    return false
  }

  /// Called after a sleep. Returns true if a job has ended it, or has arrived meanwhile.
  func endSleep() -> Bool {
    defer { isAsleep.store(false, ordering: .relaxed) }
    return !isAsleep.load(ordering: .relaxed)
  }
}
