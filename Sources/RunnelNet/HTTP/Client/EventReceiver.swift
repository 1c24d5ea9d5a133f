import RunnelStreams

/// Receives events for one observer, and connects again.
final class EventReceiver {
  private let client: HTTPClient
  private let request: HTTPRequest
  private let limit: Int
  private let silence: Duration?
  private var parser: EventParser
  private var observer: Observer<ReceivedEvent, HTTPClientError>?
  private var work: Disposable?
  private let timer: RestartableTimer
  private let silenceTimer: RestartableTimer
  private var retry = Duration.seconds(3)
  /// The number of attempts since the last event.
  private var attempts = 0

  /// A server that asks for less would be asked without a pause.
  private static let shortestWait = Duration.milliseconds(100)
  private static let longestWait = Duration.seconds(60)

  init(
    _ request: HTTPRequest, _ parser: EventParser, limit: Int, silence: Duration?,
    _ client: HTTPClient, _ observer: Observer<ReceivedEvent, HTTPClientError>
  ) {
    self.client = client
    self.parser = parser
    self.limit = limit
    self.silence = silence
    self.observer = observer
    var request = request
    request.headers["Accept"] = "text/event-stream"
    request.headers["Cache-Control"] = "no-store"
    self.request = request
    timer = RestartableTimer(on: client.pool.scheduler)
    silenceTimer = RestartableTimer(on: client.pool.scheduler)
  }

  // MARK: - Connecting

  func connect() {
    var request = request
    let id = parser.lastID
    request.headers["Last-Event-ID"] = id.isEmpty ? nil : id
    parser = EventParser(limit: limit, lastID: id)
    var times = client.timeLimits
    times.body = nil
    times.bodyRate = 0
    times.total = nil
    let work = Disposable()
    self.work = work
    // Servers and proxies hold compressed events back until a block is full.
    client.exchange(request, within: times, isForEvents: true).stream.start(
      in: work, next: { [weak self] in self?.take($0) },
      end: { [weak self] in
        if case .failed(let error) = $0 { self?.connectingHasFailed(error) }
      })
  }

  private func connectingHasFailed(_ error: HTTPClientError) {
    switch error {
    case .connection(let error) where error.cause.mayPass: connectLater()
    case .disconnected, .timedOut: connectLater()
    case .proxy(let status) where status.mayPass: connectLater()
    default: fail(error)
    }
  }

  private func connectLater() {
    silenceTimer.cancel()
    guard observer != nil else { return }
    var wait = max(retry, Self.shortestWait)
    for _ in 0..<min(attempts, 10) where wait < Self.longestWait {
      wait = min(wait + wait, Self.longestWait)
    }
    attempts += 1
    timer.set(after: wait) { [weak self] in self?.connect() }
    Log("runnel.net").debug(
      "A stream of events was interrupted. It connects again.",
      ["path": request.path, "attempt": attempts, "wait": wait])
  }

  private func take(_ response: HTTPResponse) {
    switch response.status {
    case .noContent: return complete()
    case .ok: break
    case let status where status.mayPass: return connectLater()
    default:
      let work = Disposable()
      self.work = work
      return HTTPClient.failure(of: response, atMost: client.failureBodyLimit).stream.start(
        in: work, next: { _ in },
        end: { [weak self] in if case .failed(let error) = $0 { self?.fail(error) } })
    }
    let type = response.headers["Content-Type"] ?? ""
    guard type.lowercased().elements(separatedBy: UInt8(ascii: ";")).first == "text/event-stream"
    else { return fail(.noEvents(contentType: type)) }
    let work = Disposable()
    self.work = work
    restartSilence()
    response.body.stream.start(
      in: work, next: { [weak self] in self?.take($0) },
      end: { [weak self] _ in self?.connectLater() })
  }

  // MARK: - Events

  private func take(_ piece: [UInt8]) {
    restartSilence()
    var offset = 0
    do throws(EventParser.TooLong) {
      while let observer, let event = try parser.next(piece, &offset) {
        attempts = 0
        observer.next(event)
      }
      if let retry = parser.retry { self.retry = min(retry, Self.longestWait) }
    } catch {
      fail(.eventTooLong(limit: limit))
    }
  }

  private func restartSilence() {
    guard let silence else { return }
    silenceTimer.set(after: silence) { [weak self] in
      guard let self else { return }
      self.work.take()?.dispose()
      connectLater()
    }
  }

  // MARK: - End

  private func fail(_ error: HTTPClientError) {
    let observer = observer
    tearDown()
    observer?.failed(error)
  }

  private func complete() {
    let observer = observer
    tearDown()
    observer?.completed()
  }

  func tearDown() {
    timer.tearDown()
    silenceTimer.tearDown()
    let observer = observer.take()
    work.take()?.dispose()
    withExtendedLifetime(observer) {}
  }
}

extension HTTPStatus {
  /// True if a server or a proxy may answer a later request with another status.
  fileprivate var mayPass: Bool {
    switch self {
    case .badGateway, .serviceUnavailable, .gatewayTimeout: true
    default: false
    }
  }
}

extension SocketError.Cause {
  /// True if a later attempt to connect may succeed.
  fileprivate var mayPass: Bool {
    switch self {
    case .security, .invalidPath, .unsuitable, .notPermitted: false
    default: true
    }
  }
}
