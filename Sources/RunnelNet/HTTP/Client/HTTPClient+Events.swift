import RunnelStreams

extension HTTPClient {
  /// The events of a URL, as a browser's `EventSource` receives them.
  ///
  ///     client.events("http://example.org/topics/news").observe(
  ///       next: { show($0.data) }, failed: { show($0) })
  ///
  /// *Events*: when the response ends or the connection fails, the client connects again after the
  /// time that the server has given, or 3 s, and sends the last identifier as `Last-Event-ID`. It
  /// does so too after the statuses 502, 503 and 504, which a proxy sends while a server starts. Each
  /// attempt that brings no event doubles the time, up to a minute. The stream completes after the
  /// status 204. It fails with any other status, with another type of the response, and with an event
  /// that is too long.
  ///
  /// *Disposal*: closes the connection. The writer to which an observer writes can pause the stream.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - lastID: The identifier to begin after, for example one that was stored.
  ///   - silence: The time without a byte after which the client connects again. The default is none;
  ///     with a server that sends comments, use a few times their interval.
  ///   - longest: The largest number of bytes of a line, and of the data of an event.
  public func events(
    _ url: String, after lastID: String = "", silence: Duration? = nil, longest: Int = 1 << 20
  ) -> EventStream<ReceivedEvent, HTTPClientError> {
    events(HTTPRequest(.get, url), after: lastID, silence: silence, longest: longest)
  }

  /// The events of the response to a request. See ``events(_:after:silence:longest:)``.
  public func events(
    _ request: HTTPRequest, after lastID: String = "", silence: Duration? = nil,
    longest: Int = 1 << 20
  ) -> EventStream<ReceivedEvent, HTTPClientError> {
    EventStream { [self] observer in
      let source = EventReceiver(
        request, EventParser(limit: longest, lastID: lastID), limit: longest, silence: silence,
        self, observer)
      source.connect()
      return Disposable { source.tearDown() }
    }
  }
}

/// Receives events for one observer, and connects again.
private final class EventReceiver {
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
    times.total = nil
    let work = Disposable()
    self.work = work
    client.exchange(request, within: times).stream.start(
      in: work, next: { [weak self] in self?.take($0) },
      end: { [weak self] in
        if case .failed(let error) = $0 { self?.connectingHasFailed(error) }
      })
  }

  private func connectingHasFailed(_ error: HTTPClientError) {
    switch error {
    case .connection(let error) where error.cause.mayPass: connectLater()
    case .disconnected, .timedOut: connectLater()
    default: fail(error)
    }
  }

  private func connectLater() {
    silenceTimer.cancel()
    guard observer != nil else { return }
    var wait = retry
    for _ in 0..<min(attempts, 10) where wait < Self.longestWait {
      wait = min(wait + wait, Self.longestWait)
    }
    attempts += 1
    timer.set(after: wait) { [weak self] in self?.connect() }
  }

  private func take(_ response: HTTPResponse) {
    switch response.status {
    case .noContent: return complete()
    case .badGateway, .serviceUnavailable, .gatewayTimeout: return connectLater()
    case .ok: break
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
      if let retry = parser.retry { self.retry = retry }
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

extension SocketError.Cause {
  /// True if a later attempt to connect may succeed.
  fileprivate var mayPass: Bool {
    switch self {
    case .security, .invalidPath, .unsuitable, .notPermitted: false
    default: true
    }
  }
}
