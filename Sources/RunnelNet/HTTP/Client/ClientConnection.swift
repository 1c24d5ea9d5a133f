import RunnelLoop
import RunnelStreams

/// One connection of a client: parses the responses to its requests, one exchange at a time.
///
/// It is retained by its exchange while there is one, and by the pool otherwise. Its release closes
/// the connection.
final class ClientConnection {
  private enum Phase {
    /// Unused. Any byte, and the end, make it unusable.
    case idle
    /// A request is being sent, or waits for its response.
    case waiting
    /// The body of the response arrives.
    case body
    /// The rest of a body is dropped, so that the connection can be used again.
    case draining(left: Int)
    /// Another protocol uses the connection.
    case upgraded
    case closed
  }

  let connection: Connection
  let route: ClientRoute
  private weak var pool: ConnectionPool?
  private let reader = ClientReader()
  private let settings: ClientSettings
  private var times: HTTPClientTimeLimits
  private var parser: ResponseParser
  private var decoder: BodyDecoder
  private let timer: RestartableTimer
  private var phase = Phase.idle
  /// The exchange, which retains this object.
  private weak var exchange: ClientExchange?
  private var isForHead = false
  private var closesAfterResponse = false
  private var limits = TimeLimits()
  private var interimCount = 0
  private var writtenBefore: UInt64 = 0
  private var hasReceived = false
  /// The number of bytes of the body since the last check of its rate.
  private var receivedCount = 0
  /// The number of bytes by which the server is ahead of the least rate.
  private var credit = 0
  /// True if it has served a request before the current one.
  private var isReused = false
  /// The time for which it may be unused after the response.
  private var idleTime = Duration.zero
  /// The time until which it may be unused.
  private(set) var usableUntil = Duration.longest

  /// The largest number of interim responses to a request.
  private static let mostInterim = 16
  /// The most bytes that are dropped, and the time for it.
  private static let mostDropped = 1 << 16
  private static let drainingTime = Duration.seconds(5)
  /// The seconds between two checks of the rate, and those that a server may be behind.
  private static let rateInterval = 5
  private static let rateSlack = 60

  init(
    _ connection: Connection, _ route: ClientRoute, _ settings: ClientSettings,
    of pool: ConnectionPool
  ) {
    self.connection = connection
    self.route = route
    self.settings = settings
    times = settings.timeLimits
    self.pool = pool
    parser = ResponseParser(settings.limits)
    decoder = .empty(settings.limits)
    timer = RestartableTimer(on: connection.core.scheduler)
    reader.owner = self
    connection.inlet.begin(reader)
  }

  deinit {
    parser.deallocate()
  }

  var queue: WriteQueue { connection.core.queue }

  /// True if a request can be sent.
  var isUsable: Bool {
    if case .idle = phase { connection.isOpen } else { false }
  }

  // MARK: - Exchanges

  /// Begins an exchange, before its request is written.
  func begin(
    _ exchange: ClientExchange, isForHead: Bool, hasBody: Bool, within times: HTTPClientTimeLimits
  ) {
    self.exchange = exchange
    self.times = times
    self.isForHead = isForHead
    phase = .waiting
    closesAfterResponse = false
    hasReceived = false
    interimCount = 0
    writtenBefore = queue.writtenCount
    if hasBody { setLimits(TimeLimits(writing: times.body)) }
  }

  /// The request is complete, so the head of the response is expected.
  func requestIsSent() {
    guard case .waiting = phase, let limit = times.head else { return }
    timer.set(after: limit) { [weak self] in self?.fail(.timedOut(.head), isRetriable: false) }
  }

  /// The observer of the body wants bytes.
  func bodyIsWanted() {
    connection.inlet.demandHasIncreased()
  }

  /// No request is sent on the connection after all.
  func returnUnused() {
    usableUntil = connection.core.scheduler.now.addingWithSaturation(times.idle)
    if isUsable, let pool { pool.recycle(self) } else { close() }
  }

  /// Ends the exchange and the connection at once.
  func abort() {
    close(reset: true)
  }

  /// The response was released, and nobody reads its body. A short rest is dropped.
  func bodyIsUnwanted() {
    guard case .body = phase else { return close(reset: true) }
    let missing = decoder.missingCount ?? 0
    guard missing <= Self.mostDropped, !decoder.endsWithConnection, mayReuse, let pool else {
      return close(reset: true)
    }
    phase = .draining(left: Self.mostDropped)
    timer.set(after: Self.drainingTime) { [weak self] in self?.close(reset: true) }
    pool.keepDraining(self)
    connection.inlet.demandHasIncreased()
  }

