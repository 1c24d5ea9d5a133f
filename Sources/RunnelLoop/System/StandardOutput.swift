import Glibc

enum StandardOutput {
  /// True if it is a pipe or a socket that has no reader any more.
  ///
  /// May be called by a signal handler.
  static var hasLostReader: Bool {
    var status = stat()
    guard fstat(STDOUT_FILENO, &status) == 0 else { return false }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFIFO || kind == S_IFSOCK else { return false }
    var state = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return poll(&state, 1, 0) > 0 && Int32(state.revents) & (POLLERR | POLLHUP) != 0
  }
}
