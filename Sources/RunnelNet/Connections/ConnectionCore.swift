import Glibc
import RunnelLoop
import RunnelStreams

/// The state that both directions of a connection share. It closes the transport when both have
/// ended.
///
///     open ── both directions have ended ──▶ lingering ── the peer's end ──▶ closed
///      └─ an error, a reset, or the end of both if no byte is on its way ──▶ closed
///
/// The transport retains it until it is closed.
package final class ConnectionCore {
  enum Phase {
    case open
    /// Waits for the peer's end, for some time and some bytes.
    case lingering(RestartableTimer, count: Int)
    case closed(Termination<SocketError>)
  }

  enum Reading {
    case open
    /// The consumer has received the end.
    case delivered
    /// Nobody can read any more.
    case abandoned
  }

  enum Writing {
    case open
    case ended
    /// Writing has failed, while bytes of the peer may still be read.
    case failed(SocketError.Cause)
  }

  package let transport: any Transport
  package let queue: WriteQueue
  package let scheduler: any Scheduler
  private let inputOutput: InputOutput
  /// The reading direction.
  package let inlet: Inlet

  /// True if the end of reading does not finish writing.
  package var staysOpenAfterEnd = false
  @exclusivity(unchecked) private(set) var phase = Phase.open
  @exclusivity(unchecked) private(set) var reading = Reading.open
  @exclusivity(unchecked) private(set) var writing = Writing.open
  @exclusivity(unchecked) private(set) var limits: Deadlines?
  @exclusivity(unchecked) package var latePlace: Int?
  private var closedSubject: Subject<Never, SocketError>?
  /// The listener that has accepted the connection, and the place in its list.
  weak var listener: (any ConnectionOwner)?
  var placeInListener = 0

  /// The time in which a connection that nobody reads must write some of its waiting bytes.
  private static let closingTime = Duration.seconds(30)
  /// The time and the bytes for which a closed connection waits for the peer's end.
  private static let lingeringTime = Duration.seconds(2)
  private static let lingeringBytes = 1 << 20

  init(_ transport: any Transport, _ inputOutput: InputOutput, on scheduler: any Scheduler) {
    self.transport = transport
    self.inputOutput = inputOutput
    self.scheduler = scheduler
    queue = WriteQueue(transport, inputOutput)
    inlet = Inlet(transport, inputOutput)
    inlet.core = self
    transport.receiver = self
  }

  deinit {
    // A place that is full may retain the inlet longer.
    inlet.core = nil
  }

  package var isClosed: Bool { if case .closed = phase { true } else { false } }

  private var isLingering: Bool { if case .lingering = phase { true } else { false } }

  /// The error that has closed the connection.
  package var failure: SocketError? {
    if case .closed(.failed(let error)) = phase { error } else { nil }
  }

  /// The error that has ended writing only.
  var writeFailure: SocketError.Cause? {
    if case .failed(let cause) = writing { cause } else { nil }
  }

  var timeLimits: TimeLimits {
    get { limits?.limits ?? TimeLimits() }
    set {
      limits?.stop()
      limits = isClosed || newValue == TimeLimits() ? nil : Deadlines(newValue, of: self)
    }
  }

  /// Reads the transport once more, although it seems to be empty: see ``Transport``.
  func readAgainLater() {
    inputOutput.lateReads.add(self, on: scheduler)
  }

  // MARK: - End

  /// The consumer receives the end now.
  func endIsDelivered() {
    if reading == .open { reading = .delivered }
  }

  /// The consumer has received the end.
  func readingHasEnded(_ termination: Termination<SocketError>) {
    limits?.reading(waits: false)
    queue.endBindingsIfEnded()
    if case .failed = termination { return }
    if !staysOpenAfterEnd { queue.finish() }
    closeIfEnded()
  }

  /// Nobody reads any more: the connection closes when everything is written.
  func abandon() {
    guard reading != .abandoned else { return }
    reading = .abandoned
    inlet.stop()
    limitClosing()
    if !inlet.isOpen { queue.finish() }
    closeIfEnded()
  }

  /// Closes both directions after the waiting bytes are written.
  package func closeAfterWriting() {
    if isClosed { return }
    reading = .abandoned
    limitClosing()
    inlet.cut(.completed)
    queue.finish()
    closeIfEnded()
  }

  /// A peer that reads nothing must not keep a closed connection open.
  private func limitClosing() {
    if isClosed || timeLimits.writing != nil { return }
    timeLimits.writing = Self.closingTime
  }

  /// Closes the transport if both directions have ended.
  private func closeIfEnded() {
    guard case .open = phase, reading != .open else { return }
    if case .open = writing { return }
    if inlet.hasReadEnd || !queue.hasWritten { return close(reset: false) }
    let timer = RestartableTimer(on: scheduler)
    phase = .lingering(timer, count: 0)
    timer.set(after: Self.lingeringTime) { self.close(reset: false) }
    linger()
  }

  /// Reads until the peer's end. Closing a socket with unread bytes would reset the connection, and
  /// the peer could lose what was written last.
  private func linger() {
    guard case .lingering(let timer, var count) = phase else { return }
    while count < Self.lingeringBytes {
      switch inputOutput.withBuffer({ transport.read(into: $0) }) {
      case .count(let more): count += more
      case .blocked:
        // The transport may have reported the peer's end meanwhile, which closes the connection.
        if isLingering { phase = .lingering(timer, count: count) }
        return
      case .end, .failed: return close(reset: false)
      }
    }
    close(reset: false)
  }

  /// Ends both directions because of an error.
  func fail(_ cause: SocketError.Cause, _ operation: SocketError.Operation) {
    end(reset: true, .failed(SocketError(operation, "\(transport.peer)", cause)))
  }

  /// Closes both directions at once. Bytes that wait are lost.
  package func close(reset: Bool) {
    end(reset: reset, .completed)
  }

  private func end(reset: Bool, _ end: Termination<SocketError>) {
    if isClosed { return }
    if case .lingering(let timer, _) = phase { timer.tearDown() }
    phase = .closed(end)
    limits?.stop()
    limits = nil
    inputOutput.lateReads.remove(self)
    transport.close(reset: reset)
    transport.receiver = nil
    inlet.consumer?.endIsNear()
    inlet.cut(end)
    queue.fail(failure.map { $0.descriptorError } ?? .system(EPIPE))
    if inlet.consumer == nil { queue.endBindingsIfEnded() }
    listener?.connectionHasClosed(self)
    exchange(&closedSubject, with: nil)?.end(end)
  }

  /// Completes when the connection is closed, or fails with the error that has closed it.
  var closed: EventStream<Never, SocketError> {
    if case .closed(let end) = phase {
      return .unguarded { $0.end(end) }
    }
    let subject = closedSubject ?? Subject()
    closedSubject = subject
    return subject.stream
  }
}

