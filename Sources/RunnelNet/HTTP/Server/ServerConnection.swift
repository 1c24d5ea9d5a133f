import RunnelLoop
import RunnelStreams

/// One connection of a server: reads requests, calls the routes, and writes the responses in order.
///
/// One request is handled at a time. The bytes of later ones wait in the connection, which reads no
/// further than one buffer ahead.
final class ServerConnection: InputConsumer {
  private enum Phase {
    /// Waits for a request, or for the rest of its head.
    case idle
    /// The handler has not replied yet.
    case handling
    /// The response is being written.
    case responding
    /// Another protocol uses the connection.
    case upgraded
    case closed
  }

  let connection: Connection
  let server: HTTPServer
  var place = 0
  private let isSecure: Bool
  private var search = HeadSearch()
  private var phase = Phase.idle
  private var body: RequestBody?
  private var current = CurrentRequest()
  /// The observation of the reply that comes later, or of the body of the response.
  private var work: Disposable?
  private var isConsuming = false
  /// True until the end of the turn, after many requests in one turn.
  private var isResting = false
  /// The number of sweeps in the current wait.
  private var waitingTicks = 0
  private var hasServed = false
  private var headHasBegun = false
  private var writtenBefore: UInt64 = 0
  private var stalledTicks = 0
  /// The number of sweeps since the last piece of a stream of events; nil for other responses.
  private var silentTicks: Int?
  /// The compression of the pieces of the response, if there is one.
  private var encoder: (any PieceEncoder)?
  private var drainsAt: Int?
  private var drainUpgrade: (() -> Void)?

  /// The properties of a request on which its response depends.
  struct CurrentRequest {
    var isHead = false
    var isVersion10 = false
    var closes = false
    /// True if the response is sent in chunks.
    var isChunked = false
  }

  init(_ connection: Connection, isSecure: Bool, of server: HTTPServer) {
    self.connection = connection
    self.server = server
    self.isSecure = isSecure
  }

  private var queue: WriteQueue { connection.core.queue }
  private var inlet: Inlet { connection.inlet }

  func begin(refused: Bool) {
    connection.staysOpenAfterEnd = true
    if refused {
      inlet.begin(self)
      return refuse(.serviceUnavailable, "The server has too many connections.")
    }
    if server.isDraining { drain() }
    inlet.begin(self)
  }

  // MARK: - Reading

  var isActive: Bool {
    switch phase {
    case .upgraded, .closed: false
    default: true
    }
  }

  var wantsMore: Bool {
    if let body, !body.isComplete { return isActive && body.wantsBytes }
    return phase == .idle && !isResting
  }

  func consume(_ bytes: UnsafeRawBufferPointer) -> Int {
    isConsuming = true
    defer { isConsuming = false }
    var used = 0
    var handledCount = 0
    do throws(HTTPParseError) {
      while wantsMore && inlet.mayDeliver {
        if let body, !body.isComplete {
          try body.consume(bytes, &used) { [inlet] in inlet.mayDeliver }
          if body.isComplete {
            bodyIsComplete()
            continue
          }
          if body.wantsBytes { break }
          // The observer has ended, perhaps after the response. Then the rest is dropped.
          settleBody()
          if !body.wantsBytes || used == bytes.count { break }
        } else {
          if used == bytes.count { break }
          let unused = UnsafeRawBufferPointer(rebasing: bytes[used...])
          guard let head = try server.parser.parse(unused, &search) else {
            if !headHasBegun { beginWaiting(forHead: true) }
            break
          }
          used += head.count
          try handle(head, unused)
          handledCount += 1
          if handledCount == Self.requestsPerTurn { rest() }
        }
      }
    } catch {
      refuse(error.status, "\(error)")
      return bytes.count
    }
    return phase == .closed ? bytes.count : used
  }

  /// The number of requests that are handled before other connections are served.
  private static let requestsPerTurn = 64

  private func rest() {
    isResting = true
    queue.inputOutput.atEndOfTurn(self)
  }

  func end(_ rest: UnsafeRawBufferPointer, _ termination: Termination<SocketError>) {
    close()
  }

  /// The client has finished or is gone. A handler that works for it would work for nothing.
  func endIsNear() {
    if !connection.isOpen { return close() }
    switch phase {
    case .handling, .responding:
      if let body, !body.isComplete, body.wantsBytes { return }
      if phase == .handling || isFinished { return close() }
      // A response without a length must not look complete. A file is still sent.
      if work != nil { reset() }
    case .idle, .upgraded, .closed: break
    }
  }

  // MARK: - Requests

