import Glibc

/// What was read from a file, and what was known of it at that time.
public struct FileContents: Sendable, Hashable {
  /// All its bytes.
  public let bytes: [UInt8]
  /// When it was written, since the beginning of 1970.
  public let modified: Duration
  /// Whether this process may write it.
  public let isWritable: Bool
}

extension FileCalls {
  /// Reads a file of a folder whole. What is no file is `EISDIR`, what is larger than the limit
  /// `EFBIG`.
  func contents(
    of name: String, in folder: Descriptor, following follows: Bool = false, upTo limit: Int = .max
  ) throws(SystemError) -> FileContents {
    // Whoever opens a pipe that nobody writes would wait for ever.
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW)
    let file = try uninterrupted { () throws(SystemError) in try open(folder, name, flags, 0) }
    // Nothing that was read depends on how closing it goes.
    defer { try? close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw SystemError(errno) }
    guard status.isFile else { throw SystemError(EISDIR) }
    let bytes = try allBytes(of: file, expecting: Int(status.st_size), upTo: limit)
    return FileContents(
      bytes: bytes,
      modified: .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec),
      isWritable: faccessat(folder, name, W_OK, AT_EACCESS) == 0)
  }

  private func allBytes(
    of file: Descriptor, expecting size: Int, upTo limit: Int
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    // One more, so that the end is seen without another round.
    var room = size + 1
    // It may grow while it is read.
    while max(bytes.count, size) <= limit {
      let (piece, isLast) = try piece(of: file, upTo: room)
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
      if isLast { return bytes }
      room = max(room - piece.count, 1 << 16)
    }
    throw SystemError(EFBIG)
  }

  /// Reads until so many bytes have come, or the end.
  private func piece(
    of file: Descriptor, upTo room: Int
  ) throws(SystemError) -> (bytes: [UInt8], isLast: Bool) {
    var failure: SystemError?
    var isLast = false
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      do throws(SystemError) {
        while count < room && !isLast {
          // Safety: the rest lies within the buffer, and what is read initializes its beginning.
          let rest = UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
          let read = try uninterrupted { () throws(SystemError) in try self.read(file, rest) }
          isLast = read == 0
          count += read
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return (bytes, isLast)
  }
}

extension stat {
  var isFile: Bool { st_mode & S_IFMT == S_IFREG }
}
