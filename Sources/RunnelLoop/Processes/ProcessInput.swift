import Glibc
import RunnelStreams

/// What a child process reads.
///
/// What is written when the pipe is full waits here, up to ``limit``, and then no more is taken:
///
///     let input = sorting.standardInput
///     if !input.write("more\n") {
///       input.drained.take(1).observe(next: { input.write("more\n") }, failed: { show("\($0)") })
///     }
///
/// *Disposal*: released with its process, on any thread, it lets what waits be written, and then
/// finishes. That happens on the loop.
public final class ProcessInput {
  /// How many bytes may wait. A piece that is larger is taken when nothing waits.
  public static let limit = 1 << 20

  private let writer: PipeWriter
  private let loop: EventLoop

  init(_ descriptor: Descriptor?, on loop: EventLoop) {
    // The other end has its own flags: the child waits as it is used to.
    if let descriptor { _ = fcntl(descriptor.number, F_SETFL, O_NONBLOCK) }
    writer = PipeWriter(descriptor, on: loop)
    self.loop = loop
  }

  deinit {
    loop.close(writer) { $0.finish() }
  }

  /// Whether it can be written to: it is piped, not finished, and the process still reads.
  public var isOpen: Bool { writer.isOpen }

  /// How many bytes wait.
  public var waitingCount: Int { writer.waitingCount }

  /// Sends an element each time that nothing waits any more, and completes when it is finished or the
  /// process does not read any more. It fails if writing does.
  public var drained: EventStream<Void, DescriptorError> { writer.drained.stream }

  /// Writes bytes, at once or when there is room. False if they were not taken: too much waits, or
  /// it is not open.
  @discardableResult
  public func write(_ bytes: [UInt8]) -> Bool { writer.write(bytes) }

  /// Writes text, as ``write(_:)-([UInt8])``.
  @discardableResult
  public func write(_ text: String) -> Bool { writer.write(Array(text.utf8)) }

  /// Ends the input, when what waits is written.
  public func finish() { writer.finish() }
}

/// Writes to a pipe what fits, and keeps the rest until more does. While something waits the loop
/// keeps the writer.
private final class PipeWriter {
  let drained = Subject<Void, DescriptorError>()

  private let loop: EventLoop
  private var descriptor: Descriptor?
  private var watch: Watch?
  private var isFinished = false
  private var bytes: [UInt8] = []
  /// How many of them are written.
  private var written = 0

  /// One that is open if there is a descriptor.
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

  /// Writes once, so that the loop gets to other things in between.
  private func writePiece() {
    guard let descriptor else { return }
    let count = bytes.withUnsafeBytes { bytes in
      let rest = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(written))
      return Glibc.write(descriptor.number, rest.baseAddress, rest.count)
    }
    if count >= 0 {
      written += count
      // Seldom enough that moving the rest costs nothing.
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
