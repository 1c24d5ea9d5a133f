import Glibc
import RunnelLoop
import RunnelStreams

/// The reading direction of a connection, and the state that both directions share.
///
/// It passes the bytes of a transport to one consumer at a time, and keeps those that the consumer
/// has not used up. It stops reading while the consumer has no demand or a writer that it feeds is
/// full. It closes the transport when both directions have ended.
package final class Inlet {
  package let transport: any Transport
  package let queue: WriteQueue
  package let scheduler: any Scheduler
  private let inputOutput: InputOutput

  @exclusivity(unchecked) private var consumer: (any InputConsumer)?
  /// Bytes that were read and not used up.
  @exclusivity(unchecked) private var rest: [UInt8] = []
  /// True if the consumer has not seen `rest`.
  @exclusivity(unchecked) private var restIsNew = false
  @exclusivity(unchecked) private var isReadable = false
  @exclusivity(unchecked) private var isDelivering = false
  @exclusivity(unchecked) private var isScheduled = false
  @exclusivity(unchecked) private var pauses = 0
  @exclusivity(unchecked) private var rate: RateMeter?

  /// The end of reading, once it is known.
  @exclusivity(unchecked) private var termination: Termination<SocketError>?
  /// True after the peer's end was read.
  @exclusivity(unchecked) private var hasReadEnd = false
  /// True after the consumer has received the end.
  @exclusivity(unchecked) private var endIsDelivered = false
  /// True if the peer's end is waiting to be read.
  @exclusivity(unchecked) private var peerMayHaveFinished = false
  /// The error that has ended writing, while bytes of the peer may still be read.
  @exclusivity(unchecked) private var writeFailure: SocketError.Cause?
  /// True if nobody can read any more.
  @exclusivity(unchecked) private var isAbandoned = false
  @exclusivity(unchecked) private var writingHasEnded = false
  /// True if the end of reading does not finish writing.
  package var staysOpenAfterEnd = false
  @exclusivity(unchecked) package private(set) var isClosed = false
  @exclusivity(unchecked) private var lingering: RestartableTimer?
  private var lingeringCount = 0

  @exclusivity(unchecked) var limits: Deadlines?
  /// The listener that has accepted the connection, and the place in its list.
  weak var listener: (any ConnectionOwner)?
  var placeInListener = 0
  private var closedSubject: Subject<Never, SocketError>?
  package private(set) var failure: SocketError?

  /// The number of reads in one turn, so that the loop can run other work.
  private static let readsPerTurn = 8
  /// The time and the bytes for which a closed connection waits for the peer's end.
  private static let lingeringTime = Duration.seconds(2)
  private static let lingeringBytes = 1 << 22

  package init(
    _ transport: any Transport, _ inputOutput: InputOutput, on scheduler: any Scheduler
  ) {
    self.transport = transport
    self.inputOutput = inputOutput
    self.scheduler = scheduler
    queue = WriteQueue(transport, inputOutput)
    transport.receiver = self
  }

  // MARK: - Consumer

  /// Begins to pass bytes to a consumer. Traps if there is another one.
  package func begin(_ consumer: any InputConsumer) {
    // The completion of `take(1)` may begin to read again before that reader is torn down.
    require(
      self.consumer.map { !$0.isActive } ?? true,
      "A Connection has one reader at a time. Dispose the other one first, or share its stream.")
    release(exchange(&self.consumer, with: consumer))
    limits?.readingBegan()
    restIsNew = !rest.isEmpty
    pumpSoon()
  }

  /// Stops passing bytes to a consumer.
  package func stop(_ consumer: any InputConsumer) {
    guard self.consumer === consumer else { return }
    release(self.consumer.take())
    limits?.readingStopped()
  }

  /// True if the consumer may be called with the next message.
  var mayDeliver: Bool { pauses == 0 && !isClosed && !isAbandoned }

  var timeLimits: TimeLimits {
    get { limits?.limits ?? TimeLimits() }
    set {
      limits?.stop()
      if isClosed { return }
      limits =
        newValue == TimeLimits() ? nil : Deadlines(newValue, of: self, isReading: consumer != nil)
    }
  }

  /// Reads on if the consumer wants more now.
  package func demandHasIncreased() {
    pumpSoon()
  }

  /// Takes the bytes that were read and not used up.
  package func takeRest() -> [UInt8] {
    exchange(&rest, with: [])
  }

  // MARK: - Reading

  /// The next read happens at the end of the turn: observing a stream sends nothing at once.
  private func pumpSoon() {
    if isScheduled || isDelivering { return }
    isScheduled = true
    inputOutput.atEndOfTurn(self)
  }

  private func pump() {
    if isDelivering { return }
    isDelivering = true
    var reads = 0
    while let consumer {
      // The end needs no demand, but comes after the bytes.
      if let termination, !restIsNew || isClosed {
        deliver(termination, to: consumer)
        break
      }
      let isWanted = pauses == 0 && consumer.wantsMore
      // The end may be found behind a few bytes, which are kept.
      guard isWanted || peerMayHaveFinished && rest.isEmpty else { break }
      if restIsNew {
        deliverRest(to: consumer)
      } else if !isReadable {
        break
      } else if reads == Self.readsPerTurn {
        isDelivering = false
        return pumpSoon()
      } else {
        reads += 1
        if !read(for: consumer) { break }
      }
    }
    isDelivering = false
  }

  /// Reads once. Returns false if the rate allows no bytes now.
  private func read(for consumer: any InputConsumer) -> Bool {
    inputOutput.withBuffer { read(into: $0, for: consumer) }
  }

  private func read(
    into buffer: UnsafeMutableRawBufferPointer, for consumer: any InputConsumer
  ) -> Bool {
    var most = 1 << 16
    if let rate {
      most = min(most, rate.allowance)
      guard most > 0 else {
        rate.wait { [weak self] in self?.pumpSoon() }
        return false
      }
    }
    let buffer = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(most))
    switch transport.read(into: buffer) {
    case .count(let count):
      // The end of the peer is not reported again.
      if count < buffer.count && transport.readsCompletely && !peerMayHaveFinished {
        isReadable = false
      }
      rate?.use(count)
      limits?.didRead()
      let bytes = UnsafeRawBufferPointer(rebasing: buffer.prefix(count))
      if rest.isEmpty {
        let isWanted = pauses == 0 && consumer.wantsMore
        let used = isWanted ? consume(bytes, by: consumer) : 0
        if used < count {
          keep(Array(bytes.dropFirst(used)), unseenBy: consumer)
        }
      } else {
        rest += bytes
        restIsNew = true
      }
    case .blocked: isReadable = false
    case .end:
      hasReadEnd = true
      if let writeFailure { fail(writeFailure, .write) } else { termination = .completed }
    case .failed(let cause): fail(cause, .read)
    }
    return true
  }

  private func deliverRest(to consumer: any InputConsumer) {
    restIsNew = false
    // The consumer may observe the connection again, so the bytes are held here meanwhile.
    let bytes = exchange(&rest, with: [])
    let used = bytes.withUnsafeBytes { consume($0, by: consumer) }
    if used < bytes.count { keep(used == 0 ? bytes : Array(bytes[used...]), unseenBy: consumer) }
  }

  /// Keeps bytes that a consumer has not used up.
  private func keep(_ bytes: [UInt8], unseenBy consumer: any InputConsumer) {
    if isClosed || isAbandoned { return }
    // A consumer that stopped early, or a new one, has not seen all of them.
    restIsNew = self.consumer !== consumer || !consumer.wantsMore || pauses > 0
    rest = bytes
  }

  private func consume(_ bytes: UnsafeRawBufferPointer, by consumer: any InputConsumer) -> Int {
    let previous = inputOutput.source
    inputOutput.source = self
    defer { inputOutput.source = previous }
    return consumer.consume(bytes)
  }

  private func deliver(_ termination: Termination<SocketError>, to consumer: any InputConsumer) {
    release(self.consumer.take())
    endIsDelivered = true
    let bytes = exchange(&rest, with: [])
    let previous = inputOutput.source
    inputOutput.source = self
    bytes.withUnsafeBytes { consumer.end($0, termination) }
    inputOutput.source = previous
    readingHasEnded()
  }

  // MARK: - End

  private func readingHasEnded() {
    limits?.readingStopped()
    if case .failed? = termination { return }
    if !staysOpenAfterEnd { queue.finish() }
    closeIfEnded()
  }

  /// Ends both directions because of an error.
  func fail(_ cause: SocketError.Cause, _ operation: SocketError.Operation) {
    let error = SocketError(operation, "\(transport.peer)", cause)
    if termination == nil { termination = .failed(error) }
    if failure == nil { failure = error }
    close(reset: true)
  }

  /// Nobody reads any more: the connection closes when everything is written.
  package func abandon() {
    guard !isAbandoned else { return }
    isAbandoned = true
    release(consumer.take())
    limits?.readingStopped()
    if peerMayHaveFinished || termination != nil { queue.finish() }
    closeIfEnded()
  }

  /// Closes the transport if both directions have ended.
  private func closeIfEnded() {
    guard !isClosed, writingHasEnded, isAbandoned || endIsDelivered else { return }
    if hasReadEnd || !queue.hasWritten { return close(reset: false) }
    linger()
  }

  /// Reads until the peer's end. Closing a socket with unread bytes would reset the connection, and
  /// the peer could lose what was written last.
  private func linger() {
    if lingering == nil {
      let timer = RestartableTimer(on: scheduler)
      lingering = timer
      timer.set(after: Self.lingeringTime) { self.close(reset: false) }
    }
    while lingeringCount < Self.lingeringBytes {
      switch inputOutput.withBuffer({ transport.read(into: $0) }) {
      case .count(let count): lingeringCount += count
      case .blocked: return
      case .end, .failed: return close(reset: false)
      }
    }
    close(reset: false)
  }

  /// Closes both directions after the waiting bytes are written.
  package func closeAfterWriting() {
    if isClosed { return }
    if termination == nil { termination = .completed }
    rest = []
    restIsNew = false
    isAbandoned = true
    queue.finish()
    closeIfEnded()
    pumpSoon()
  }

  /// Closes both directions at once. Bytes that wait are lost.
  package func close(reset: Bool) {
    if isClosed { return }
    isClosed = true
    rest = []
    restIsNew = false
    lingering?.tearDown()
    lingering = nil
    limits?.stop()
    limits = nil
    transport.close(reset: reset)
    transport.receiver = nil
    consumer?.endIsNear()
    if termination == nil { termination = .completed }
    queue.fail(failure.map { $0.descriptorError } ?? .system(EPIPE))
    listener?.connectionHasClosed(self)
    let subject = exchange(&closedSubject, with: nil)
    subject?.end(failure.map { .failed($0) } ?? .completed)
    pumpSoon()
  }

  /// Completes when the connection is closed, or fails with the error that has closed it.
  var closed: EventStream<Never, SocketError> {
    if isClosed {
      let end: Termination<SocketError> = failure.map { .failed($0) } ?? .completed
      return .unguarded { $0.end(end) }
    }
    let subject = closedSubject ?? Subject()
    closedSubject = subject
    return subject.stream
  }

  func limitReading(_ rate: RateMeter?) {
    self.rate = rate
    pumpSoon()
  }
}

