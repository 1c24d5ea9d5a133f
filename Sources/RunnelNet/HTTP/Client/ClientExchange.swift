import RunnelLoop
import RunnelStreams

/// One request on one connection, and its response.
///
/// The call retains it until the head of the response, and the body of the response afterwards. Its
/// release ends the exchange.
final class ClientExchange: Teardown {
  /// A failure before the head of the response.
  struct Failure: Error {
    var error: HTTPClientError
    /// True if the connection was used before, and nothing of a response has arrived.
    var isRetriable = false
  }

  private enum Reader {
    /// Nobody has observed the body yet, which may have failed.
    case none(HTTPBodyError?)
    case observer(Observer<[UInt8], any Error>)
    /// The observer has ended.
    case gone
  }

  private enum Sending {
    /// The body waits for "100 Continue", or until the timer fires.
    case awaitsContinue(HTTPBody, RestartableTimer)
    /// Bytes are missing. A body that is a stream is observed.
    case running(Disposable?)
    /// The last byte was passed to the connection.
    case complete
  }

  private var connection: ClientConnection?
  private var finish: ((Result<HTTPResponse, Failure>) -> Void)?
  private var sending = Sending.running(nil)
  private var reader = Reader.none(nil)
  /// The limit for the whole call.
  private var deadline: ClientDeadline?
  /// Receives the connection after "101 Switching Protocols".
  var useUpgraded: ((HTTPResponse, Connection) -> Void)?
  /// True if the request can be sent once more on another connection.
  var mayBeRepeated = false
  /// True if the body of the response has no limit.
  var hasEndlessBody = false

  init(_ finish: @escaping (Result<HTTPResponse, Failure>) -> Void) {
    self.finish = finish
  }

  deinit {
    guard let connection else { return }
    deadline?.tearDown()
    stopSending()
    if isSent { connection.bodyIsUnwanted() } else { connection.close(reset: true) }
  }

  // MARK: - Request

  var isSent: Bool { if case .complete = sending { true } else { false } }

  var wantsUpgrade: Bool { useUpgraded != nil }

  func send(
    _ head: RequestHead, _ body: HTTPBody, on connection: ClientConnection,
    within times: HTTPClientTimeLimits
  ) {
    self.connection = connection
    connection.begin(self, head, hasBody: !body.isEmpty, within: times)
    guard connection.queue.write(head.bytes, isForced: true) else {
      return connection.fail(.disconnected, isRetriable: true)
    }
    if head.expectsContinue && !body.isEmpty {
      let timer = RestartableTimer(on: connection.connection.core.scheduler)
      sending = .awaitsContinue(body, timer)
      timer.set(after: times.continue) { [weak self] in self?.mayContinue() }
    } else {
      send(body)
    }
  }

  /// The server is ready for the body.
  func mayContinue() {
    guard case .awaitsContinue(let body, _) = sending else { return }
    stopSending()
    send(body)
  }

  private func stopSending() {
    switch sending {
    case .awaitsContinue(_, let timer):
      sending = .running(nil)
      timer.tearDown()
    case .running(let work):
      sending = .running(nil)
      work?.dispose()
    case .complete: break
    }
  }

  private func send(_ body: HTTPBody) {
    guard let queue = connection?.queue else { return }
    switch body.content {
    case .none: requestIsComplete()
    case .bytes(let bytes):
      // A refusal means that the connection ends, which is reported when it is read.
      if queue.write(bytes, isForced: true) { requestIsComplete() }
    case .file(let part):
      let isTaken = queue.send(
        file: part.file, at: Int64(part.range.lowerBound), count: part.range.count, isForced: true,
        completion: nil)
      if isTaken { requestIsComplete() }
    case .stream(let stream, let count): send(stream, count: count)
    }
  }

