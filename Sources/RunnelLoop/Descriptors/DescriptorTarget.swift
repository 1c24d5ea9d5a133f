import CLinux
import Glibc

/// A descriptor that a ``WriteQueue`` writes to.
final class DescriptorTarget: WriteTarget {
  private enum Kind {
    /// A descriptor in non-blocking mode, or a file.
    case file
    /// A socket, which may be in blocking mode.
    case socket
    /// A pipe or terminal in blocking mode. It takes this many bytes without blocking when it is
    /// ready.
    case blocking
  }

  private let loop: EventLoop
  private var descriptor: Descriptor?
  private let kind: Kind
  private var watch: Watch?

  init(_ descriptor: Descriptor, on loop: EventLoop) {
    self.descriptor = descriptor
    self.loop = loop
    kind = .file
  }

  /// Creates a target for a descriptor that other code owns, whose mode must not change.
  init(sharing number: Int32, on loop: EventLoop) throws(DescriptorError) {
    self.loop = loop
    let duplicate = try Descriptor(duplicating: number)
    var status = stat()
    fstat(number, &status)
    switch status.st_mode & S_IFMT {
    case S_IFSOCK:
      (descriptor, kind) = (duplicate, .socket)
    case S_IFIFO, S_IFCHR:
      // A second open file has a mode of its own. Only pipes and terminals can be opened again: other
      // devices, such as the multiplexer of terminals (major number 5), give a new one.
      let isDevice = status.st_mode & S_IFMT == S_IFCHR
      let isOwnDevice = isDevice && (isatty(number) == 0 || (status.st_rdev >> 8) & 0xfff == 5)
      let again =
        isOwnDevice
        ? -1 : open("/proc/self/fd/\(number)", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
      if again >= 0 {
        (descriptor, kind) = (Descriptor(owning: again), .file)
      } else {
        let isBlocking = fcntl(number, F_GETFL) & O_NONBLOCK == 0
        (descriptor, kind) = (duplicate, isBlocking ? .blocking : .file)
      }
    default:
      (descriptor, kind) = (duplicate, .file)
    }
  }

  func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> WriteResult {
    guard let descriptor else { return .failed(.system(EBADF)) }
    var count: Int
    switch kind {
    case .file where second.isEmpty:
      count = Glibc.write(descriptor.number, first.baseAddress, first.count)
    case .file:
      // Safety: `writev` only reads the buffers.
      let buffers = [
        iovec(iov_base: UnsafeMutableRawPointer(mutating: first.baseAddress), iov_len: first.count),
        iovec(
          iov_base: UnsafeMutableRawPointer(mutating: second.baseAddress), iov_len: second.count),
      ]
      count = writev(descriptor.number, buffers, 2)
    case .socket:
      let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
      count = Glibc.send(descriptor.number, first.baseAddress, first.count, flags)
    case .blocking:
      var state = pollfd(fd: descriptor.number, events: Int16(POLLOUT), revents: 0)
      if poll(&state, 1, 0) == 0 { return .blocked }
      count = Glibc.write(descriptor.number, first.baseAddress, min(first.count, Int(PIPE_BUF)))
    }
    if count >= 0 { return .count(count) }
    // After an interruption the queue calls again.
    return errno == EAGAIN || errno == EINTR ? .blocked : .failed(.system(errno))
  }

  func waitForRoom(_ queue: WriteQueue) {
    guard let descriptor, watch == nil else { return }
    do throws(DescriptorError) {
      watch = try Watch(descriptor.number, for: .writing, on: loop) { [weak self] in
        self?.watch?.end()
        self?.watch = nil
        queue.flush()
      }
    } catch {
      queue.fail(error)
    }
  }

  func finishWriting() { close() }
  func writingFailed(_ error: DescriptorError) { close() }

  private func close() {
    watch?.end()
    watch = nil
    descriptor = nil
  }
}
