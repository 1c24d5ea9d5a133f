import Glibc

/// Returns when nobody has the file at a path open for writing any more. Where another test starts a
/// process meanwhile, that has all descriptors too until it runs its program.
func waitUntilClosed(_ path: String) {
  let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
  guard descriptor >= 0 else { return }
  // The system grants a lease for reading only then. F_SETLEASE is not imported.
  let setLease: Int32 = 1_024
  while fcntl(descriptor, setLease, F_RDLCK) < 0 {
    guard errno == EAGAIN else { break }
    sched_yield()
  }
  _ = fcntl(descriptor, setLease, F_UNLCK)
  close(descriptor)
}
