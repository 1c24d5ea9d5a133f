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
    /// Nobody has observed the body yet.
    case none
    case observer(Observer<[UInt8], any Error>)
    /// The observer has ended.
    case gone
  }

  /// The body that waits for "100 Continue".
  private enum Sending {
    case awaitsContinue(HTTPBody)
    case running
    case complete
  }

  private var connection: ClientConnection?
  private var finish: ((Result<HTTPResponse, Failure>) -> Void)?
  private var sending = Sending.running
  /// The observation of the stream of the request's body.
  private var work: Disposable?
  private var continueTimer: RestartableTimer?
  private var reader = Reader.none
  private var failure: HTTPBodyError?
  /// The limit for the whole call.
  private var deadline: ClientDeadline?
  /// Receives the connection after "101 Switching Protocols".
  var useUpgraded: ((HTTPResponse, Connection) -> Void)?
  private(set) var closesAfterResponse = false
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
    work?.dispose()
    if isSent { connection.bodyIsUnwanted() } else { connection.abort() }
  }

  // MARK: - Request

  /// True after the last byte of the request was passed to the connection.
  var isSent: Bool { if case .complete = sending { true } else { false } }

  var wantsUpgrade: Bool { useUpgraded != nil }

  func send(
    _ head: RequestHead, _ body: HTTPBody, on connection: ClientConnection,
    within times: HTTPClientTimeLimits
  ) {
    self.connection = connection
    closesAfterResponse = head.closes
    connection.begin(self, isForHead: head.isForHead, hasBody: !body.isEmpty, within: times)
    guard connection.queue.write(head.bytes, isForced: true) else {
      return connection.fail(.disconnected, isRetriable: true)
    }
    if head.expectsContinue && !body.isEmpty {
      sending = .awaitsContinue(body)
      let timer = RestartableTimer(on: connection.connection.core.scheduler)
      continueTimer = timer
      timer.set(after: times.continue) { [weak self] in self?.mayContinue() }
    } else {
      send(body)
    }
  }

  /// The server is ready for the body.
  func mayContinue() {
    guard case .awaitsContinue(let body) = sending else { return }
    continueTimer?.tearDown()
    sending = .running
    send(body)
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
    self.work = work
    var left = count ?? .max
    stream.start(
      in: work,
      next: { [weak self] piece in
        guard let self, let connection, !piece.isEmpty else { return }
        left -= piece.count
        if left < 0 { return requestHasFailed(HTTPBodyError.tooLarge(limit: count ?? 0)) }
        let queue = connection.queue
        let isTaken = queue.write(count == nil ? RequestHead.chunk(piece) : piece)
        // A queue that has ended is reported when the connection is read.
        if !isTaken && queue.isOpen {
          let cause = SocketError.Cause.overflow(limit: queue.limit)
          connection.fail(
            .connection(SocketError(.write, "\(connection.connection.peer)", cause)),
            isRetriable: false)
        }
      },
      end: { [weak self] termination in
        guard let self, let connection else { return }
        self.work = nil
        if case .failed(let error) = termination { return requestHasFailed(error) }
        if count != nil && left > 0 { return requestHasFailed(HTTPBodyError.disconnected) }
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

  /// The body of the request is not complete, so the server must not take it for complete.
  private func requestHasFailed(_ error: any Error) {
    guard let connection else { return }
    if finish != nil {
      connection.fail(.requestBody(error), isRetriable: false)
    } else {
      connection.failBody(.disconnected)
    }
  }

  // MARK: - Response

  func headHasArrived(_ response: HTTPResponse) {
    // A body that still waits for "100 Continue" is not sent after the final response.
    continueTimer?.tearDown()
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
    connection?.abort()
  }

  /// The connection does not belong to the exchange any more.
  func detach() {
    let connection = connection.take()
    let work = work.take()
    continueTimer?.tearDown()
    deadline?.tearDown()
    work?.dispose()
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
      guard case .none = reader else { return observer.failed(HTTPBodyError.alreadyRead) }
      reader = .gone
      if let failure { return observer.failed(failure) }
      guard let connection else { return observer.completed() }
      reader = .observer(observer)
      observer.observation.add(self)
      connection.bodyIsWanted()
    }
    return HTTPBody(.stream(stream, count: count))
  }

  func receive(_ piece: UnsafeRawBufferPointer) {
    if case .observer(let observer) = reader { observer.next(Array(piece)) }
  }

  func end(_ termination: Termination<HTTPBodyError>) {
    if case .failed(let error) = termination { failure = error }
    guard case .observer(let observer) = reader else { return }
    reader = .gone
    observer.end(failure.map { .failed($0) } ?? .completed)
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
    connection?.abort()
  }
}
