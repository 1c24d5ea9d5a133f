import Glibc
import RunnelStreams

/// The bytes that wait to be written to a target.
///
/// Small writes are collected and written together at the end of the turn. If the target has no
/// room, the rest waits. The target retains the queue while it waits for room.
package final class WriteQueue {
  private enum Phase {
    case open
    /// Finished by the program; bytes still wait.
    case finishing
    case ended
  }

  /// The part of the queue that one call writes.
  private struct Segment {
    enum Content {
      case chunk(Chunk)
      case array([UInt8])
      case file(Descriptor, offset: Int64, count: Int)
      case descriptors([Descriptor], bytes: [UInt8])

      var count: Int {
        switch self {
        case .chunk(let chunk): chunk.count
        case .array(let bytes), .descriptors(_, let bytes): bytes.count
        case .file(_, _, let count): count
        }
      }
    }

    var content: Content
    /// Called with the error if the segment is not written.
    var completion: ((DescriptorError?) -> Void)?
  }

  package let inputOutput: InputOutput
  private var target: (any WriteTarget)?
  private var phase = Phase.open
  private var segments: [Segment] = []
  /// The index of the first segment that is not written.
  private var head = 0
  /// The number of bytes of that segment that are written.
  private var written = 0
  @exclusivity(unchecked) package private(set) var waitingCount = 0

  /// True after the first byte was written.
  package private(set) var hasWritten = false
  /// Called when bytes begin to wait, and when some are written.
  package var activity: (() -> Void)?

  private var isScheduled = false
  private var isFlushing = false
  /// True while the target has no room.
  private var isBlocked = false
  /// True until half of the limit is free again.
  private var isFull = false
  private var paused: [any PausableSource] = []

  package var limit = 1 << 18
  package var overflow = Overflow.wait
  private var rate: RateMeter?

  private var drainedSubject: Subject<Void, DescriptorError>?
  private var writableProperty: Property<Bool>?
  private var bindings: [WeakBinding] = []
  /// The number of bindings at which those that have ended are removed.
  private var sweepAt = 4
  /// The end of the queue, for observers that come later.
  private var termination: Termination<DescriptorError>?

  /// Pieces of this size are not copied into chunks.
  private static let largePiece = 1 << 12
  /// Waiting bytes that are written before the end of the turn.
  private static let promptCount = 1 << 14
  /// The maximum number of bytes in one flush, so that the loop can run other work.
  private static let flushLimit = 1 << 20

  package init(_ target: (any WriteTarget)?, _ inputOutput: InputOutput) {
    self.target = target
    self.inputOutput = inputOutput
    if target == nil {
      phase = .ended
      termination = .completed
    }
  }

  package var isOpen: Bool { phase == .open }
  package var hasEnded: Bool { phase == .ended }

  // MARK: - Streams

  package var drained: EventStream<Void, DescriptorError> {
    if let termination {
      return EventStream { observer in
        observer.end(termination)
        return .none
      }
    }
    let subject = drainedSubject ?? Subject()
    drainedSubject = subject
    return subject.stream
  }

  package var isWritable: ReadOnlyProperty<Bool> {
    let property = writableProperty ?? Property(phase == .open && !isFull)
    writableProperty = property
    return property.readOnly
  }

  // MARK: - Writing

  /// Writes bytes. They are copied unless they can be written at once.
  package func write(raw bytes: UnsafeRawBufferPointer) -> Bool {
    guard accepts(bytes.count) else { return false }
    if bytes.isEmpty { return true }
    if bytes.count < Self.largePiece && overflow != .dropOldest {
      collect(bytes)
    } else if waitingCount == 0 && canWriteNow && rate == nil, let target {
      var sent = 0
      switch target.write(bytes, noBytes) {
      case .count(let count):
        sent = count
        didWrite(count)
      case .blocked: break
      case .failed(let error):
        fail(error)
        return false
      }
      if sent == bytes.count {
        didDrain()
        return true
      }
      append(.array(Array(bytes.dropFirst(sent))))
    } else {
      append(.array(Array(bytes)))
    }
    didAppend()
    return true
  }

  /// Writes bytes. The array is not copied if it is large.
  package func write(
    _ bytes: [UInt8], completion: ((DescriptorError?) -> Void)? = nil
  ) -> Bool {
    if bytes.count < Self.largePiece && overflow != .dropOldest && completion == nil {
      return bytes.withUnsafeBytes { write(raw: $0) }
    }
    guard accepts(bytes.count) else { return false }
    if bytes.isEmpty && completion == nil { return true }
    append(.array(bytes), completion)
    didAppend()
    return true
  }

  /// Sends a part of a file, which stays open until it is sent.
  package func send(
    file: Descriptor, at offset: Int64, count: Int, completion: ((DescriptorError?) -> Void)?
  ) -> Bool {
    guard accepts(0) else { return false }
    append(.file(file, offset: offset, count: count), completion)
    didAppend()
    return true
  }

  package func pass(_ descriptors: [Descriptor], with bytes: [UInt8]) -> Bool {
    guard accepts(bytes.count) else { return false }
    append(.descriptors(descriptors, bytes: bytes))
    didAppend()
    return true
  }

  /// Returns true if more bytes may wait, after making room if the policy says so.
  private func accepts(_ count: Int) -> Bool {
    guard phase == .open else { return false }
    if waitingCount == 0 || waitingCount + count <= limit { return true }
    switch overflow {
    case .wait:
      if inputOutput.source != nil { return true }
      becomeFull()
      return false
    case .dropOldest:
      dropOldest(until: limit - count)
      return true
    case .fail:
      fail(.overflow(limit: limit))
      return false
    }
  }

  private func dropOldest(until limit: Int) {
    // Of the first segment a part may be written already, so it must be completed.
    let first = written > 0 ? head + 1 : head
    var end = first
    var lost: [Segment] = []
    while end < segments.count && waitingCount > limit {
      waitingCount -= segments[end].content.count
      lost.append(segments[end])
      end += 1
    }
    segments.removeSubrange(first..<end)
    for segment in lost { segment.completion?(.overflow(limit: self.limit)) }
  }

  private func collect(_ bytes: UnsafeRawBufferPointer) {
    if segments.count > head, case .chunk(let chunk) = segments[segments.count - 1].content,
      segments[segments.count - 1].completion == nil,
      chunk.count + bytes.count <= Chunk.capacity
    {
      chunk.append(bytes)
      waitingCount += bytes.count
      return
    }
    let chunk = inputOutput.takeChunk()
    chunk.append(bytes)
    append(.chunk(chunk))
  }

  private func append(
    _ content: Segment.Content, _ completion: ((DescriptorError?) -> Void)? = nil
  ) {
    if waitingCount == 0 { activity?() }
    waitingCount += content.count
    segments.append(Segment(content: content, completion: completion))
  }

  private func didAppend() {
    if waitingCount >= limit && overflow == .wait {
      becomeFull()
      if let source = inputOutput.source { hold(source) }
    }
    guard canWriteNow else { return }
    if waitingCount >= Self.promptCount { flush() } else { schedule() }
  }

  private var canWriteNow: Bool { !isBlocked && !isFlushing }

  private func schedule() {
    if isScheduled { return }
    isScheduled = true
    inputOutput.atEndOfTurn(self)
  }

  // MARK: - Flushing

  /// Writes what fits now.
  package func flush() {
    guard phase != .ended, !isFlushing, let target else { return }
    isFlushing = true
    isBlocked = false
    var left = Self.flushLimit
    while phase != .ended && head < segments.count && !isBlocked && left > 0 {
      var most = left
      if let rate {
        most = min(most, rate.allowance)
        if most <= 0 {
          isBlocked = true
          rate.wait { [weak self] in self?.flush() }
          break
        }
      }
      switch writeFirst(to: target, most) {
      case .count(let count):
        left -= count
        didWrite(count)
        advance(by: count)
      case .blocked:
        isBlocked = true
        target.waitForRoom(self)
      case .failed(let error):
        fail(error)
      }
    }
    isFlushing = false
    if phase == .ended { return }
    if isFull && waitingCount * 2 <= limit { becomeWritable() }
    if head == segments.count {
      didDrain()
    } else if !isBlocked {
      schedule()
    }
  }

  private func didWrite(_ count: Int) {
    hasWritten = true
    rate?.use(count)
    activity?()
  }

  private func writeFirst(to target: any WriteTarget, _ most: Int) -> WriteResult {
    switch segments[head].content {
    case .chunk(let chunk):
      let rest = chunk.bytes.dropFirst(written)
      let first = UnsafeRawBufferPointer(rebasing: rest.prefix(most))
      guard first.count == rest.count, head + 1 < segments.count else {
        return target.write(first, noBytes)
      }
      switch segments[head + 1].content {
      case .chunk(let next):
        return target.write(
          first, UnsafeRawBufferPointer(rebasing: next.bytes.prefix(most - first.count)))
      case .array(let next):
        return next.withUnsafeBytes {
          target.write(first, UnsafeRawBufferPointer(rebasing: $0.prefix(most - first.count)))
        }
      case .file, .descriptors: return target.write(first, noBytes)
      }
    case .array(let bytes):
      if bytes.isEmpty { return .count(0) }
      return bytes.withUnsafeBytes {
        target.write(
          UnsafeRawBufferPointer(rebasing: $0.dropFirst(written).prefix(most)), noBytes)
      }
    case .file(let file, let offset, let count):
      if count == 0 { return .count(0) }
      let result = target.send(
        file: file.number, at: offset + Int64(written), count: min(most, count - written))
      // The file is shorter than announced.
      if case .count(0) = result { return .failed(.system(EIO)) }
      return result
    case .descriptors(let descriptors, let bytes):
      return bytes.withUnsafeBytes { bytes in
        if written == 0 {
          return target.write(bytes, passing: descriptors.map(\.number))
        }
        return target.write(
          UnsafeRawBufferPointer(rebasing: bytes.dropFirst(written)), noBytes)
      }
    }
  }

  /// Removes written bytes from the front of the queue.
  private func advance(by count: Int) {
    waitingCount -= count
    written += count
    while head < segments.count, written >= segments[head].content.count {
      written -= segments[head].content.count
      let segment = segments[head]
      segments[head].content = .array([])
      head += 1
      if case .chunk(let chunk) = segment.content { inputOutput.recycle(chunk) }
      segment.completion?(nil)
      if phase == .ended { return }
    }
    if head == segments.count {
      segments.removeAll(keepingCapacity: head <= 8)
      head = 0
    } else if head >= 64 && head * 2 >= segments.count {
      segments.removeFirst(head)
      head = 0
    }
  }

  private func didDrain() {
    if phase == .finishing { return end(.completed) { $0.finishWriting() } }
    drainedSubject?.next(())
  }

  // MARK: - Fullness

  private func becomeFull() {
    if isFull { return }
    isFull = true
    writableProperty?.value = false
  }

  private func hold(_ source: any PausableSource) {
    if paused.contains(where: { $0 === source }) { return }
    paused.append(source)
    source.pause()
  }

  private func becomeWritable() {
    isFull = false
    if phase == .open { writableProperty?.value = true }
    resumeSources()
  }

  private func resumeSources() {
    let sources = exchange(&paused, with: [])
    for source in sources { source.resume() }
  }

  // MARK: - Rate

  /// Limits the bytes per second, or removes the limit.
  package func setRate(_ rate: RateMeter?) {
    self.rate = rate
    if isBlocked { flush() }
  }

  // MARK: - End

  /// Ends writing after the waiting bytes are written.
  package func finish() {
    guard phase == .open else { return }
    phase = .finishing
    writableProperty?.value = false
    if head == segments.count && !isFlushing { end(.completed) { $0.finishWriting() } }
  }

  /// Ends writing with an error. The waiting bytes are lost.
  package func fail(_ error: DescriptorError) {
    if case .system(EPIPE) = error {
      return end(.completed, lost: error) { $0.writingFailed(error) }
    }
    end(.failed(error), lost: error) { $0.writingFailed(error) }
  }

  /// Disposes a binding when the queue ends.
  func end(with binding: Disposable) {
    if bindings.count >= sweepAt {
      bindings.removeAll { $0.binding?.isDisposed ?? true }
      sweepAt = max(4, 2 * bindings.count)
    }
    bindings.append(WeakBinding(binding: binding))
  }

  private func end(
    _ termination: Termination<DescriptorError>, lost: DescriptorError? = nil,
    _ tell: (any WriteTarget) -> Void
  ) {
    if phase == .ended { return }
    phase = .ended
    self.termination = termination
    let target = exchange(&self.target, with: nil)
    let left = exchange(&segments, with: [])[head...]
    head = 0
    written = 0
    waitingCount = 0
    rate = nil
    activity = nil
    if let target { tell(target) }
    writableProperty?.value = false
    for segment in left { segment.completion?(lost) }
    drainedSubject?.end(termination)
    drainedSubject = nil
    for bound in exchange(&bindings, with: []) { bound.binding?.dispose() }
    resumeSources()
  }
}

extension WriteQueue: EndOfTurnTask {
  package func runAtEndOfTurn() {
    isScheduled = false
    if !isBlocked { flush() }
  }
}

/// A binding to a writer, which retains the writer and is therefore not retained by it.
private struct WeakBinding {
  weak var binding: Disposable?
}
