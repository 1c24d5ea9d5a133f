import RunnelLoop
import RunnelStreams

/// Writing responses.
extension ServerConnection {
  func respond(_ response: HTTPResponse) {
    guard isHandling else { return }
    if response.status.code < 200 {
      server.errors.report(HTTPServerError.interimResponse(response.status))
      var replacement = HTTPError(.internalServerError).response
      replacement.delivered = response.delivered
      return respond(replacement)
    }
    phase = .responding
    let hasBody = !current.isHead && !response.status.hasNoBody
    // A body that is made of the request's body needs that body.
    if hasBody, response.body.isStream, let body, body.takesContinue() {
      _ = writeText("HTTP/1.1 100 Continue\r\n\r\n")
    }
    let bodyIsLost = body.map { !$0.isComplete && !$0.wantsBytes && !$0.canBeDropped } ?? false
    var closes =
      current.closes || bodyIsLost && !response.body.isStream || server.connections.isDraining
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
        current.delivery = delivery
      }
      // A small body is sent together with its head.
      if hasBody, case .bytes(let body) = response.body.content, body.count <= Self.smallBody {
        bytes.append(contentsOf: body)
      }
    }
    current.closes = closes || current.closes
    current.isChunked = isChunked
    // The connection may have failed.
    guard isResponding else { return }
    if hasBody {
      switch response.body.content {
      case .none: break
      case .bytes(let bytes):
        if bytes.count > Self.smallBody { _ = queue.write(bytes, isForced: true) }
      case .file(let part):
        if part.range.isEmpty { break }
        // One write of head and bytes costs less than two system calls.
        if part.range.count <= Self.smallFile {
          guard let bytes = part.bytes else { return reset() }
          _ = queue.write(bytes, isForced: true)
          break
        }
        // The next request waits, because each waiting file is an open descriptor.
        let isTaken = queue.send(
          file: part.file, at: Int64(part.range.lowerBound), count: part.range.count,
          isForced: true
        ) { [self] error in
          if error == nil { finishResponse() }
        }
        return isTaken ? () : close()
      case .stream(let stream, let count):
        if response.sendsComments && count == nil { current.silentTicks = 0 }
        current.encoder = response.pieceEncoder
        return writePieces(stream, count: count)
      }
    }
    finishResponse()
  }

  /// The largest number of bytes of a body that are copied behind the head.
  static let smallBody = 4_096

  /// The largest number of bytes of a file that are read and sent together with the head.
  static let smallFile = 1 << 14

  /// Writes the bytes that a closure puts together. Returns false if they are refused.
  ///
  /// A write may fail the connection, whose end runs closures of the program. These may write to
  /// other connections of the server, so its buffer is not in use meanwhile.
  @discardableResult
  func write(isForced: Bool = true, _ fill: (inout [UInt8]) -> Void) -> Bool {
    var bytes = exchange(&server.scratch, with: [])
    bytes.removeAll(keepingCapacity: true)
    fill(&bytes)
    let isTaken = bytes.withUnsafeBytes { queue.write(raw: $0, isForced: isForced) }
    if bytes.capacity <= Self.largestScratch { server.scratch = bytes }
    return isTaken
  }

  static let largestScratch = 1 << 16

  func writePieces(_ stream: EventStream<[UInt8], any Error>, count: Int?) {
    let work = Disposable()
    self.work = work
    var left = count ?? .max
    stream.start(
      in: work,
      next: { [self] piece in
        guard isResponding, !piece.isEmpty else { return }
        if current.silentTicks != nil { current.silentTicks = 0 }
        left -= piece.count
        current.delivery?.count += piece.count
        if left < 0 || !writePiece(piece) { reset() }
      },
      end: { [self] termination in
        guard isResponding, self.work === work else { return }
        self.work = nil
        current.silentTicks = nil
        current.encoder = nil
        if case .failed(let error) = termination {
          server.errors.report(error, "A response failed after its beginning.")
          return reset()
        }
        if count != nil && left > 0 { return reset() }
        if current.isChunked { _ = writeText("0\r\n\r\n") }
        finishResponse()
      })
  }

  /// Writes a piece of the body. The pieces of the server itself are written whatever waits.
  func writePiece(_ piece: [UInt8], isForced: Bool = false) -> Bool {
    if !current.isChunked { return queue.write(piece, isForced: isForced) }
    return write(isForced: isForced) { bytes in
      ResponseHead.append(hexadecimal: piece.count, to: &bytes)
      bytes += "\r\n".utf8
      bytes += piece
      bytes += "\r\n".utf8
    }
  }

  func writeText(_ text: StaticString) -> Bool {
    queue.write(
      raw: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount),
      isForced: true)
  }

  /// The response is written, or waits to be written.
  func finishResponse() {
    // The connection may have ended meanwhile.
    guard isResponding else { return }
    current.delivery.take()?.end(with: queue)
    guard isResponding else { return }
    if current.closes { return close() }
    if let body, !body.isComplete {
      // The handler may still observe the body.
      phase = .settling
      return settleBody()
    }
    becomeIdle()
  }

  func becomeIdle() {
    becomeIdle(awaiting: .nextRequest)
    // Responses that come later are written whatever waits.
    queue.holdIfFull(inlet)
    if !isConsuming { inlet.demandHasIncreased() }
    release(body.take())
  }

  /// Closes the connection after the waiting bytes are written.
  func close() {
    guard isActive else { return }
    phase = .closed
    let body = exchange(&self.body, with: nil)
    let work = exchange(&self.work, with: nil)
    let delivery = current.delivery.take()
    connection.close()
    // The waiting bytes are still written, so the connection is open for the server until then.
    connection.core.closed.start(
      under: Disposable(), next: { _ in }, end: { [self] _ in server.connectionHasEnded(self) })
    // The closures of the program come last, because they may do anything.
    body?.detach(.disconnected)
    work?.dispose()
    delivery?.end(false, in: queue)
  }

  func reset() {
    guard isActive else { return }
    connection.reset()
    close()
  }

  /// Responds to a request that is not handled, and closes the connection.
  func refuse(_ status: HTTPStatus, _ reason: String) {
    guard isActive else { return }
    switch phase {
    case .idle: current = Exchange()
    case .handling: break
    case .responding: return reset()
    case .settling, .upgraded, .closed: return close()
    }
    exchange(&work, with: nil)?.dispose()
    current.closes = true
    exchange(&body, with: nil)?.detach(.disconnected)
    // The closures of the program may have closed the connection or responded.
    guard isHandling || isIdle else { return close() }
    phase = .handling
    let refusal = HTTPRefusal(peer: connection.peer, status: status, reason: reason)
    respond(HTTPError(status, "\(status): \(reason)").response)
    server.metrics?.refusals["\(refusal.status.code)"].increment()
    server.refused.next(refusal)
  }
}
