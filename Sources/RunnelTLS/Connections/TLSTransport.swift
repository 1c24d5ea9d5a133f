import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams

/// A TLS session on another connection, as the transport of a new one.
///
/// It consumes the ciphertext of the inner connection, and writes ciphertext to its queue. Bytes are
/// decrypted when the outer connection reads, so the inner connection pauses with it. Bytes are
/// encrypted when the inner queue is empty, so little waits twice.
///
/// The inner connection retains the transport as its consumer, until the transport is closed.
///
///     handshake ──▶ open ── end of the peer ──▶ peerHasFinished
///         └──────────┴───────── close ────────────────┴──▶ closed
final class TLSTransport: Transport, SecureTransport {
  private enum Phase {
    case handshake((Result<Void, SocketError.Cause>) -> Void)
    case open
    /// The receiver was notified of the end of the peer. Bytes from before can still be read.
    case peerHasFinished
    case closed
  }

  /// The end of the inner connection.
  private enum InnerEnd {
    /// This program has closed it.
    case closed
    case finished
    case failed(SocketError.Cause)
  }

  var receiver: (any TransportReceiver)?

  private var inner: Connection?
  private var engine: TLSEngine?
  private let output: CiphertextOutput
  private var phase: Phase
  let local: SocketAddress
  let peer: SocketAddress
  private(set) var session: TLSSession?

  /// True while the inner connection keeps ciphertext that was not used.
  private var isHolding = false
  /// True while bytes of the session wait for room in the inner queue.
  private var needsRoom = false
  private var innerEnd: InnerEnd?
  private var blockedQueue: WriteQueue?

  init(
    _ engine: TLSEngine, on inner: Connection,
    _ finish: @escaping (Result<Void, SocketError.Cause>) -> Void
  ) {
    self.engine = engine
    self.inner = inner
    local = inner.local
    peer = inner.peer
    output = CiphertextOutput(inner.core.queue)
    phase = .handshake(finish)
    output.hasRoomAgain = { [weak self] in self?.hasRoomAgain() }
  }

  var socket: Int32? { inner?.core.transport.socket }
  var readsCompletely: Bool { false }

  private var isOpen: Bool {
    switch phase {
    case .open, .peerHasFinished: true
    case .handshake, .closed: false
    }
  }

  // MARK: - Handshake

  /// Begins the handshake.
  func begin() {
    guard let inner else { return }
    inner.core.staysOpenAfterEnd = true
    inner.writer.overflow = .wait
    // Bytes that wait in both queues would count twice.
    inner.writer.limit = 1
    inner.inlet.begin(self)
    continueHandshake()
  }

  private func continueHandshake() {
    guard case .handshake(let finish) = phase, !output.isBlocked else { return }
    switch step({ $0.handshake() }) {
    case .needsInput, .needsRoom:
      if let innerEnd { finish(.failure(cause(of: innerEnd))) }
    case .count:
      phase = .open
      session = engine?.result
      finish(.success(()))
    case .end: finish(.failure(.security("the peer has closed the session in the handshake.")))
    case .failed(let cause): finish(.failure(cause))
    }
  }

  private func cause(of end: InnerEnd) -> SocketError.Cause {
    switch end {
    case .failed(let cause): cause
    case .closed, .finished:
      .security(
        "the peer has closed the connection in the handshake. Check that it speaks TLS here.")
    }
  }

  // MARK: - Writing

  /// Runs a step of the session until its output fits into the inner queue.
  private func step(_ body: (TLSEngine) -> TLSEngine.Outcome) -> TLSEngine.Outcome {
    while true {
      guard let engine else { return .end }
      var outcome = TLSEngine.Outcome.needsInput
      output.write(from: engine) { outcome = body(engine) }
      guard case .needsRoom = outcome, !output.isBlocked else { return outcome }
    }
  }

