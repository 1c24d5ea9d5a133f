import Glibc
import RunnelStreams

/// The standard input of a child process.
///
/// Bytes that do not fit into the pipe wait here, up to ``limit``. Beyond that, writes are refused:
///
///     let input = sorting.standardInput
///     if !input.write("more\n") {
///       input.drained.take(1).observe(next: { input.write("more\n") }, failed: { show("\($0)") })
///     }
///
/// *Disposal*: after release, on any thread, the waiting bytes are still written, and then the
/// input is finished. That happens on the loop.
public final class ProcessInput {
  /// The maximum number of waiting bytes. A larger piece is accepted only if no bytes wait.
  public static let limit = 1 << 20

  private let writer: PipeWriter
  private let loop: EventLoop

  init(_ descriptor: Descriptor?, on loop: EventLoop) {
    // Only this end is non-blocking: the child's end keeps its own flags.
    if let descriptor { _ = fcntl(descriptor.number, F_SETFL, O_NONBLOCK) }
    writer = PipeWriter(descriptor, on: loop)
    self.loop = loop
  }

  deinit {
    loop.close(writer) { $0.finish() }
  }

  /// True if the input is piped and not finished, and the process still reads.
  public var isOpen: Bool { writer.isOpen }

  /// The number of bytes that wait.
  public var waitingCount: Int { writer.waitingCount }

  /// Sends an element each time that all waiting bytes are written. Completes when the input is
  /// finished or the process no longer reads, and fails if writing does.
  public var drained: EventStream<Void, DescriptorError> { writer.drained.stream }

  /// Writes bytes, at once or when the pipe has room. Returns false if they were refused: too many
  /// bytes wait, or the input is not open.
  @discardableResult
  public func write(_ bytes: [UInt8]) -> Bool { writer.write(bytes) }

  /// Writes text. See ``write(_:)-([UInt8])``.
  @discardableResult
  public func write(_ text: String) -> Bool { writer.write(Array(text.utf8)) }

  /// Ends the input after the waiting bytes are written.
  public func finish() { writer.finish() }
}

/// Writes the bytes that fit into a pipe, and keeps the rest until it has room. The loop retains
/// the writer while bytes wait.
private final class PipeWriter {
  let drained = Subject<Void, DescriptorError>()

  private let loop: EventLoop
  private var descriptor: Descriptor?
  private var watch: Watch?
  private var isFinished = false
  private var bytes: [UInt8] = []
  /// The number of bytes at the front of `bytes` that are written.
  private var written = 0

  /// Creates a writer, which is open if there is a descriptor.
  init(_ descriptor: Descriptor?, on loop: EventLoop) {
    self.descriptor = descriptor
    self.loop = loop
    if descriptor == nil { drained.completed() }
  }

  var isOpen: Bool { descriptor != nil && !isFinished }
  var waitingCount: Int { bytes.count - written }

  func write(_ more: [UInt8]) -> Bool {
    loop.mustBeCurrent("writing to a ChildProcess")
    guard isOpen, waitingCount == 0 || waitingCount + more.count <= ProcessInput.limit else {
      return false
    }
    if more.isEmpty { return true }
    if bytes.isEmpty { bytes = more } else { bytes += more }
    if watch == nil { writePiece() }
    return true
  }

  func finish() {
    loop.mustBeCurrent("finishing the input of a ChildProcess")
    isFinished = true
    if waitingCount == 0 { end(.completed) }
  }

  /// Writes once per call, so that the loop can run other work in between.
  private func writePiece() {
    guard let descriptor else { return }
    let count = bytes.withUnsafeBytes { bytes in
      let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(written))
      return Glibc.write(descriptor.number, rest.baseAddress, rest.count)
    }
    if count >= 0 {
      written += count
      // Moving the rest only after half is written keeps the amortized cost constant.
      if written * 2 >= bytes.count {
        bytes.removeFirst(written)
        written = 0
      }
    } else if errno == EPIPE {
      return end(.completed)
    } else if errno != EAGAIN && errno != EINTR {
      return end(.failed(DescriptorError(errno, descriptor.number)))
    }
    if waitingCount > 0 { waitForRoom(descriptor) } else { becomeDrained() }
  }

  private func waitForRoom(_ descriptor: Descriptor) {
    guard watch == nil else { return }
    do throws(DescriptorError) {
      watch = try Watch(descriptor.number, for: .writing, on: loop) { self.writePiece() }
    } catch {
      end(.failed(error))
    }
  }

  private func becomeDrained() {
    watch?.end()
    watch = nil
    if isFinished { return end(.completed) }
    drained.next(())
  }

  private func end(_ termination: Termination<DescriptorError>) {
    watch?.end()
    watch = nil
    descriptor = nil
    bytes = []
    written = 0
    drained.end(termination)
  }
}
