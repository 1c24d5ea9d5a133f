import RunnelLoop
import RunnelStreams

/// The state of a ``WebSocket``. The connection retains it until the end.
final class WebSocketChannel {
  private enum Phase {
    case open
    /// The close frame is sent, and that of the peer is awaited.
    case closing
    case ended
  }

  let connection: Connection
  private let options: WebSocketOptions
  private var phase = Phase.open
  private var assembler: MessageAssembler
  private var encoder: FrameEncoder

  let messages = Subject<WebSocketMessage, WebSocketError>()
  /// A message that nobody observes yet. Reading pauses meanwhile.
  private var waiting: WebSocketMessage?
  /// True if messages without an observer are dropped.
  private var dropsMessages = false
  private var deliveryIsScheduled = false
  /// True while a frame is passed to the queue.
  private var isWriting = false

  private let timer: RestartableTimer
  private var hasReceived = false
  private var awaitsPong = false
  private var waitedBefore = false
  private var writtenBefore: UInt64 = 0
  /// True if bytes waited to be written when the timer fired last.
  private var bytesWaitedBefore = false

  private(set) var closure: WebSocketClosure?
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
  var isOpen: Bool { phase == .open }

  func begin() {
    inlet.begin(self)
    setTimer(after: options.pingInterval)
  }

  // MARK: - Messages

  /// An observer was added.
  func demandHasIncreased() {
    dropsMessages = false
    if waiting != nil { return scheduleDelivery() }
    inlet.demandHasIncreased()
  }

  private func scheduleDelivery() {
    if deliveryIsScheduled { return }
    deliveryIsScheduled = true
    queue.inputOutput.atEndOfTurn(self)
  }

  private func take(_ message: WebSocketMessage) {
    // After `close` nobody expects messages.
    guard phase == .open else { return }
    if messages.isObserved {
      messages.next(message)
    } else if !dropsMessages {
      waiting = message
      waitedBefore = false
    }
  }

  private func handle(_ event: MessageAssembler.Event) {
    switch event {
    case .message(let message): take(message)
    case .ping(let payload):
      // Without room it is left out: the next ping is answered instead.
      if phase == .open { _ = writeIfThereIsRoom(.pong, payload) }
    case .pong: break
    case .close(let closure):
      if phase == .open {
        // The peer's own code is the answer.
        let payload = closure.code == .none ? [] : Self.payload(of: WebSocketClosure(closure.code))
        _ = write(.close, payload, isForced: true)
      }
      let isRegular = closure.code.isRegular || phase == .closing
      finish(closure, isRegular ? .completed : .failed(.closed(closure)))
      connection.close()
    }
  }

  // MARK: - Writing

  func send(_ kind: FrameKind, _ payload: UnsafeRawBufferPointer) -> Bool {
    connection.mustBeHome("writing to a WebSocket")
    guard phase == .open else { return false }
    // Frames that are dropped must not be needed to decompress later ones.
    if queue.overflow == .dropOldest { encoder.forgetCompressed() }
    let isTaken = write(kind, payload, isForced: false)
    if !isTaken { encoder.forgetCompressed() }
    return isTaken
  }

  /// Writes a control frame, for which no message is dropped, and the socket not ended.
  private func writeIfThereIsRoom(_ kind: FrameKind, _ payload: [UInt8]) -> Bool {
    guard queue.hasRoom(for: payload.count) else { return false }
    return write(kind, payload, isForced: true)
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
    guard phase == .open else { return }
    phase = .closing
    dropsMessages = true
    waiting = nil
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
    if phase == .open && closure.code.canBeSent {
      _ = write(.close, Self.payload(of: closure), isForced: true)
    }
    // After `close` the streams complete, whatever the peer sends.
    finish(closure, phase == .closing ? .completed : .failed(error))
    connection.close()
  }

  /// Ends the socket without a closing handshake.
  func abort(_ error: WebSocketError) {
    finish(WebSocketClosure(.abnormal), .failed(error))
    connection.reset()
  }

  private func finish(_ closure: WebSocketClosure, _ termination: Termination<WebSocketError>) {
    if phase == .ended { return }
    phase = .ended
    self.closure = closure
    waiting = nil
    timer.tearDown()
    messages.end(termination)
    closed.next(closure)
    closed.end(.completed)
  }

  /// Sends the end, and completes.
  var ending: EventStream<WebSocketClosure, Never> {
    closure.map { .just($0) } ?? closed.stream
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
    case .open: break
    }
    guard let interval = options.pingInterval else { return }
    if waiting != nil && !messages.isObserved {
      // A program that only sends must not prevent the peer from closing.
      if waitedBefore {
        waiting = nil
        dropsMessages = true
        hasReceived = true
        inlet.demandHasIncreased()
      }
      waitedBefore = true
    }
    // Bytes that were added since the timer fired last have not waited for long.
    let bytesWait = queue.waitingCount > 0
    let isStalled = bytesWait && bytesWaitedBefore && queue.writtenCount == writtenBefore
    bytesWaitedBefore = bytesWait
    writtenBefore = queue.writtenCount
    let mustAnswer = awaitsPong && inlet.waitsForBytes && !hasReceived
    if isStalled || mustAnswer { return abort(.timedOut) }
    let isSilent = !hasReceived && inlet.waitsForBytes
    hasReceived = false
    // A ping that finds no room needs no answer: bytes that wait for long are found above.
    awaitsPong = isSilent && queue.hasRoom(for: 0)
    setTimer(after: awaitsPong ? options.pongTimeout : interval)
    if awaitsPong { _ = write(.ping, [], isForced: true) }
  }
}

extension WebSocketChannel: InputConsumer {
  var isActive: Bool { phase != .ended }
  var wantsMore: Bool { phase != .ended && waiting == nil }
  /// After `close`, messages are dropped on the way to the peer's answer.
  var ignoresPauses: Bool { phase == .closing }

  func pauseHasEnded() {
    // An outbox may have filled a place after a message was kept.
    if waiting != nil { scheduleDelivery() }
  }

  func consume(_ bytes: UnsafeRawBufferPointer) -> Int {
    hasReceived = true
    var used = 0
    do throws(WebSocketError) {
      while wantsMore && inlet.mayDeliver {
        guard let event = try assembler.next(bytes, &used) else { break }
        handle(event)
      }
    } catch {
      fail(error)
    }
    return phase == .ended ? bytes.count : used
  }

  func end(_ rest: UnsafeRawBufferPointer, _ termination: Termination<SocketError>) {
    let isExpected = phase == .closing
    let error: WebSocketError =
      if case .failed(let error) = termination { .connection(error) } else { .disconnected }
    finish(WebSocketClosure(.abnormal), isExpected ? .completed : .failed(error))
    connection.close()
  }

  func endIsNear() {
    // Without an observer nobody would read on to the end.
    guard phase == .open, !messages.isObserved else { return }
    waiting = nil
    dropsMessages = true
    inlet.demandHasIncreased()
  }
}

extension WebSocketChannel: EndOfTurnTask {
  func runAtEndOfTurn() {
    deliveryIsScheduled = false
    guard messages.isObserved, inlet.mayDeliver, let message = waiting.take() else { return }
    Delivery.from(inlet) { take(message) }
    inlet.demandHasIncreased()
  }
}