extension ConnectionCore: TransportReceiver {
  package var isRead: Bool { inlet.consumer?.isActive ?? false }

  package func transportIsReadable() {
    if isLingering { return linger() }
    if inlet.becameReadable() { return }
    // Nobody reads now, so an error would not be noticed.
    if inlet.termination == nil, let cause = transport.takeError() { fail(cause, .read) }
  }

  package func peerHasFinished() {
    if reading == .abandoned { queue.finish() }
    inlet.peerHasFinished()
    linger()
  }

  package func writingHasFinished() {
    if case .open = writing { writing = .ended }
    closeIfEnded()
  }

  package func transportFailed(_ cause: SocketError.Cause) {
    fail(cause, .write)
  }

  package func writingFailed(_ error: DescriptorError) {
    if isClosed { return }
    let cause = SocketError.Cause(error)
    // The peer may have sent an answer before it stopped reading.
    guard error == .system(EPIPE), inlet.consumer != nil, writeFailure == nil else {
      return fail(cause, .write)
    }
    writing = .failed(cause)
    inlet.peerHasFinished()
  }
}

extension ConnectionCore: LateTask {
  package func runLate() {
    if !isClosed { transportIsReadable() }
  }
}

/// The listener of a connection.
protocol ConnectionOwner: AnyObject {
  func connectionHasClosed(_ connection: ConnectionCore)
}

extension SocketError {
  /// The error as a writer reports it.
  fileprivate var descriptorError: DescriptorError {
    switch cause {
    case .overflow(let limit): .overflow(limit: limit)
    case .tooManyDescriptors: .tooMany
    case .system(let code): .system(code)
    case .timedOut: .system(ETIMEDOUT)
    default: .system(ECONNRESET)
    }
  }
}