  private func handle(
    _ head: RequestParser.Head, _ bytes: UnsafeRawBufferPointer
  ) throws(HTTPParseError) {
    let framing = head.framing
    current.isVersion10 = head.isVersion10
    current.closes =
      framing.closes || head.isVersion10 && !framing.keepsAlive || server.isDraining
    current.isHead = bytes[head.method].elementsEqual("HEAD".utf8)
    phase = .handling
    hasServed = true
    headHasBegun = false
    waitingTicks = 0
    if framing.hasUnknownExpectation {
      return refuse(.expectationFailed, "The expectation is not known.")
    }
    var reception = Reception()
    reception.peer = connection.peer
    reception.isSecure = isSecure
    reception.isVersion10 = head.isVersion10
    var content = HTTPBody.empty
    if framing.isChunked || framing.contentLength ?? 0 > 0 {
      let decoder = try BodyDecoder(framing, server.limits)
      let body = RequestBody(
        decoder, awaitsContinue: framing.expectsContinue && !head.isVersion10, of: self)
      self.body = body
      content = body.body
      reception.trailers = { [weak body] in body?.trailers ?? HTTPHeaders() }
    }
    var target = String(decoding: bytes[head.target], as: UTF8.self)
    var headers = server.parser.headers(of: bytes, head)
    if head.isAbsolute {
      (reception.authority, target) = Self.parts(ofURL: target)
      headers["Host"] = reception.authority
    }
    let request = HTTPRequest(
      HTTPMethod(rawValue: String(decoding: bytes[head.method], as: UTF8.self)), target, headers,
      content, reception)
    take(server.reply(to: request), of: request)
  }

  /// Splits a URL that the parser has accepted into its authority and the rest.
  private static func parts(ofURL url: String) -> (String, String) {
    let rest = url.drop { $0 != "/" }.dropFirst(2)
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let path = rest[end...]
    return (String(rest[..<end]), path.first == "/" ? String(path) : "/" + path)
  }

  private func take(_ reply: HTTPReply, of request: HTTPRequest) {
    switch reply.content {
    case .now(let response): respond(response)
    case .later(let stream): wait(for: stream, of: request)
    case .upgrade(let response, let use): upgrade(response, use)
    }
  }

  private func wait(for stream: EventStream<HTTPResponse, any Error>, of request: HTTPRequest) {
    // The handler may have closed the connection.
    guard phase == .handling else { return }
    let work = Disposable()
    self.work = work
    server.recovered(stream, request).start(
      in: work,
      next: { [self] response in
        // The response comes once, and no longer belongs to the observation.
        if self.work === work { self.work = nil }
        respond(response)
      },
      end: { _ in })
  }

  private func upgrade(_ response: HTTPResponse, _ use: (Connection) -> () -> Void) {
    write {
      ResponseHead.begin(response.status, into: &$0)
      response.headers.write(into: &$0)
      $0 += "\r\n".utf8
    }
    guard phase == .handling else { return }
    phase = .upgraded
    inlet.stop(self)
    exchange(&body, with: nil)?.detach(.disconnected)
    connection.staysOpenAfterEnd = false
    let ended = Disposable()
    connection.core.closed.start(
      under: ended, next: { _ in },
      end: { [self] _ in
        phase = .closed
        drainUpgrade = nil
        server.connectionHasEnded(self)
      })
    let drain = use(connection)
    guard phase == .upgraded else { return }
    drainUpgrade = drain
    if server.isDraining { drain() }
  }

  // MARK: - Request body

  /// The handler has begun to observe the body.
  func bodyIsWanted(sendsContinue: Bool) {
    if sendsContinue && phase == .handling { _ = writeText("HTTP/1.1 100 Continue\r\n\r\n") }
    inlet.demandHasIncreased()
  }

  /// The handler has ended the observation of the body.
  func bodyObserverHasEnded() {
    if !isConsuming { settleBody() }
  }

  /// Drops the rest of the body if the response is complete and nobody reads the body.
  private func settleBody() {
    guard phase == .responding, isFinished, let body, !body.isComplete, !body.wantsBytes else {
      return
    }
    if body.drop() { inlet.demandHasIncreased() } else { close() }
  }

  private func bodyIsComplete() {
    // The response may have ended while the rest of the body was dropped.
    if phase == .responding && work == nil && isFinished { becomeIdle() }
  }

  // MARK: - Responses

  /// True if the response is complete, and only the rest of the request's body is missing.
  private var isFinished = false

  /// Reports the end of the response, if middleware asks for it.
  private var delivery: ResponseDelivery?

