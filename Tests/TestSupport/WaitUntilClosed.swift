import Glibc
import Testing

/// Waits until no process has a file open for writing. A process that another test is starting
/// holds all descriptors until it executes its program.
package func waitUntilClosed(_ path: String) {
  let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  guard descriptor >= 0 else { return }
  defer { close(descriptor) }
  // The system grants a read lease only if the file has no writer, and notifies the holder by a
  // signal that is ignored here. The constants are not imported.
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
