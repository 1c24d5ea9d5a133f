import RunnelLoop
import RunnelStreams

/// The state of a ``WebSocket``. The connection retains it until the end.
///
///     open ── close() ──▶ closing ── close frame, error or time limit ──▶ ended
///      └───── close frame, error, or the end of the connection ────────────▲
final class WebSocketChannel {
  enum Phase {
    case open(Inbox)
    /// The close frame is sent, and the answer of the peer is awaited. Messages are dropped.
    case closing
    case ended(WebSocketClosure)
  }

  /// The place for messages that nobody observes.
  enum Inbox {
    case empty
    /// Reading pauses. The message is old if it was there when the timer fired last.
    case full(WebSocketMessage, isOld: Bool)
    /// Messages are dropped until there is an observer.
    case discarding
  }

  /// The signs of life of the peer since the timer fired last.
  private enum Liveness {
    /// Bytes have arrived.
    case heard
    case silent
    /// Nothing has arrived since a ping was sent.
    case pinged
  }

  let connection: Connection
  private let options: WebSocketOptions
  private(set) var phase = Phase.open(.empty)
  private var assembler: MessageAssembler
  private var encoder: FrameEncoder

  let messages = Subject<WebSocketMessage, WebSocketError>()
  private var deliveryIsScheduled = false
  /// True while a frame is passed to the queue.
  private var isWriting = false

  private let timer: RestartableTimer
  private var liveness = Liveness.silent
  /// The number of written bytes when the timer fired last; nil if no others waited.
  private var writtenBefore: UInt64?

  private let closed = PushStream<WebSocketClosure>()

  init(
    _ connection: Connection, isServer: Bool, _ codec: (any WebSocketCodec)?,
    _ options: WebSocketOptions
  ) {
    self.connection = connection
    self.options = options
    assembler = MessageAssembler(
      isMasked: isServer,
      limits: .init(size: options.messageSize, fragments: options.fragmentCount), codec: codec)
    encoder = FrameEncoder(isMasking: !isServer, codec: codec)
    timer = RestartableTimer(on: connection.core.scheduler)
  }

  private var queue: WriteQueue { connection.core.queue }
  private var inlet: Inlet { connection.inlet }
  var isOpen: Bool { if case .open = phase { true } else { false } }
  private var isClosing: Bool { if case .closing = phase { true } else { false } }

  func begin() {
    inlet.begin(self)
    setTimer(after: options.pingInterval)
  }

  // MARK: - Messages

  /// An observer was added.
  func demandHasIncreased() {
    switch phase {
    case .open(.full): return scheduleDelivery()
    case .open(.discarding): phase = .open(.empty)
    case .open(.empty), .closing, .ended: break
    }
    inlet.demandHasIncreased()
  }

  private func scheduleDelivery() {
    if deliveryIsScheduled { return }
    deliveryIsScheduled = true
    queue.inputOutput.atEndOfTurn(self)
  }

  private func take(_ message: WebSocketMessage) {
    switch phase {
    case .open where messages.isObserved: messages.next(message)
    case .open(.empty): phase = .open(.full(message, isOld: false))
    // After `close` nobody expects messages.
    case .open, .closing, .ended: break
    }
  }

  /// Drops the messages that nobody observes, so that the end can be read.
  private func discardMessages() {
    phase = .open(.discarding)
    inlet.demandHasIncreased()
  }

  private func handle(_ event: MessageAssembler.Event) {
    switch event {
    case .message(let message): take(message)
    case .ping(let payload):
      // Without room it is left out, so that no message is dropped: the next ping is answered.
      if isOpen && queue.hasRoom(for: payload.count) { _ = write(.pong, payload, isForced: true) }
    case .pong: break
    case .close(let closure):
      if isOpen {
        // The peer's own code is the answer.
        let payload = closure.code == .none ? [] : Self.payload(of: WebSocketClosure(closure.code))
        _ = write(.close, payload, isForced: true)
      }
      let isRegular = closure.code.isRegular || isClosing
      finish(closure, isRegular ? .completed : .failed(.closed(closure)))
      connection.close()
    }
  }

  // MARK: - Writing

  func send(_ kind: FrameKind, _ payload: UnsafeRawBufferPointer) -> Bool {
    connection.mustBeHome("writing to a WebSocket")
    guard isOpen else { return false }
    // Frames that are dropped must not be needed to decompress later ones.
    if queue.overflow == .dropOldest { encoder.forgetCompressed() }
    let isTaken = write(kind, payload, isForced: false)
    if !isTaken { encoder.forgetCompressed() }
    return isTaken
  }

  private func write(_ kind: FrameKind, _ payload: [UInt8], isForced: Bool) -> Bool {
    payload.withUnsafeBytes { write(kind, $0, isForced: isForced) }
  }

  private func write(
    _ kind: FrameKind, _ payload: UnsafeRawBufferPointer, isForced: Bool
  ) -> Bool {
    // The queue calls observers before it takes a message or refuses it. A message that they send is
    // not compressed, because it must not refer to one that comes later, or never.
    let isNested = isWriting
    isWriting = true
    defer { isWriting = isNested }
    guard !isNested, let compressed = encoder.compress(kind, payload) else {
      let header = encoder.header(kind, count: payload.count)
      return header.write(payload, to: queue, isForced: isForced)
    }
    let header = encoder.header(kind, count: compressed.count, isCompressed: true)
    return compressed.withUnsafeBytes { header.write($0, to: queue, isForced: isForced) }
  }

