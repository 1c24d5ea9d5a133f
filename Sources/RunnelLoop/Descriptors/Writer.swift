import Glibc
import RunnelStreams

/// Writes bytes to a pipe, a terminal, a socket, or the input of a child, without blocking.
///
///     let output = try Writer(STDOUT_FILENO, on: loop)
///     _ = output.write("ready\n")
///     measurements.map { "\($0)\n" }.bind(to: output)
///
/// Small writes are collected and written at the end of the loop's turn. Bytes for which there is
/// no room wait here, up to ``limit``; then ``overflow`` decides. Until then, `write` returns true.
///
/// *Disposal*: after release, on any thread, the waiting bytes are still written, and then the
/// writer is finished. That happens on the loop. A binding retains the writer.
public final class Writer {
  private let queue: WriteQueue
  private let home: (any ExecutionContext)?

  /// Creates a writer for a descriptor that the caller owns, such as the standard output.
  ///
  /// The descriptor is neither closed nor changed: its blocking mode stays, because other processes
  /// may share it.
  public convenience init(_ descriptor: Int32, on loop: EventLoop) throws(DescriptorError) {
    loop.mustBeCurrent("creating a Writer")
    let target = try DescriptorTarget(sharing: descriptor, on: loop)
    self.init(WriteQueue(target, loop.inputOutput), at: loop)
  }

  /// Creates a writer that owns its descriptor, in non-blocking mode.
  convenience init(owning descriptor: Descriptor?, on loop: EventLoop) {
    // Only this end is non-blocking: a child's end keeps its own flags.
    if let descriptor { _ = fcntl(descriptor.number, F_SETFL, O_NONBLOCK) }
    let target = descriptor.map { DescriptorTarget($0, on: loop) }
    self.init(WriteQueue(target, loop.inputOutput), at: loop)
  }

  /// Creates a writer of a queue that is used in one context only.
  package init(_ queue: WriteQueue, at home: (any ExecutionContext)?) {
    self.queue = queue
    self.home = home
  }

  deinit {
    if let home { home.close(queue) { $0.finish() } } else { queue.finish() }
  }

  // MARK: - State

  /// The number of bytes that may wait. The default is 256 KiB. While fewer wait, a write of any size
  /// is accepted, so one write may exceed it. The bytes of files do not count.
  public var limit: Int {
    get { queue.limit }
    set {
      require(newValue > 0, "The limit of a Writer must be positive.")
      queue.limit = newValue
    }
  }

  /// The behaviour of a write while ``limit`` bytes wait. The default is ``Overflow/wait``.
  public var overflow: Overflow {
    get { queue.overflow }
    set { queue.overflow = newValue }
  }

  /// True until the writer is finished or fails.
  public var isOpen: Bool { queue.isOpen }

  /// The number of bytes that wait.
  public var waitingCount: Int { queue.waitingCount }

  /// True if the next write is accepted, whatever its size. False from the time when the waiting bytes
  /// reach ``limit`` until half of it is free, and after the end.
  public var isWritable: ReadOnlyProperty<Bool> { queue.isWritable }

  /// Sends an element each time that all waiting bytes are written. Completes when the writer is
  /// finished or nobody reads the other end, and fails if writing does.
  public var drained: EventStream<Void, DescriptorError> { queue.drained }

  // MARK: - Writing

  /// Writes bytes, at the end of the turn or when there is room. Returns false if they were refused:
  /// too many bytes wait, or the writer is not open.
  ///
  /// A program that does not want to lose them writes again when ``isWritable`` is true, binds a
  /// stream instead, or observes ``writing(_:)-([UInt8])``, which fails.
  public func write(_ bytes: [UInt8]) -> Bool {
    mustBeHome("writing to a Writer")
    return queue.write(bytes)
  }

