import Glibc
import RunnelLoop
import RunnelStreams

/// A non-blocking writer to a terminal. Bytes that do not fit are kept until the terminal accepts
/// them.
///
/// Call ``clear()`` before releasing the writer.
final class TerminalWriter {
  /// Called each time all bytes have been written.
  var drained: () -> Void = {}

  private let descriptor: Int32
  private let loop: EventLoop
  private var bytes: [UInt8] = []
  /// The number of bytes already written.
  private var written = 0
  private var room: Disposable?

  init(_ descriptor: Int32, on loop: EventLoop) {
    self.descriptor = descriptor
    self.loop = loop
  }

  var isIdle: Bool { bytes.isEmpty }

  func write(_ more: [UInt8]) {
    if more.isEmpty { return }
    let wasIdle = isIdle
    if wasIdle { bytes = more } else { bytes += more }
    if wasIdle { writeWhatFits() }
  }

  /// Discards the waiting bytes.
  func clear() {
    bytes = []
    written = 0
    room?.dispose()
    room = nil
  }

  private func writeWhatFits() {
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(written))
        return Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      if count > 0 {
        written += count
      } else if count < 0 && errno == EAGAIN {
        return waitForRoom()
      } else if count < 0 && errno == EINTR {
        continue
      } else {
        // The terminal is gone. The reader reports it.
        return clear()
      }
    }
    clear()
    drained()
  }

  private func waitForRoom() {
    guard room == nil else { return }
    room = loop.writable(descriptor).observe(
      next: { [weak self] in self?.writeWhatFits() }, failed: { [weak self] _ in self?.clear() })
    // It may have failed at once, for lack of descriptors.
    if room?.isDisposed == true { room = nil }
  }
}