extension Inlet: EndOfTurnTask {
  package func runAtEndOfTurn() {
    isScheduled = false
    pump()
  }
}

extension Inlet: PausableSource {
  package func pause() {
    pauses += 1
  }

  package func resume() {
    pauses -= 1
    if pauses == 0 { pumpSoon() }
  }
}

extension Inlet: TransportReceiver {
  package func transportIsReadable() {
    isReadable = true
    if lingering != nil { return linger() }
    if consumer != nil && pauses == 0 { return pump() }
    // Nobody reads now, so an error would not be noticed.
    if termination == nil, let cause = transport.takeError() { fail(cause, .read) }
  }

  package func peerHasFinished() {
    peerMayHaveFinished = true
    isReadable = true
    if lingering != nil { return linger() }
    if isAbandoned { queue.finish() }
    consumer?.endIsNear()
    pumpSoon()
  }

  package func writingHasFinished() {
    writingHasEnded = true
    closeIfEnded()
  }

  package func writingFailed(_ error: DescriptorError) {
    writingHasEnded = true
    if isClosed { return }
    let cause = SocketError.Cause(error)
    // The peer may have sent an answer before it stopped reading.
    guard error == .system(EPIPE), consumer != nil, writeFailure == nil else {
      return fail(cause, .write)
    }
    writeFailure = cause
    isReadable = true
    pumpSoon()
  }
}

/// The listener of a connection.
protocol ConnectionOwner: AnyObject {
  func connectionHasClosed(_ inlet: Inlet)
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