  /// Writes bytes. See ``write(_:)-([UInt8])``.
  public func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    mustBeHome("writing to a Writer")
    return queue.write(raw: bytes)
  }

  /// Writes text. See ``write(_:)-([UInt8])``.
  public func write(_ text: String) -> Bool {
    mustBeHome("writing to a Writer")
    var text = text
    return text.withUTF8 { queue.write(raw: UnsafeRawBufferPointer($0)) }
  }

  /// Returns an operation that writes bytes, and completes when the system has accepted them.
  ///
  ///     output.writing(report).andThen(output.writing(end)).observe(completed: { show("sent") })
  ///
  /// *Events*: nothing is written before it is observed. It fails if the bytes are refused, dropped
  /// or cannot be written.
  ///
  /// *Disposal*: the bytes are still written.
  public func writing(_ bytes: [UInt8]) -> Completable<DescriptorError> {
    operation { writer, completion in writer.queue.write(bytes, completion: completion) }
  }

  /// Returns an operation that writes text. See ``writing(_:)-([UInt8])``.
  public func writing(_ text: String) -> Completable<DescriptorError> {
    writing(Array(text.utf8))
  }

  /// Returns an operation that sends a file, and completes when the system has accepted all of it.
  ///
  /// A socket gets the bytes from the file system without a copy in this process. If the file
  /// becomes shorter meanwhile, the writer fails. `range` is a part of the file.
  public func sending(
    file path: String, range: Range<Int>? = nil
  ) -> Completable<DescriptorError> {
    let sending = Completable<DescriptorError> { [self] finish in
      mustBeHome("writing to a Writer")
      let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard number >= 0 else {
        finish(.failed(DescriptorError(errno, -1)))
        return .none
      }
      let file = Descriptor(owning: number)
      var status = stat()
      fstat(number, &status)
      guard status.st_mode & S_IFMT == S_IFREG else {
        finish(.failed(.system(status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL)))
        return .none
      }
      let whole = 0..<Int(status.st_size)
      let part = range ?? whole
      guard whole.lowerBound <= part.lowerBound && part.upperBound <= whole.upperBound else {
        finish(.failed(.system(ERANGE)))
        return .none
      }
      let isTaken = queue.send(file: file, at: Int64(part.lowerBound), count: part.count) {
        finish($0.map { .failed($0) } ?? .completed)
      }
      if !isTaken { finish(.failed(refusal)) }
      return .none
    }
    return Completable(sending.stream.asWork)
  }

  private func operation(
    _ write: @escaping (Writer, @escaping (DescriptorError?) -> Void) -> Bool
  ) -> Completable<DescriptorError> {
    let writing = Completable<DescriptorError> { [self] finish in
      mustBeHome("writing to a Writer")
      if !write(self, { finish($0.map { .failed($0) } ?? .completed) }) {
        finish(.failed(refusal))
      }
      return .none
    }
    return Completable(writing.stream.asWork)
  }

  private var refusal: DescriptorError { isOpen ? .overflow(limit: limit) : .system(EPIPE) }

  /// Writes the bytes that fit now, without waiting for the end of the turn.
  public func flush() {
    mustBeHome("flushing a Writer")
    queue.flush()
  }

  /// Ends the writer after the waiting bytes are written. The other end then reads an end of file.
  public func finish() {
    mustBeHome("finishing a Writer")
    queue.finish()
  }

  /// Limits writing to a number of bytes per second; nil removes the limit.
  package func limitRate(_ meter: RateMeter?) {
    queue.setRate(meter)
  }

  private func mustBeHome(_ action: @autoclosure () -> String) {
    // A loop is the only context that can tell whose thread this is.
    (home as? EventLoop)?.mustBeCurrent(action())
  }
}

// MARK: - Binding

extension Writer: Bindable {
  /// Writes each element of the stream.
  ///
  /// *Disposal*: the binding retains the writer. It ends when the writer does.
  public func bind(from source: EventStream<[UInt8], Never>) -> Disposable {
    bound(source) { $0.write($1) }
  }

  /// Writes the elements of a stream until either ends. Ends the writer if an element is refused
  /// or the stream fails.
  fileprivate func bound<Element, Failure: Error>(
    _ source: EventStream<Element, Failure>, _ write: @escaping (Writer, Element) -> Bool
  ) -> Disposable {
    guard isOpen else { return .none }
    let binding = Disposable()
    // First, because a stream with a loop stops only if its binding is disposed (C8).
    queue.end(with: binding)
    let wasRead = queue.isRead
    source.start(
      in: binding,
      next: { [self] element in
        if !write(self, element) && isOpen { queue.fail(.overflow(limit: limit)) }
      },
      end: { [self] in
        if case .failed = $0 { queue.finish() }
      })
    if !wasRead && queue.isRead { queue.markOwn(binding) }
    return binding
  }
}

extension StreamConvertible where Element == String {
  /// Writes each element to a writer, as UTF-8.
  ///
  ///     connection.lines().map { "echo \($0)\n" }.bind(to: connection.writer)
  ///
  /// *Events*: the completion of the stream ends the binding, not the writer. A failure finishes
  /// the writer. If an element is refused, the writer fails: see ``Writer/overflow``. If the connection of
  /// the writer fails and the stream reads from it, as above, the stream fails before the binding ends. Its
  /// part behind a crossing such as `via` may not: observe the connection's `closed` there.
  ///
  /// *Disposal*: the binding retains the writer, and ends when the writer does.
  @discardableResult
  public func bind(to writer: Writer) -> Disposable {
    writer.bound(stream) { $0.write($1) }
  }
}

extension StreamConvertible where Element == [UInt8] {
  /// Writes each element to a writer. See `bind(to:)` of strings.
  @discardableResult
  public func bind(to writer: Writer) -> Disposable {
    writer.bound(stream) { $0.write($1) }
  }
}
