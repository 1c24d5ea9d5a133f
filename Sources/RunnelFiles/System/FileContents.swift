import Glibc
import RunnelLoop

/// The contents of a file, with its state at the time of reading.
public struct FileContents: Sendable, Hashable {
  /// All bytes of the file.
  public let bytes: [UInt8]
  /// The modification time, since 1970-01-01 00:00 UTC.
  public let modified: Duration
  /// True if this process may write the file.
  public let isWritable: Bool
  /// The link that was followed to read the file, if there was one.
  package internal(set) var link = LinkRule.none
}

extension FileCalls {
  /// Reads a whole file in a folder. Throws `EISDIR` if it is not a regular file, such as a socket
  /// or a link that is not followed, and `EFBIG` if it exceeds the limit.
  func contents(
    of name: String, in folder: Descriptor, following follows: Bool = false, upTo limit: Int
  ) throws(SystemError) -> FileContents {
    let file = try opened(name, in: folder, following: follows)
    // A failure to close does not affect the bytes that were read.
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
    // Without O_NONBLOCK, opening a pipe that has no writer would block.
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW)
    do throws(SystemError) {
      return try uninterrupted { () throws(SystemError) in try open(folder, name, flags, 0) }
    } catch {
      let isLink = error.code == ELOOP && !follows
      // ENXIO means a socket, or a device that does not exist.
      throw isLink || error.code == ENXIO ? SystemError(EISDIR) : error
    }
  }

  private func allBytes(
    of file: Descriptor, expecting size: Int, upTo limit: Int
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    // One byte more detects the end without another read. A sparse file may report a huge size.
    var room = min(size, Self.largestPiece) + 1
    // The file may grow while it is read.
    while max(bytes.count, size) <= limit {
      let (piece, isLast) = try piece(of: file, upTo: room, expecting: size - bytes.count)
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
      if bytes.count > limit { break }
      if isLast { return bytes }
      room = min(max(size - bytes.count, 1 << 16), Self.largestPiece) + 1
    }
    throw SystemError(EFBIG)
  }

  private static var largestPiece: Int { 1 << 26 }

  /// Reads until the buffer is full or the file ends. A read that leaves room has reached the end if all
  /// expected bytes are there.
  private func piece(
    of file: Descriptor, upTo room: Int, expecting size: Int
  ) throws(SystemError) -> (bytes: [UInt8], isLast: Bool) {
    var failure: SystemError?
    var isLast = false
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      do throws(SystemError) {
        while count < room && !isLast {
          // Safety: the rest is within the buffer, and the bytes read initialize its beginning.
          let rest = UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
          let read = try uninterrupted { () throws(SystemError) in try self.read(file, rest) }
          count += read
          isLast = read == 0 || count == size && count < room
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