  private func respond(_ response: HTTPResponse) {
    guard phase == .handling else { return }
    if response.status.code < 200 {
      server.report(HTTPServerError.interimResponse(response.status))
      return respond(HTTPError(.internalServerError).response)
    }
    phase = .responding
    isFinished = false
    let hasBody = !current.isHead && !response.status.hasNoBody
    // A body that is made of the request's body needs that body.
    if hasBody, response.body.isStream, let body, body.takesContinue() {
      _ = writeText("HTTP/1.1 100 Continue\r\n\r\n")
    }
    let bodyIsLost = body.map { !$0.isComplete && !$0.wantsBytes && !$0.canBeDropped } ?? false
    var closes =
      current.closes || bodyIsLost && !response.body.isStream || server.isDraining
    var isChunked = false
    let count = response.body.count
    if count == nil && !response.status.hasNoBody {
      if current.isVersion10 { closes = true } else { isChunked = true }
    }
    write { bytes in
      ResponseHead.write(
        response, count: count, isChunked: isChunked, isForHead: current.isHead,
        isVersion10: current.isVersion10, closes: &closes, server, into: &bytes)
      if let delivered = response.delivered {
        let before = queue.writtenCount + UInt64(queue.waitingCount + bytes.count)
        let delivery = ResponseDelivery(delivered, start: before)
        if hasBody { delivery.count = response.body.isStream ? 0 : count ?? 0 }
        self.delivery = delivery
      }
      // A small body is sent together with its head.
      if hasBody, case .bytes(let body) = response.body.content, body.count <= Self.smallBody {
        bytes.append(contentsOf: body)
      }
    }
    current.closes = closes || current.closes
    current.isChunked = isChunked
    // The connection may have failed.
    guard phase == .responding else { return }
    if hasBody {
      switch response.body.content {
      case .none: break
      case .bytes(let bytes):
        if bytes.count > Self.smallBody { _ = queue.write(bytes, isForced: true) }
      case .file(let part):
        if part.range.isEmpty { break }
        // The next request waits, because each waiting file is an open descriptor.
        let isTaken = queue.send(
          file: part.file, at: Int64(part.range.lowerBound), count: part.range.count,
          isForced: true
        ) { [self] error in
          if error == nil { finishResponse() }
        }
        return isTaken ? () : close()
      case .stream(let stream, let count):
        if response.sendsComments && count == nil { silentTicks = 0 }
        encoder = response.pieceEncoder
        return writePieces(stream, count: count, isChunked: isChunked)
      }
    }
    finishResponse()
  }

  /// The largest number of bytes of a body that are copied behind the head.
  private static let smallBody = 4_096

  /// Writes the bytes that a closure puts together. Returns false if they are refused.
  ///
  /// A write may fail the connection, whose end runs closures of the program. These may write to
  /// other connections of the server, so its buffer is not in use meanwhile.
  @discardableResult
  private func write(isForced: Bool = true, _ fill: (inout [UInt8]) -> Void) -> Bool {
    var bytes = exchange(&server.scratch, with: [])
    bytes.removeAll(keepingCapacity: true)
    fill(&bytes)
    let isTaken = bytes.withUnsafeBytes { queue.write(raw: $0, isForced: isForced) }
    if bytes.capacity <= Self.largestScratch { server.scratch = bytes }
    return isTaken
  }

  private static let largestScratch = 1 << 16

  /// Writes the pieces of a stream as they come.
  private func writePieces(
    _ stream: EventStream<[UInt8], any Error>, count: Int?, isChunked: Bool
  ) {
    let work = Disposable()
    self.work = work
    var left = count ?? .max
    stream.start(
      in: work,
      next: { [self] piece in
        guard phase == .responding, !piece.isEmpty else { return }
        if silentTicks != nil { silentTicks = 0 }
        left -= piece.count
        delivery?.count += piece.count
        let isTaken = left >= 0 && (isChunked ? writeChunk(piece) : queue.write(piece))
        if !isTaken { reset() }
      },
      end: { [self] termination in
        guard phase == .responding, self.work === work else { return }
        self.work = nil
        silentTicks = nil
        encoder = nil
        if case .failed(let error) = termination {
          server.report(error)
          return reset()
        }
        if count != nil && left > 0 { return reset() }
        if isChunked { _ = writeText("0\r\n\r\n") }
        finishResponse()
      })
  }

  /// Writes a piece of the server itself.
  private func writeOwn(_ piece: [UInt8]) {
    _ =
      current.isChunked
      ? writeChunk(piece, isForced: true) : queue.write(piece, isForced: true)
  }

  private func writeChunk(_ piece: [UInt8], isForced: Bool = false) -> Bool {
    write(isForced: isForced) { bytes in
      ResponseHead.append(hexadecimal: piece.count, to: &bytes)
      bytes += "\r\n".utf8
      bytes += piece
      bytes += "\r\n".utf8
    }
  }

