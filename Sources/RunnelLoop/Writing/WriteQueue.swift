import Glibc
import RunnelStreams

/// The bytes that wait to be written to a target.
///
/// Small writes are collected and written together at the end of the turn. If the target has no
/// room, the rest waits. The target retains the queue while it waits for room.
///
///     open ── finish() ──▶ finishing ── all is written, or an error ──▶ ended
///      └────────────────── an error ──────────────────────────────────▶ ended
package final class WriteQueue {
  package enum Phase {
    case open
    /// Finished by the program; bytes still wait.
    case finishing
    /// The end is for observers that come later.
    case ended(Termination<DescriptorError>)
  }

  private enum Flow {
    /// Bytes can be written.
    case free
    /// Bytes are being written. A callback may add others.
    case flushing
    /// The target has no room, or the rate allows no bytes now.
    case blocked
  }

  package let inputOutput: InputOutput
  @exclusivity(unchecked) private var target: (any WriteTarget)?
  @exclusivity(unchecked) package private(set) var phase = Phase.open
  @exclusivity(unchecked) private var flow = Flow.free
  /// True if the loop calls the queue at the end of the turn.
  @exclusivity(unchecked) private var isScheduled = false
  @exclusivity(unchecked) private var segments = SegmentList()
  /// The number of bytes of the first segment that are written.
  @exclusivity(unchecked) private var written = 0
  @exclusivity(unchecked) package private(set) var waitingCount = 0

  /// The number of waiting bytes that are in files, and so not in memory.
  @exclusivity(unchecked) private var fileCount = 0
  /// The number of waiting bytes that count towards the limit.
  private var heldCount: Int { waitingCount - fileCount }

  /// The number of bytes that were written.
  @exclusivity(unchecked) package private(set) var writtenCount: UInt64 = 0
  package var hasWritten: Bool { writtenCount > 0 }
  /// Called when bytes begin to wait, and when some are written.
  @exclusivity(unchecked) package var activity: (() -> Void)?

  private let room = RoomState()

  @exclusivity(unchecked) package var limit = 1 << 18
  @exclusivity(unchecked) package var overflow = Overflow.wait
  @exclusivity(unchecked) private var rate: RateMeter?

  @exclusivity(unchecked) private var drainedSubject: Subject<Void, DescriptorError>?
  private(set) var bindings: [WeakBinding] = []
  /// The number of bindings at which those that have ended are removed.
  private var sweepAt = 4

  /// Pieces of this size are not copied into chunks.
  private static let largePiece = 1 << 12
  /// Waiting bytes that are written before the end of the turn.
  private static let promptCount = 1 << 14
  /// The maximum number of bytes in one flush, so that the loop can run other work.
  private static let flushLimit = 1 << 20

  package init(_ target: (any WriteTarget)?, _ inputOutput: InputOutput) {
    self.target = target
    self.inputOutput = inputOutput
    if target == nil { phase = .ended(.completed) }
  }

  package var isOpen: Bool { if case .open = phase { true } else { false } }
  package var hasEnded: Bool { if case .ended = phase { true } else { false } }

  // MARK: - Streams

  package var drained: EventStream<Void, DescriptorError> {
    if case .ended(let termination) = phase {
      return EventStream { observer in
        observer.end(termination)
        return .none
      }
    }
    let subject = drainedSubject ?? Subject()
    drainedSubject = subject
    return subject.stream
  }

  package var isWritable: ReadOnlyProperty<Bool> { room.property(isOpen: isOpen) }

  // MARK: - Writing

  /// The bytes are copied unless they can be written at once. If `isForced` is true, they are
  /// accepted beyond the limit.
  package func write(raw bytes: UnsafeRawBufferPointer, isForced: Bool = false) -> Bool {
    guard isForced ? isOpen : accepts(bytes.count) else { return false }
    if bytes.isEmpty { return true }
    if bytes.count < Self.largePiece && overflow != .dropOldest {
      collect(bytes)
      didAppend()
      return true
    }
    return write(large: bytes) { .array(Array(bytes)) }
  }

  /// Writes a large piece at once if nothing waits, while its bytes are in the cache of the processor.
  /// The bytes that do not fit wait as the given content.
  private func write(
    large bytes: UnsafeRawBufferPointer, _ content: () -> Segment.Content
  ) -> Bool {
    var sent = 0
    if segments.first == nil && canWriteNow && rate == nil, let target {
      let first = UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.flushLimit))
      switch target.write(first, noBytes) {
      case .count(let count):
        sent = count
        didWrite(count)
      case .blocked: break
      case .failed(let error):
        fail(error)
        return false
      }
      if sent == bytes.count {
        // Older bytes may have been dropped.
        room.becomeFree()
        didDrain()
        return true
      }
    }
    append(content(), count: bytes.count)
    // The rest of a piece that is written in part must not be dropped.
    if sent > 0 { advance(by: sent) }
    didAppend()
    return true
  }

  /// The array is not copied if it is large.
  package func write(
    _ bytes: [UInt8], isForced: Bool = false, completion: ((DescriptorError?) -> Void)? = nil
  ) -> Bool {
    if bytes.count < Self.largePiece && overflow != .dropOldest && completion == nil {
      return bytes.withUnsafeBytes { write(raw: $0, isForced: isForced) }
    }
    guard isForced ? isOpen : accepts(bytes.count) else { return false }
    if completion == nil {
      return bytes.isEmpty || bytes.withUnsafeBytes { write(large: $0) { .array(bytes) } }
    }
    append(.array(bytes), count: bytes.count, completion)
    didAppend()
    return true
  }

  /// Sends a part of a file, which stays open until it is sent.
  package func send(
    file: Descriptor, at offset: Int64, count: Int, isForced: Bool = false,
    completion: ((DescriptorError?) -> Void)?
  ) -> Bool {
    guard isForced ? isOpen : accepts(0) else { return false }
    fileCount += count
    append(.file(file, offset: offset), count: count, completion)
    didAppend()
    return true
  }

  package func pass(_ descriptors: [Descriptor], with bytes: [UInt8]) -> Bool {
    guard accepts(bytes.count) else { return false }
    append(.descriptors(descriptors, bytes: bytes), count: bytes.count)
    didAppend()
    return true
  }

  /// True if more bytes may wait without dropping others.
  package func hasRoom(for count: Int) -> Bool {
    isOpen && (heldCount == 0 || heldCount + count <= limit)
  }

  /// Returns true if more bytes may wait, after making room if the policy says so.
  private func accepts(_ count: Int) -> Bool {
    guard isOpen else { return false }
    if overflow == .dropOldest {
      if heldCount == 0 || heldCount + count <= limit { return true }
      dropOldest(until: limit - count)
      // A completion of a dropped piece may have ended the queue.
      return isOpen
    }
    // The limit is exceeded by one write, so that `isWritable` holds for a write of any size.
    if heldCount < limit { return true }
    if overflow == .fail {
      fail(.overflow(limit: limit))
      return false
    }
    // A source pauses after its current message, whose answer may need more than one write.
    if Delivery.source != nil && heldCount + count <= 2 * limit { return true }
    room.becomeFull()
    return false
  }

  private func dropOldest(until limit: Int) {
    // Of the first segment a part may be written already, so it must be completed.
    room.becomeFull()
    let lost = segments.removeFirst(until: heldCount - limit, keepingFirst: written > 0)
    for segment in lost {
      waitingCount -= segment.count
      if segment.isFile { fileCount -= segment.count }
    }
    for segment in lost { segment.completion?(.overflow(limit: self.limit)) }
  }

  private func collect(_ bytes: UnsafeRawBufferPointer) {
    if waitingCount == 0 { activity?() }
    waitingCount += bytes.count
    if let last = segments.last, last.append(bytes) { return }
    let chunk = inputOutput.takeChunk()
    _ = chunk.append(bytes)
    segments.append(chunk)
  }

  private func append(
    _ content: Segment.Content, count: Int, _ completion: ((DescriptorError?) -> Void)? = nil
  ) {
    if waitingCount == 0 { activity?() }
    waitingCount += count
    segments.append(Segment(content, count: count, completion))
  }

  private func didAppend() {
    if heldCount >= limit {
      // Before observers are notified, because they may end the queue.
      if overflow == .wait, let source = Delivery.source { room.hold(source) }
      room.becomeFull()
    }
    guard canWriteNow && !hasEnded else { return }
    if waitingCount >= Self.promptCount { flush() } else { schedule() }
  }

  /// Pauses a source until there is room, if there is none.
  package func holdIfFull(_ source: any PausableSource) {
    guard isOpen, heldCount >= limit else { return }
    room.becomeFull()
    room.hold(source)
  }

  private var canWriteNow: Bool { flow == .free }

  private func schedule() {
    if isScheduled { return }
    isScheduled = true
    inputOutput.atEndOfTurn(self)
  }

  // MARK: - Flushing

  /// Writes what fits now.
  package func flush() {
    guard flow != .flushing, let target else { return }
    flow = .flushing
    var left = Self.flushLimit
    var mayWrite = true
    while mayWrite, left > 0, let first = segments.first {
      var most = left
      if let rate {
        most = min(most, rate.allowance)
        if most <= 0 {
          rate.wait { [weak self] in self?.flush() }
          mayWrite = false
          break
        }
      }
      switch first.write(to: target, after: written, atMost: most) {
      case .count(let count):
        left -= count
        didWrite(count)
        advance(by: count)
      case .blocked:
        target.waitForRoom(self)
        mayWrite = false
      case .failed(let error):
        fail(error)
      }
    }
    flow = mayWrite ? .free : .blocked
    if heldCount * 2 <= limit { room.becomeFree() }
    if segments.first == nil {
      didDrain()
    } else if flow == .free {
      schedule()
    }
  }

  private func didWrite(_ count: Int) {
    if count == 0 { return }
    writtenCount &+= UInt64(count)
    rate?.use(count)
    activity?()
  }

  /// Removes written bytes from the front of the queue.
  private func advance(by count: Int) {
    waitingCount -= count
    if segments.first?.isFile == true { fileCount -= count }
    written += count
    while let first = segments.first, written >= first.count {
      written -= first.count
      _ = segments.popFirst()
      if first.isChunk { inputOutput.recycle(first) }
      first.completion?(nil)
    }
  }

  private func didDrain() {
    if case .finishing = phase { return end(.completed) { $0.finishWriting() } }
    drainedSubject?.next(())
  }

  // MARK: - Rate

  /// Limits the bytes per second, or removes the limit.
  package func setRate(_ rate: RateMeter?) {
    self.rate = rate
    if flow == .blocked { flush() }
  }

  // MARK: - End

  /// Ends writing after the waiting bytes are written.
  package func finish() {
    guard isOpen else { return }
    phase = .finishing
    room.end()
    if segments.first == nil && flow != .flushing { end(.completed) { $0.finishWriting() } }
  }

  /// Ends writing with an error. The waiting bytes are lost.
  package func fail(_ error: DescriptorError) {
    if case .system(EPIPE) = error {
      return end(.completed, lost: error) { $0.writingFailed(error) }
    }
    end(.failed(error), lost: error) { $0.writingFailed(error) }
  }

  /// True while the bytes of the target's peer are read.
  var isRead: Bool { target?.isRead ?? false }

  /// Disposes a binding when the queue ends.
  func end(with binding: Disposable) {
    if bindings.count >= sweepAt {
      bindings.removeAll { $0.binding?.isDisposed ?? true }
      sweepAt = max(4, 2 * bindings.count)
    }
    bindings.append(WeakBinding(binding: binding))
  }

  /// Marks a binding whose stream reads from the target's own peer. If the queue fails, this stream fails
  /// too, and the binding is disposed after that.
  func markOwn(_ binding: Disposable) {
    guard let place = bindings.lastIndex(where: { $0.binding === binding }) else { return }
    bindings[place].isOwn = true
  }

  package func endBindingsIfEnded() {
    if hasEnded { endBindings { _ in true } }
  }

  private func endBindings(_ mayEnd: (WeakBinding) -> Bool) {
    let ended = bindings.filter(mayEnd)
    bindings.removeAll(where: mayEnd)
    for bound in ended { bound.binding?.dispose() }
  }

  private func end(
    _ termination: Termination<DescriptorError>, lost: DescriptorError? = nil,
    _ tell: (any WriteTarget) -> Void
  ) {
    if hasEnded { return }
    phase = .ended(termination)
    let target = exchange(&self.target, with: nil)
    let left = segments.removeFirst(until: .max, keepingFirst: false)
    waitingCount = 0
    rate = nil
    activity = nil
    if let target { tell(target) }
    room.end()
    for segment in left { segment.completion?(lost) }
    drainedSubject.take()?.end(termination)
    endBindings { lost == nil || !$0.isOwn }
    room.resumeSources()
  }
}

extension WriteQueue: EndOfTurnTask {
  package func runAtEndOfTurn() {
    isScheduled = false
    // A flush before the end of the turn may have written the bytes.
    if canWriteNow && segments.first != nil { flush() }
  }
}

/// A binding to a writer, which retains the writer and is therefore not retained by it.
struct WeakBinding {
  weak var binding: Disposable?
  var isOwn = false
}
