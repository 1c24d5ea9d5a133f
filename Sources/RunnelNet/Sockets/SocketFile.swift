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
  /// neither is another kind of file. The new socket is bound under another name first, so it
  /// appears with its permissions and ready for connections.
  static func create(
    at path: String, kind: __socket_type = SOCK_STREAM, backlog: Int, permissions: UInt32?
  ) throws(SystemError) -> (Descriptor, SocketFile) {
    guard SocketAddress.unix(path).system != nil else { throw SystemError(ENAMETOOLONG) }
    try checkStale(path, kind)
    let temporary = temporaryName(beside: path)
    guard var system = SocketAddress.unix(temporary).system else { throw SystemError(ENAMETOOLONG) }
    let socket = try OwnedSocket.open(kind, for: &system)
    if runnel_bind(socket.number, &system) < 0 { throw SystemError() }
    do throws(SystemError) {
      if let permissions, chmod(temporary, permissions) < 0 { throw SystemError() }
      if kind == SOCK_STREAM && listen(socket.number, Int32(clamping: backlog)) < 0 {
        throw SystemError()
      }
      var status = stat()
      if lstat(temporary, &status) < 0 { throw SystemError() }
      if rename(temporary, path) < 0 { throw SystemError() }
      let file = SocketFile(
        path: path, device: UInt64(status.st_dev), number: UInt64(status.st_ino))
      return (Descriptor(owning: socket.take()), file)
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Returns a name in the same folder that is not longer than the path may be.
  private static func temporaryName(beside path: String) -> String {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    return "\(folder).\(String(UInt32.random(in: .min ... .max), radix: 36))"
  }

  /// Throws unless the path is free, or is a socket of the same kind that nobody uses.
  private static func checkStale(_ path: String, _ kind: __socket_type) throws(SystemError) {
    var status = stat()
    if lstat(path, &status) < 0 {
      if errno == ENOENT { return }
      throw SystemError()
    }
    guard status.st_mode & S_IFMT == S_IFSOCK, var system = SocketAddress.unix(path).system else {
      throw SystemError(EADDRINUSE)
    }
    let socket = try OwnedSocket.open(kind, for: &system)
    // EAGAIN means that its backlog is full.
    if runnel_connect(socket.number, &system) == 0 || errno == EAGAIN || errno == EINPROGRESS {
      throw SystemError(EADDRINUSE)
    }
    // A socket of another kind (EPROTOTYPE) or one that may not be used (EACCES) is not stale.
    if errno != ECONNREFUSED { throw SystemError(EADDRINUSE) }
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