  private func setLimits(_ limits: TimeLimits) {
    if limits == self.limits { return }
    self.limits = limits
    connection.timeLimits = limits
  }

  // MARK: - Reading

  var wantsMore: Bool {
    switch phase {
    case .idle, .waiting, .draining: true
    case .body: exchange?.wantsBytes ?? false
    case .upgraded, .closed: false
    }
  }

  func consume(_ bytes: UnsafeRawBufferPointer) -> Int {
    var used = 0
    do throws(HTTPParseError) {
      while wantsMore && connection.inlet.mayDeliver {
        guard try step(bytes, &used) else { break }
      }
    } catch {
      parsingHasFailed(error)
    }
    switch phase {
    case .closed: return bytes.count
    case .body, .draining:
      setLimits(TimeLimits(reading: times.body, writing: times.body))
      return used
    case .idle, .waiting, .upgraded: return used
    }
  }

  /// Handles the next bytes. Returns false if more are needed.
  private func step(
    _ bytes: UnsafeRawBufferPointer, _ used: inout Int
  ) throws(HTTPParseError) -> Bool {
    switch phase {
    case .idle:
      // A response without a request. It must not be taken for that to the next request.
      if used < bytes.count { close(reset: true) }
      return false
    case .waiting:
      if used == bytes.count { return false }
      if queue.writtenCount == writtenBefore {
        guard isReused else { throw .malformed("a response before the request") }
        // The server has closed the unused connection, and says so.
        fail(.disconnected, isRetriable: true)
        return false
      }
      hasReceived = true
      let rest = UnsafeRawBufferPointer(rebasing: bytes[used...])
      guard let head = try parser.parse(rest) else { return false }
      used += head.count
      try handle(head, rest, hasMore: used < bytes.count)
      return true
    case .body:
      let piece = try decoder.next(bytes, &used)
      // The observer of the piece may end everything.
      if let piece {
        receivedCount += piece.count
        exchange?.receive(piece)
      }
      guard case .body = phase else { return true }
      if decoder.isComplete { bodyIsComplete(hasMore: used < bytes.count) }
      return piece != nil
    case .draining(let left):
      let piece = try decoder.next(bytes, &used)
      let count = piece?.count ?? 0
      if count > left {
        close(reset: true)
      } else if decoder.isComplete {
        bodyIsComplete(hasMore: used < bytes.count)
      } else {
        phase = .draining(left: left - count)
      }
      return piece != nil
    case .upgraded, .closed: return false
    }
  }

  private func handle(
    _ head: ResponseParser.Head, _ bytes: UnsafeRawBufferPointer, hasMore: Bool
  ) throws(HTTPParseError) {
    guard let exchange else { return close(reset: true) }
    let headers = parser.headers(of: bytes, head)
    if head.status.code == 101 {
      guard exchange.wantsUpgrade, !head.isVersion10 else {
        throw .malformed("another protocol, without a request")
      }
      return upgrade(exchange, HTTPResponse(head.status, headers: headers))
    }
    if head.status.code < 200 {
      interimCount += 1
      if interimCount > Self.mostInterim { throw .malformed("too many interim responses") }
      if head.status.code == 100 { exchange.mayContinue() }
      return
    }
    if head.status == .requestTimeout && !head.framing.keepsConnection && isReused && interimCount == 0
      && exchange.mayBeRepeated
    {
      // The server closed the unused connection before the request arrived.
      hasReceived = false
      return fail(.disconnected, isRetriable: true)
    }
    timer.cancel()
    decoder = try parser.body(
      of: head, isForHead: isForHead, isEndless: exchange.hasEndlessBody)
    closesAfterResponse =
      !head.framing.keepsConnection || decoder.endsWithConnection || exchange.closesAfterResponse
    idleTime = idleTime(headers)
    phase = .body
    if decoder.isComplete {
      bodyIsComplete(hasMore: hasMore)
      exchange.headHasArrived(HTTPResponse(head.status, headers: headers))
    } else {
      beginRate()
      let body = exchange.body(count: decoder.missingCount)
      exchange.headHasArrived(HTTPResponse(head.status, headers: headers, body: body))
    }
  }

  // MARK: - Rate

  private func beginRate() {
    receivedCount = 0
    credit = product(times.bodyRate, Self.rateSlack)
    if times.bodyRate > 0 { setRateTimer() }
  }

  private func setRateTimer() {
    timer.set(after: .seconds(Self.rateInterval)) { [weak self] in self?.checkRate() }
  }

