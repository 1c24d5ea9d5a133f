import RunnelLoop
import RunnelStreams

/// The reading direction of a connection.
///
/// It passes the bytes of a transport to one consumer at a time, and keeps those that the consumer
/// has not used up. It stops reading while the consumer has no demand or a writer that it feeds is
/// full.
///
///     open ── the peer has finished ──▶ finishing ── the end is read ──▶ ended
///      │                                    │                              │
///      └──────── this side ends, or an error ends the connection ──────────┴──▶ cut
package final class Inlet {
  enum Phase {
    case open
    /// The peer's end waits to be read, perhaps behind some bytes.
    case finishing
    /// The peer's end was read. The consumer may not have seen all bytes before it.
    case ended
    /// Nothing but the given end is delivered.
    case cut(Termination<SocketError>, endWasRead: Bool)
  }

  /// Bytes that were read. Those before `start` are used up.
  private struct Rest {
    var bytes: [UInt8] = []
    var start = 0
    /// True if the consumer has not seen them.
    var isNew = false
  }

  private let transport: any Transport
  private let inputOutput: InputOutput
  /// The state of the connection, which owns this object.
  // Safety: a consumer retains the connection and so its state. Without one it is not used.
  unowned var core: ConnectionCore?

  @exclusivity(unchecked) private(set) var consumer: (any InputConsumer)?
  @exclusivity(unchecked) private(set) var phase = Phase.open
  @exclusivity(unchecked) private var rest = Rest()
  // Flags (3): the transport, the loop's list of tasks and the stack change independently.
  @exclusivity(unchecked) private var isReadable = false
  /// True if the loop calls the inlet at the end of the turn.
  @exclusivity(unchecked) private var isScheduled = false
  @exclusivity(unchecked) private var isDelivering = false
  @exclusivity(unchecked) private var pauses = 0
  @exclusivity(unchecked) private var rate: RateMeter?
  /// The number of bytes that were read so far.
  @exclusivity(unchecked) package private(set) var readCount: UInt64 = 0

  /// The number of reads in one turn, so that the loop can run other work.
  private static let readsPerTurn = 8

  init(_ transport: any Transport, _ inputOutput: InputOutput) {
    self.transport = transport
    self.inputOutput = inputOutput
  }

  // MARK: - End

  /// False once the end is on its way, or known.
  var isOpen: Bool { if case .open = phase { true } else { false } }

  /// The end of reading, once it is known.
  var termination: Termination<SocketError>? {
    switch phase {
    case .open, .finishing: nil
    case .ended: .completed
    case .cut(let termination, _): termination
    }
  }

  /// True after the peer's end was read.
  var hasReadEnd: Bool {
    switch phase {
    case .open, .finishing: false
    case .ended: true
    case .cut(_, let endWasRead): endWasRead
    }
  }

  private var isCut: Bool { if case .cut = phase { true } else { false } }

  // MARK: - Consumer

  /// Begins to pass bytes to a consumer. Traps if there is another one.
  package func begin(_ consumer: any InputConsumer) {
    // The completion of `take(1)` may begin to read again before that reader is torn down.
    require(
      self.consumer.map { !$0.isActive } ?? true,
      "A Connection has one reader at a time. Dispose the other one first, or share its stream.")
    release(exchange(&self.consumer, with: consumer))
    rest.isNew = !rest.bytes.isEmpty
    pumpSoon()
  }

  /// Stops passing bytes to a consumer.
  package func stop(_ consumer: any InputConsumer) {
    guard self.consumer === consumer else { return }
    stop()
  }

  /// Stops passing bytes.
  func stop() {
    release(consumer.take())
    core?.limits?.reading(waits: false)
  }

  /// True if the consumer may be called with the next message.
  var mayDeliver: Bool { !isCut && (!isPaused || consumer?.ignoresPauses ?? false) }

  /// True while a place after the consumer is full.
  var isPaused: Bool { pauses > 0 }

  /// Reads on if the consumer wants more now.
  package func demandHasIncreased() {
    pumpSoon()
  }

  func limitReading(_ rate: RateMeter?) {
    self.rate = rate
    pumpSoon()
  }

  // MARK: - Signals

  /// Bytes, the end or an error can be read. Returns false if nobody reads now.
  func becameReadable() -> Bool {
    isReadable = true
    guard let consumer, isWanted(by: consumer) else { return false }
    pump()
    return true
  }

  /// The end of the peer can be read, perhaps after some bytes.
  func peerHasFinished() {
    if isOpen { phase = .finishing }
    isReadable = true
    consumer?.endIsNear()
    pumpSoon()
  }

  /// Drops the bytes that were read, and delivers the end.
  func cut(_ termination: Termination<SocketError>) {
    phase = .cut(self.termination ?? termination, endWasRead: hasReadEnd)
    rest = Rest()
    pumpSoon()
  }

  // MARK: - Reading

  /// Reads at the end of the turn. A stream therefore sends nothing while it is being observed.
  private func pumpSoon() {
    if isScheduled || isDelivering { return }
    isScheduled = true
    inputOutput.atEndOfTurn(self)
  }

  private func pump() {
    if isDelivering || consumer == nil { return }
    // The consumer may release the connection.
    let core = core
    defer { withExtendedLifetime(core) {} }
    isDelivering = true
    var reads = 0
    while let consumer {
      // The end needs no demand, but comes after the bytes.
      if let termination, !rest.isNew {
        deliver(termination, to: consumer)
        // The end may have begun another reading, which gets the end in a later turn.
        isDelivering = false
        return self.consumer == nil ? () : pumpSoon()
      }
      // The end may be found behind a few bytes, which are kept.
      guard isWanted(by: consumer) || !isOpen && rest.bytes.isEmpty else { break }
      if rest.isNew {
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
    core?.limits?.reading(waits: waitsForBytes)
  }

  var waitsForBytes: Bool { consumer.map { isWanted(by: $0) } ?? false }

  /// True if the consumer takes bytes now.
  private func isWanted(by consumer: any InputConsumer) -> Bool {
    (!isPaused || consumer.ignoresPauses) && consumer.wantsMore
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
      if count < buffer.count && transport.readsCompletely && isOpen {
        isReadable = false
        core?.readAgainLater()
      }
      readCount &+= UInt64(count)
      rate?.use(count)
      core?.limits?.didRead()
      let bytes = UnsafeRawBufferPointer(rebasing: buffer.prefix(count))
      if rest.bytes.isEmpty {
        let used = isWanted(by: consumer) ? consume(bytes, by: consumer) : 0
        if used < count { keep(Rest(bytes: Array(bytes[used...])), unseenBy: consumer) }
      } else {
        rest.bytes.removeFirst(rest.start)
        rest.bytes += bytes
        rest.start = 0
        rest.isNew = true
      }
    case .blocked: isReadable = false
    case .end:
      if isCut { break }
      if let cause = core?.writeFailure { core?.fail(cause, .write) } else { phase = .ended }
    case .failed(let cause): core?.fail(cause, .read)
    }
    return true
  }

  private func deliverRest(to consumer: any InputConsumer) {
    // The consumer may observe the connection again, so the bytes are held here meanwhile.
    var held = exchange(&rest, with: Rest())
    held.start += held.bytes.withUnsafeBytes {
      consume(UnsafeRawBufferPointer(rebasing: $0[held.start...]), by: consumer)
    }
    if held.start < held.bytes.count { keep(held, unseenBy: consumer) }
  }

  /// Keeps bytes that a consumer has not used up.
  private func keep(_ rest: Rest, unseenBy consumer: any InputConsumer) {
    if isCut { return }
    self.rest = rest
    // A consumer that stopped early, or a new one, has not seen all of them.
    self.rest.isNew = self.consumer !== consumer || !isWanted(by: consumer)
  }

  private func consume(_ bytes: UnsafeRawBufferPointer, by consumer: any InputConsumer) -> Int {
    Delivery.from(self) { consumer.consume(bytes) }
  }

  private func deliver(_ termination: Termination<SocketError>, to consumer: any InputConsumer) {
    release(self.consumer.take())
    core?.endIsDelivered()
    let rest = exchange(&rest, with: Rest())
    Delivery.from(self) {
      rest.bytes.withUnsafeBytes {
        consumer.end(UnsafeRawBufferPointer(rebasing: $0[rest.start...]), termination)
      }
    }
    core?.readingHasEnded(termination)
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
    if pauses == 1 { core?.limits?.pauseHasBegun() }
  }

  package func resume() {
    pauses -= 1
    if isPaused { return }
    core?.limits?.pauseHasEnded()
    consumer?.pauseHasEnded()
    pumpSoon()
  }
}
