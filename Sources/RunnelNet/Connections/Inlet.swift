import RunnelLoop
import RunnelStreams

/// The reading direction of a connection.
///
/// It passes the bytes of a transport to one consumer at a time, and keeps those that the consumer
/// has not used up. It stops reading while the consumer has no demand or a writer that it feeds is
/// full.
package final class Inlet {
  private let transport: any Transport
  private let inputOutput: InputOutput
  /// The state of the connection, which owns this object.
  // Safety: a consumer retains the connection and so its state. Without one it is not used.
  unowned var core: ConnectionCore?

  @exclusivity(unchecked) private(set) var consumer: (any InputConsumer)?
  /// Bytes that were read. Those before `restStart` are used up.
  @exclusivity(unchecked) private var rest: [UInt8] = []
  @exclusivity(unchecked) private var restStart = 0
  /// True if the consumer has not seen `rest`.
  @exclusivity(unchecked) private var restIsNew = false
  @exclusivity(unchecked) private var isReadable = false
  @exclusivity(unchecked) private var isDelivering = false
  @exclusivity(unchecked) private var isScheduled = false
  @exclusivity(unchecked) private var pauses = 0
  @exclusivity(unchecked) private var rate: RateMeter?

  /// The end of reading, once it is known.
  @exclusivity(unchecked) private(set) var termination: Termination<SocketError>?
  /// True after the peer's end was read.
  @exclusivity(unchecked) private(set) var hasReadEnd = false
  /// True after the consumer has received the end.
  @exclusivity(unchecked) private(set) var endIsDelivered = false
  /// True if the peer's end is waiting to be read.
  @exclusivity(unchecked) private(set) var peerMayHaveFinished = false
  /// True if this side has ended reading: nothing but the end is delivered.
  @exclusivity(unchecked) private var isCut = false

  /// The number of reads in one turn, so that the loop can run other work.
  private static let readsPerTurn = 8

  init(_ transport: any Transport, _ inputOutput: InputOutput) {
    self.transport = transport
    self.inputOutput = inputOutput
  }

  // MARK: - Consumer

  /// Begins to pass bytes to a consumer. Traps if there is another one.
  package func begin(_ consumer: any InputConsumer) {
    // The completion of `take(1)` may begin to read again before that reader is torn down.
    require(
      self.consumer.map { !$0.isActive } ?? true,
      "A Connection has one reader at a time. Dispose the other one first, or share its stream.")
    release(exchange(&self.consumer, with: consumer))
    restIsNew = !rest.isEmpty
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
    peerMayHaveFinished = true
    isReadable = true
    consumer?.endIsNear()
    pumpSoon()
  }

  /// Drops the bytes that were read, and delivers the end.
  func cut(_ termination: Termination<SocketError>) {
    isCut = true
    rest = []
    restStart = 0
    restIsNew = false
    if self.termination == nil { self.termination = termination }
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
      if let termination, !restIsNew || isCut {
        deliver(termination, to: consumer)
        // The end may have begun another reading, which gets the end in a later turn.
        isDelivering = false
        return self.consumer == nil ? () : pumpSoon()
      }
      // The end may be found behind a few bytes, which are kept.
      guard isWanted(by: consumer) || peerMayHaveFinished && rest.isEmpty else { break }
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
      if count < buffer.count && transport.readsCompletely && !peerMayHaveFinished {
        isReadable = false
        core?.readAgainLater()
      }
      rate?.use(count)
      core?.limits?.didRead()
      let bytes = UnsafeRawBufferPointer(rebasing: buffer.prefix(count))
      if rest.isEmpty {
        let used = isWanted(by: consumer) ? consume(bytes, by: consumer) : 0
        if used < count { keep(Array(bytes[used...]), from: 0, unseenBy: consumer) }
      } else {
        rest.removeFirst(restStart)
        restStart = 0
        rest += bytes
        restIsNew = true
      }
    case .blocked: isReadable = false
    case .end:
      hasReadEnd = true
      if let cause = core?.writeFailure {
        core?.fail(cause, .write)
      } else {
        termination = .completed
      }
    case .failed(let cause): core?.fail(cause, .read)
    }
    return true
  }

  private func deliverRest(to consumer: any InputConsumer) {
    restIsNew = false
    // The consumer may observe the connection again, so the bytes are held here meanwhile.
    let (bytes, start) = takeRestWithStart()
    let used = bytes.withUnsafeBytes {
      consume(UnsafeRawBufferPointer(rebasing: $0[start...]), by: consumer)
    }
    if start + used < bytes.count { keep(bytes, from: start + used, unseenBy: consumer) }
  }

  private func takeRestWithStart() -> ([UInt8], Int) {
    defer { restStart = 0 }
    return (exchange(&rest, with: []), restStart)
  }

  /// Keeps bytes that a consumer has not used up.
  private func keep(_ bytes: [UInt8], from start: Int, unseenBy consumer: any InputConsumer) {
    if isCut { return }
    // A consumer that stopped early, or a new one, has not seen all of them.
    restIsNew = self.consumer !== consumer || !isWanted(by: consumer)
    rest = bytes
    restStart = start
  }

  private func consume(_ bytes: UnsafeRawBufferPointer, by consumer: any InputConsumer) -> Int {
    Delivery.from(self) { consumer.consume(bytes) }
  }

  private func deliver(_ termination: Termination<SocketError>, to consumer: any InputConsumer) {
    release(self.consumer.take())
    endIsDelivered = true
    let (bytes, start) = takeRestWithStart()
    Delivery.from(self) {
      bytes.withUnsafeBytes {
        consumer.end(UnsafeRawBufferPointer(rebasing: $0[start...]), termination)
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
