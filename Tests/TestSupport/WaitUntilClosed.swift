import Glibc
import Testing

/// Returns when nobody has the file at a path open for writing any more. Where another test starts a
/// process meanwhile, that has all descriptors too until it runs its program.
package func waitUntilClosed(_ path: String) {
  let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  guard descriptor >= 0 else { return }
  defer { close(descriptor) }
  // The system grants a lease for reading only then, and sends whoever has one a signal: one that has no
  // effect. The names are not imported.
  let (setSignal, setLease): (Int32, Int32) = (10, 1_024)
  _ = fcntl(descriptor, setSignal, SIGURG)
  let end = ContinuousClock.now + .seconds(60)
  while fcntl(descriptor, setLease, F_RDLCK) < 0 {
    guard errno == EAGAIN else { return }
    guard ContinuousClock.now < end else {
      Issue.record("\(path) is still open for writing.")
      return
    }
    sched_yield()
  }
  _ = fcntl(descriptor, setLease, F_UNLCK)
}