  private func send(_ stream: EventStream<[UInt8], any Error>, count: Int?) {
    let work = Disposable()
    sending = .running(work)
    var left = count ?? .max
    stream.start(
      in: work,
      next: { [weak self] piece in
        guard let self, let connection, !piece.isEmpty else { return }
        left -= piece.count
        if left < 0 {
          return connection.fail(.requestBody(HTTPBodyError.tooLarge(limit: count ?? 0)))
        }
        let queue = connection.queue
        let isTaken = queue.write(count == nil ? RequestHead.chunk(piece) : piece)
        // A queue that has ended is reported when the connection is read.
        if !isTaken && queue.isOpen {
          let cause = SocketError.Cause.overflow(limit: queue.limit)
          connection.fail(
            .connection(SocketError(.write, "\(connection.connection.peer)", cause)))
        }
      },
      end: { [weak self] termination in
        guard let self, let connection else { return }
        sending = .running(nil)
        // The body is not complete, so the server must not take it for complete.
        if case .failed(let error) = termination { return connection.fail(.requestBody(error)) }
        if count != nil && left > 0 {
          return connection.fail(.requestBody(HTTPBodyError.disconnected))
        }
        if count == nil { _ = connection.queue.write(RequestHead.lastChunk, isForced: true) }
        requestIsComplete()
      })
  }

  private func requestIsComplete() {
    sending = .complete
    guard let connection else { return }
    let queue = connection.queue
    if queue.waitingCount < Self.promptCount { return connection.requestIsSent() }
    // The time for the response begins when the system has accepted a long request.
    _ = queue.write([], isForced: true) { [weak self] in
      if $0 == nil { self?.connection?.requestIsSent() }
    }
  }

  /// The size of a request that the system can be expected to accept at once.
  private static let promptCount = 1 << 14

  // MARK: - Response

  func headHasArrived(_ response: HTTPResponse) {
    // A body that still waits for "100 Continue" is not sent after the final response.
    if case .awaitsContinue = sending { stopSending() }
    finish.take()?(.success(response))
  }

  func upgrade(_ response: HTTPResponse, _ connection: Connection) {
    let use = useUpgraded.take()
    let finish = finish.take()
    use?(response, connection)
    release(finish)
  }

  func fail(_ error: HTTPClientError, isRetriable: Bool) {
    finish.take()?(.failure(Failure(error: error, isRetriable: isRetriable)))
  }

  /// The call is cancelled before the head of the response.
  func cancel() {
    release(finish.take())
    connection?.close(reset: true)
  }

  /// The connection does not belong to the exchange any more.
  func detach() {
    let connection = connection.take()
    deadline?.tearDown()
    stopSending()
    withExtendedLifetime(connection) {}
  }

  // MARK: - Body

  /// True if the connection should read on.
  var wantsBytes: Bool {
    if case .observer(let observer) = reader { observer.isActive } else { false }
  }

  /// The body of the response. It can be observed once.
  func body(count: Int?) -> HTTPBody {
    let stream = EventStream<[UInt8], any Error>.unguarded { [self] observer in
      guard case .none(let failure) = reader else {
        return observer.failed(HTTPBodyError.alreadyRead)
      }
      reader = .gone
      if let failure { return observer.failed(failure) }
      guard let connection else { return observer.completed() }
      reader = .observer(observer)
      observer.observation.add(self)
      connection.connection.inlet.demandHasIncreased()
    }
    return HTTPBody(.stream(stream, count: count))
  }

  func receive(_ piece: UnsafeRawBufferPointer) {
    if case .observer(let observer) = reader { observer.next(Array(piece)) }
  }

  func end(_ termination: Termination<HTTPBodyError>) {
    var failure: HTTPBodyError?
    if case .failed(let error) = termination { failure = error }
    switch reader {
    case .none: reader = .none(failure)
    case .observer(let observer):
      reader = .gone
      observer.end(failure.map { .failed($0) } ?? .completed)
    case .gone: break
    }
  }

  /// Applies the limit of the whole call to the body of the response.
  func take(_ deadline: ClientDeadline?) {
    guard let deadline else { return }
    guard connection != nil else { return deadline.tearDown() }
    self.deadline = deadline
    deadline.set { [weak self] in self?.connection?.failBody(.timedOut) }
  }

  /// The observation of the body has ended.
  func tearDown() {
    guard case .observer = reader else { return }
    reader = .gone
    connection?.close(reset: true)
  }
}
