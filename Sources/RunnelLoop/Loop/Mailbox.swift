import CLibevent
import Glibc
import RunnelStreams
import Synchronization

/// Where other threads put jobs for a loop, and how they wake it.
///
/// A stack without a lock, which the loop takes as a whole and turns around. The loop says when it
/// goes to sleep; only the first job after that costs a system call.
// Safety: its links are handed over with the stack; only the descriptor and the flag stay.
final class Mailbox: @unchecked Sendable {
  private let top = Atomic<UnsafeMutablePointer<JobLink>?>(nil)
  private let isAsleep = Atomic(false)

  /// Becomes readable, anew with each call of ``wake()``.
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
      // Safety: nobody else knows the link before it is on top; then it is the loop's.
      link.pointee.next = current
      // Sequentially consistent, as all that the two sides tell each other here: a loop that does not
      // see this job is seen to sleep.
      let (exchanged, original) = top.compareExchange(
        expected: current, desired: link, ordering: .sequentiallyConsistent)
      if exchanged { break }
      current = original
    }
    // Whoever put the first one there has woken the loop.
    if current == nil && isAsleep.load(ordering: .sequentiallyConsistent) {
      if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { wake() }
    }
  }

  /// Ends the sleep of the loop, or the next one.
  private func wake() {
    // With each write the descriptor counts as newly readable, also when nobody has read it since.
    eventfd_write(descriptor.number, 1)
  }

  /// Moves the jobs into a list, in the order they were given. False if there were none.
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

  /// Announces that the loop sleeps from now on. False if it must not: a job has come.
  func fallAsleep() -> Bool {
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    if top.load(ordering: .sequentiallyConsistent) == nil { return true }
    wakeUp()
    return false
  }

  /// Takes that back.
  func wakeUp() {
    isAsleep.store(false, ordering: .relaxed)
  }
}
