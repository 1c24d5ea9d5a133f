import Glibc
import Testing

/// The time after which a test gives up waiting. A busy machine may take more than a minute for what
/// takes a millisecond otherwise.
package let longestWait = Duration.seconds(1_200)

/// Writes a file in place, and waits until no process has it open for writing.
///
/// Foundation opens files without `O_CLOEXEC`, so that a process which another test starts meanwhile
/// would have the file open until its end.
package func writeFile(_ path: String, _ bytes: some Sequence<UInt8>) {
  let (bytes, file) = (Array(bytes), open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666))
  guard file >= 0, write(file, bytes, bytes.count) == bytes.count else {
    fatalError("\(path) cannot be written: \(String(cString: strerror(errno)))")
  }
  close(file)
  waitUntilClosed(path)
}

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
  let end = ContinuousClock.now + longestWait
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