  // MARK: - End

  /// Sends a close frame, and closes the connection when the peer has answered, or later.
  func close(_ closure: WebSocketClosure) {
    connection.mustBeHome("closing a WebSocket")
    guard isOpen else { return }
    phase = .closing
    setTimer(after: options.closeTimeout)
    _ = write(.close, Self.payload(of: closure), isForced: true)
    inlet.demandHasIncreased()
  }

  /// The bytes of a close frame. The reason is cut to the length of a control frame.
  private static func payload(of closure: WebSocketClosure) -> [UInt8] {
    let code = closure.code.rawValue
    var reason = Substring(closure.reason)
    while reason.utf8.count > 123 { reason.removeLast() }
    return [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8)
  }

  /// Ends the socket because of an error of the peer.
  private func fail(_ error: WebSocketError) {
    let closure = WebSocketClosure(error.code)
    if isOpen && closure.code.canBeSent {
      _ = write(.close, Self.payload(of: closure), isForced: true)
    }
    // After `close` the streams complete, whatever the peer sends.
    finish(closure, isClosing ? .completed : .failed(error))
    connection.close()
  }

  /// Ends the socket without a closing handshake.
  func abort(_ error: WebSocketError) {
    finish(WebSocketClosure(.abnormal), .failed(error))
    connection.reset()
  }

  private func finish(_ closure: WebSocketClosure, _ termination: Termination<WebSocketError>) {
    guard isActive else { return }
    phase = .ended(closure)
    timer.tearDown()
    messages.end(termination)
    closed.next(closure)
    closed.end(.completed)
  }

  /// Sends the end, and completes.
  var ending: EventStream<WebSocketClosure, Never> {
    if case .ended(let closure) = phase { .just(closure) } else { closed.stream }
  }

  // MARK: - Time

  private func setTimer(after delay: Duration?) {
    guard let delay else { return timer.cancel() }
    timer.set(after: delay) { [weak self] in self?.timerFired() }
  }

  private func timerFired() {
    switch phase {
    case .ended: return
    case .closing:
      finish(WebSocketClosure(.abnormal), .completed)
      return connection.close()
    case .open(.full(let message, isOld: false)) where !messages.isObserved:
      phase = .open(.full(message, isOld: true))
    case .open(.full) where !messages.isObserved:
      // A program that only sends must not prevent the peer from closing.
      discardMessages()
      liveness = .heard
    case .open: break
    }
    guard let interval = options.pingInterval else { return }
    // Bytes that were added since the timer fired last have not waited for long.
    let written = queue.waitingCount > 0 ? queue.writtenCount : nil
    let isStalled = exchange(&writtenBefore, with: written).map { $0 == written } ?? false
    let mustHear = inlet.waitsForBytes
    if isStalled || liveness == .pinged && mustHear { return abort(.timedOut) }
    // A ping that finds no room needs no answer: bytes that wait for long are found above.
    let mustPing = liveness != .heard && mustHear && queue.hasRoom(for: 0)
    liveness = mustPing ? .pinged : .silent
    setTimer(after: mustPing ? options.pongTimeout : interval)
    if mustPing { _ = write(.ping, [], isForced: true) }
  }
}

extension WebSocketChannel: InputConsumer {
  var isActive: Bool { if case .ended = phase { false } else { true } }
  var wantsMore: Bool {
    switch phase {
    case .open(.empty), .open(.discarding), .closing: true
    case .open(.full), .ended: false
    }
  }
  /// After `close`, messages are dropped on the way to the peer's answer.
  var ignoresPauses: Bool { isClosing }

  func pauseHasEnded() {
    // An outbox may have filled a place after a message was kept.
    if case .open(.full) = phase { scheduleDelivery() }
  }

  func consume(_ bytes: UnsafeRawBufferPointer) -> Int {
    liveness = .heard
    var used = 0
    do throws(WebSocketError) {
      while wantsMore && inlet.mayDeliver {
        guard let event = try assembler.next(bytes, &used) else { break }
        handle(event)
      }
    } catch {
      fail(error)
    }
    return isActive ? used : bytes.count
  }

  func end(_ rest: UnsafeRawBufferPointer, _ termination: Termination<SocketError>) {
    let error: WebSocketError =
      if case .failed(let error) = termination { .connection(error) } else { .disconnected }
    finish(WebSocketClosure(.abnormal), isClosing ? .completed : .failed(error))
    connection.close()
  }

  func endIsNear() {
    // Without an observer nobody would read on to the end.
    if isOpen && !messages.isObserved { discardMessages() }
  }
}

extension WebSocketChannel: EndOfTurnTask {
  func runAtEndOfTurn() {
    deliveryIsScheduled = false
    guard case .open(.full(let message, _)) = phase, messages.isObserved, inlet.mayDeliver else {
      return
    }
    phase = .open(.empty)
    Delivery.from(inlet) { take(message) }
    inlet.demandHasIncreased()
  }
}
