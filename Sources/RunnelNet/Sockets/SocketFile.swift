import CSockets
import Glibc
import RunnelLoop

/// The file of a Unix socket that listens, or receives datagrams.
struct SocketFile {
  let path: String
  private let device: UInt64
  private let number: UInt64

  /// Binds a socket to a path. A socket of connections also listens.
  ///
  /// A file that a process left behind is replaced. A socket at which a process listens is not, and
  /// neither is another kind of file. Processes that start at the same time take turns.
  static func create(
    at path: String, kind: __socket_type = SOCK_STREAM, backlog: Int, permissions: UInt32?
  ) throws(SystemError) -> (Descriptor, SocketFile) {
    guard var system = SocketAddress.unix(path).system else { throw SystemError(ENAMETOOLONG) }
    let lock = try lockFolder(of: path)
    defer { withExtendedLifetime(lock) {} }
    try removeStale(path, kind)
    let socket = try OwnedSocket.open(kind, for: &system)
    // The file is created with the permissions of the socket.
    if let permissions { fchmod(socket.number, permissions) }
    if runnel_bind(socket.number, &system) < 0 { throw SystemError() }
    do throws(SystemError) {
      // The process's umask may have removed some.
      if let permissions, chmod(path, permissions) < 0 { throw SystemError() }
      if kind == SOCK_STREAM && listen(socket.number, Int32(clamping: backlog)) < 0 {
        throw SystemError()
      }
      var status = stat()
      if lstat(path, &status) < 0 { throw SystemError() }
      let file = SocketFile(
        path: path, device: UInt64(status.st_dev), number: UInt64(status.st_ino))
      return (Descriptor(owning: socket.take()), file)
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Locks the folder of a path until the descriptor is closed. Returns nil if the folder cannot be
  /// read, or if another program keeps it locked.
  private static func lockFolder(of path: String) throws(SystemError) -> Descriptor? {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if number < 0 {
      if errno == EACCES { return nil }
      throw SystemError()
    }
    let descriptor = Descriptor(owning: number)
    // Another start holds the lock for less than a millisecond.
    for _ in 0..<100 {
      if flock(number, LOCK_EX | LOCK_NB) == 0 { return descriptor }
      usleep(1_000)
    }
    return nil
  }

  /// Removes a socket of the same kind that nobody uses. Throws if the path is used otherwise.
  private static func removeStale(_ path: String, _ kind: __socket_type) throws(SystemError) {
    var status = stat()
    if lstat(path, &status) < 0 {
      if errno == ENOENT { return }
      throw SystemError()
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw SystemError(ENOTSOCK) }
    guard var system = SocketAddress.unix(path).system else { throw SystemError(ENAMETOOLONG) }
    let socket = try OwnedSocket.open(kind, for: &system)
    // EAGAIN means that its backlog is full.
    if runnel_connect(socket.number, &system) == 0 || errno == EAGAIN || errno == EINPROGRESS {
      throw SystemError(EADDRINUSE)
    }
    if errno == ENOENT { return }
    // A socket of another kind (EPROTOTYPE) or one that may not be used (EACCES) is not stale.
    if errno != ECONNREFUSED { throw SystemError(EADDRINUSE) }
    unlink(path)
  }

  /// Removes the file, unless another process has replaced it.
  func remove() {
    var status = stat()
    guard lstat(path, &status) == 0, UInt64(status.st_dev) == device,
      UInt64(status.st_ino) == number
    else { return }
    unlink(path)
  }
}
