import Glibc
import RunnelLoop

/// What was read from a file, and what was known of it at that time.
public struct FileContents: Sendable, Hashable {
  /// All its bytes.
  public let bytes: [UInt8]
  /// When it was written, since the beginning of 1970.
  public let modified: Duration
  /// Whether this process may write it.
  public let isWritable: Bool
  /// The link that was followed to read it, if there was one.
  package internal(set) var link = LinkRule.none
}

extension FileCalls {
  /// Reads a file of a folder whole. Throws `EISDIR` if it is no file, such as a socket or a link
  /// that is not to be followed, and `EFBIG` if it is larger than the limit.
  func contents(
    of name: String, in folder: Descriptor, following follows: Bool = false, upTo limit: Int
  ) throws(SystemError) -> FileContents {
    let file = try opened(name, in: folder, following: follows)
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

  private func opened(
    _ name: String, in folder: Descriptor, following follows: Bool
  ) throws(SystemError) -> Descriptor {
    // Whoever opens a pipe that nobody writes would wait for ever.
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW)
    do throws(SystemError) {
      return try uninterrupted { () throws(SystemError) in try open(folder, name, flags, 0) }
    } catch {
      let isLink = error.code == ELOOP && !follows
      // A socket cannot be opened, nor can a device that is not there.
      throw isLink || error.code == ENXIO ? SystemError(EISDIR) : error
    }
  }

  private func allBytes(
    of file: Descriptor, expecting size: Int, upTo limit: Int
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    // One more, so that the end is seen without another round. The size says little of a sparse file.
    var room = min(size, Self.largestPiece) + 1
    // It may grow while it is read.
    while max(bytes.count, size) <= limit {
      let (piece, isLast) = try piece(of: file, upTo: room)
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
      if isLast { return bytes }
      room = min(max(size - bytes.count, 1 << 16), Self.largestPiece) + 1
    }
    throw SystemError(EFBIG)
  }

  private static var largestPiece: Int { 1 << 26 }

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