  private func writeText(_ text: StaticString) -> Bool {
    queue.write(
      raw: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount),
      isForced: true)
  }

  /// The response is written, or waits to be written.
  private func finishResponse() {
    // The connection may have ended meanwhile.
    guard phase == .responding else { return }
    delivery.take()?.end(with: queue)
    guard phase == .responding else { return }
    if current.closes { return close() }
    if let body, !body.isComplete {
      isFinished = true
      // The handler may still observe the body.
      if body.wantsBytes { return }
      guard body.drop() else { return close() }
      return inlet.demandHasIncreased()
    }
    becomeIdle()
  }

  private func becomeIdle() {
    phase = .idle
    beginWaiting(forHead: false)
    // Responses that come later are written whatever waits.
    queue.holdIfFull(inlet)
    if !isConsuming { inlet.demandHasIncreased() }
    release(body.take())
  }

  /// Closes the connection after the waiting bytes are written.
  private func close() {
    guard isActive else { return }
    phase = .closed
    let body = exchange(&self.body, with: nil)
    let work = exchange(&self.work, with: nil)
    let delivery = exchange(&self.delivery, with: nil)
    connection.close()
    // The waiting bytes are still written, so the connection is open for the server until then.
    connection.core.closed.start(
      under: Disposable(), next: { _ in }, end: { [self] _ in server.connectionHasEnded(self) })
    // The closures of the program come last, because they may do anything.
    body?.detach(.disconnected)
    work?.dispose()
    delivery?.end(false, in: queue)
  }

  private func reset() {
    if phase == .closed { return }
    connection.reset()
    close()
  }

  /// Responds to a request that is not handled, and closes the connection.
  private func refuse(_ status: HTTPStatus, _ reason: String) {
    if phase == .closed || phase == .upgraded { return }
    let isResponding = phase == .responding
    exchange(&work, with: nil)?.dispose()
    if isResponding { return isFinished ? close() : reset() }
    current.closes = true
    if phase == .idle { current.isHead = false }
    exchange(&body, with: nil)?.detach(.disconnected)
    // The closures of the program may have closed the connection or responded.
    guard phase == .handling || phase == .idle else { return close() }
    phase = .handling
    respond(HTTPError(status, "\(status): \(reason)").response)
  }

  // MARK: - Deadlines

  private func beginWaiting(forHead: Bool) {
    waitingTicks = 0
    headHasBegun = forHead
  }

  /// Checks the deadlines, once a second.
  func sweep() {
    let limits = server.timeLimits
    let interval = HTTPServer.sweepInterval
    if phase == .closed { return }
    if queue.waitingCount > 0 && queue.writtenCount == writtenBefore {
      stalledTicks += 1
      if interval * stalledTicks >= limits.writing { return reset() }
    } else {
      stalledTicks = 0
      writtenBefore = queue.writtenCount
    }
    switch phase {
    case .idle:
      // The response before may still be on its way.
      if queue.waitingCount == 0 { waitingTicks += 1 }
      let waited = interval * waitingTicks
      if headHasBegun || !hasServed {
        guard waited >= limits.head else { break }
        return headHasBegun
          ? refuse(.requestTimeout, "The request did not arrive in time.") : close()
      }
      if waited >= limits.idle { return close() }
    case .handling, .responding:
      if let body, !body.isComplete, inlet.waitsForBytes {
        if !body.isFastEnough(limits.bodyRate) {
          body.detach(.timedOut)
          return refuse(.requestTimeout, "The body did not arrive in time.")
        }
      }
      if let silent = silentTicks {
        silentTicks = silent + 1
        if interval * (silent + 1) >= server.heartbeat {
          silentTicks = 0
          let comment = Array(":\n\n".utf8)
          writeOwn(encoder?.encode(comment) ?? comment)
        }
      }
    case .upgraded, .closed: break
    }
    if let drainsAt, server.tick >= drainsAt, phase == .idle, !headHasBegun { close() }
  }

  /// The server ends.
  func drain() {
    drainsAt = server.tick + 2
    current.closes = true
    if phase == .responding && silentTicks != nil {
      // The stream of events would not end.
      silentTicks = nil
      exchange(&work, with: nil)?.dispose()
      if let encoder = encoder.take() { writeOwn(encoder.finish()) }
      if current.isChunked { _ = writeText("0\r\n\r\n") }
      finishResponse()
    }
    drainUpgrade?()
  }
}

extension ServerConnection: EndOfTurnTask {
  func runAtEndOfTurn() {
    isResting = false
    if isActive { inlet.demandHasIncreased() }
  }
}

extension HTTPServer {
  /// Reports an error that cannot be answered any more.
  func report(_ error: any Error) {
    failed.next(error)
  }
}