  func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> WriteResult {
    guard let engine else { return .failed(.system(EPIPE)) }
    if output.isBlocked { return .blocked }
    var outcome = TLSEngine.Outcome.count(0)
    let isWritten = output.write(from: engine) {
      outcome = engine.write(first)
      if case .count(first.count) = outcome, !second.isEmpty,
        case .count(let count) = engine.write(second)
      {
        outcome = .count(first.count + count)
      }
    }
    guard isWritten else { return .failed(.system(EPIPE)) }
    switch outcome {
    case .count(let count): return .count(count)
    case .needsInput, .needsRoom: return .blocked
    case .end, .failed: return .failed(.system(EPIPE))
    }
  }

  func waitForRoom(_ queue: WriteQueue) {
    blockedQueue = queue
  }

  func finishWriting() {
    guard let inner, let engine else { return }
    output.write(from: engine, isLast: true) { engine.finish() }
    let queue = inner.core.queue
    // The receiver is notified when the bytes before have left the inner queue.
    let isAccepted = queue.write([]) { [self] error in
      if let error { receiver?.writingFailed(error) } else { receiver?.writingHasFinished() }
    }
    queue.finish()
    queue.flush()
    if !isAccepted { receiver?.writingHasFinished() }
  }

  func writingFailed(_ error: DescriptorError) {
    receiver?.writingFailed(error)
  }

  // MARK: - Reading

  func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
    if engine == nil { return .end }
    switch step({ $0.read(into: buffer) }) {
    case .count(let count):
      if count < buffer.count { didUseInput() }
      return .count(count)
    case .needsInput:
      didUseInput()
      switch innerEnd {
      case nil: return .blocked
      case .closed: return .end
      case .finished: return .failed(.truncated)
      case .failed(let cause): return .failed(cause)
      }
    case .needsRoom:
      needsRoom = true
      return .blocked
    case .end: return .end
    case .failed(let cause): return .failed(cause)
    }
  }

  /// Asks for more ciphertext, and reports the end.
  private func didUseInput() {
    if isHolding {
      isHolding = false
      inner?.inlet.demandHasIncreased()
    }
    if engine?.peerHasFinished ?? false { reportEnd() }
  }

  private func reportEnd() {
    guard case .open = phase else { return }
    phase = .peerHasFinished
    receiver?.peerHasFinished()
  }

  func takeError() -> SocketError.Cause? {
    if case .failed(let cause) = innerEnd { return cause }
    return nil
  }

  /// Goes on after the inner queue was full.
  private func hasRoomAgain() {
    continueHandshake()
    blockedQueue.take()?.flush()
    if needsRoom {
      needsRoom = false
      receiver?.transportIsReadable()
    }
  }

  // MARK: - End

  /// Ends the handshake or the connection. An alert for the peer is still sent.
  func close(reset: Bool) {
    phase = .closed
    let hasSentAlert = engine.take()?.hasFailed ?? false
    blockedQueue = nil
    guard let inner = inner.take() else { return }
    inner.inlet.stop(self)
    // An alert that was written is more useful to the peer than a reset.
    if reset && !(inner.core.queue.waitingCount == 0 && hasSentAlert) {
      inner.core.close(reset: true)
    } else {
      inner.core.closeAfterWriting()
    }
  }
}

// MARK: - Ciphertext of the peer

extension TLSTransport: InputConsumer {
  var isActive: Bool { inner != nil }

  var wantsMore: Bool { isActive && !isHolding }

  func consume(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let engine, inner != nil else { return bytes.count }
    engine.input = bytes
    continueHandshake()
    if isOpen, !engine.input.isEmpty { receiver?.transportIsReadable() }
    let left = engine.input.count
    engine.input = noBytes
    if left == 0 || self.engine == nil || engine.peerHasFinished { return bytes.count }
    isHolding = true
    return bytes.count - left
  }

  func end(_ rest: UnsafeRawBufferPointer, _ termination: Termination<SocketError>) {
    guard let inner else { return }
    switch termination {
    case .failed(let error): innerEnd = .failed(error.cause)
    case .completed: innerEnd = inner.core.isClosed ? .closed : .finished
    }
    continueHandshake()
    guard isOpen else { return }
    reportEnd()
    receiver?.transportIsReadable()
  }

  func endIsNear() {
    guard let inner else { return }
    if inner.core.isClosed {
      // The inner connection has dropped the bytes, and now delivers its end.
      isHolding = false
    } else {
      reportEnd()
    }
  }
}