  /// Ends a body that arrives too slowly. The time in which nobody wants bytes does not count.
  private func checkRate() {
    guard case .body = phase else { return }
    let most = product(times.bodyRate, Self.rateSlack)
    let (sum, overflows) = credit.addingReportingOverflow(receivedCount)
    credit = overflows ? most : min(sum, most)
    receivedCount = 0
    if connection.inlet.waitsForBytes {
      credit -= product(times.bodyRate, Self.rateInterval)
      if credit < 0 { return failBody(.timedOut) }
    }
    setRateTimer()
  }

  /// The product of two numbers, or the largest number.
  private func product(_ left: Int, _ right: Int) -> Int {
    let (product, overflows) = left.multipliedReportingOverflow(by: right)
    return overflows ? .max : product
  }

  private func idleTime(_ headers: HTTPHeaders) -> Duration {
    var time = times.idle
    for element in headers.elements(of: "Keep-Alive") {
      guard element.lowercased().hasPrefix("timeout=") else { continue }
      let digits = element.dropFirst("timeout=".count)
      guard !digits.isEmpty, digits.utf8.allSatisfy({ $0.isDigit }) else { continue }
      // The server may close a second before its time, in which a request would be lost.
      let seconds = min(max(Int(digits) ?? .max, 1), 1 << 20) - 1
      time = min(time, .seconds(seconds))
    }
    return time
  }

  private var mayReuse: Bool {
    !closesAfterResponse && connection.isOpen && !peerHasEnded && queue.isOpen
      && queue.waitingCount == 0 && exchange?.isSent != false
  }

  /// True if the peer sends nothing after the bytes that were read.
  private var peerHasEnded: Bool {
    connection.inlet.peerMayHaveFinished || connection.inlet.termination != nil
  }

  private func bodyIsComplete(hasMore: Bool) {
    let exchange = exchange
    let isReusable = mayReuse && !hasMore
    timer.cancel()
    setLimits(TimeLimits())
    self.exchange = nil
    if isReusable {
      phase = .idle
      isReused = true
      usableUntil = connection.core.scheduler.now.addingWithSaturation(idleTime)
    }
    exchange?.detach()
    if isReusable, let pool { pool.recycle(self) } else { close(reset: false) }
    exchange?.end(.completed)
  }

  private func upgrade(_ exchange: ClientExchange, _ response: HTTPResponse) {
    phase = .upgraded
    timer.tearDown()
    setLimits(TimeLimits())
    self.exchange = nil
    exchange.detach()
    connection.inlet.stop(reader)
    pool?.remove(self)
    exchange.upgrade(response, connection)
  }

  // MARK: - End

  func endIsNear() {
    // A connection whose end has arrived must not get a request.
    if case .idle = phase { close(reset: false) }
  }

  func end(_ rest: UnsafeRawBufferPointer, _ termination: Termination<SocketError>) {
    if !rest.isEmpty { hasReceived = true }
    switch phase {
    case .upgraded, .closed: break
    case .idle, .draining: close(reset: false)
    case .waiting:
      switch termination {
      case .completed: fail(.disconnected, isRetriable: true)
      case .failed(let error): fail(.connection(error), isRetriable: true)
      }
    case .body:
      if case .completed = termination, decoder.endsWithConnection {
        return bodyIsComplete(hasMore: false)
      }
      var failure = HTTPBodyError.disconnected
      if case .failed(let error) = termination, case .timedOut = error.cause { failure = .timedOut }
      failBody(failure)
    }
  }

  private func parsingHasFailed(_ error: HTTPParseError) {
    switch phase {
    case .body: failBody(HTTPBodyError(error))
    case .waiting: fail(.malformed("\(error)"), isRetriable: false)
    case .idle, .draining, .upgraded, .closed: close(reset: true)
    }
  }

  /// Fails the exchange before the head of the response.
  func fail(_ error: HTTPClientError, isRetriable: Bool) {
    let exchange = exchange
    let isRetriable = isRetriable && isReused && !hasReceived
    close(reset: true)
    exchange?.fail(error, isRetriable: isRetriable)
  }

  func failBody(_ error: HTTPBodyError) {
    let exchange = exchange
    close(reset: true)
    exchange?.end(.failed(error))
  }

  /// Closes an unused connection.
  func close() {
    close(reset: false)
  }

  private func close(reset: Bool) {
    if case .closed = phase { return }
    if case .upgraded = phase { return }
    phase = .closed
    timer.tearDown()
    let exchange = exchange
    self.exchange = nil
    connection.inlet.stop(reader)
    if reset { connection.reset() } else { connection.close() }
    exchange?.detach()
    pool?.remove(self)
  }
}
