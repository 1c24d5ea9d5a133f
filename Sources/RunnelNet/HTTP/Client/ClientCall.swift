import RunnelStreams

/// One observed request: its connections, its redirects, and its second attempts.
final class ClientCall: Teardown {
  private let pool: ConnectionPool
  private let settings: ClientSettings
  private let times: HTTPClientTimeLimits
  private var request: HTTPRequest
  private var url: HTTPURL
  private var finish: ((Result<HTTPResponse, HTTPClientError>) -> Void)?
  private var ticket: ConnectionTicket?
  private var exchange: ClientExchange?
  /// The attempt that follows a redirect.
  private var nextAttempt: Disposable?
  private var deadline: ClientDeadline?
  private var redirectCount = 0
  /// True after the second attempt at the current URL.
  private var hasRetried = false
  /// True if the response is a stream of events, which has no end.
  var isForEvents = false
  private let useUpgraded: ((HTTPResponse, Connection) -> Void)?

  init(
    _ request: HTTPRequest, _ url: HTTPURL, _ pool: ConnectionPool, _ settings: ClientSettings,
    within times: HTTPClientTimeLimits? = nil, upgrade: ((HTTPResponse, Connection) -> Void)? = nil,
    _ finish: @escaping (Result<HTTPResponse, HTTPClientError>) -> Void
  ) {
    self.request = request
    self.request.headers = request.headers.adding(defaults: settings.headers)
    self.url = url
    self.pool = pool
    self.settings = settings
    self.times = times ?? settings.timeLimits
    self.finish = finish
    useUpgraded = upgrade
  }

  func begin() {
    if let total = times.total {
      deadline = ClientDeadline(on: pool.scheduler, after: total) { [weak self] in
        self?.end(.failure(.timedOut(.total)))
      }
    }
    attempt()
  }

  // MARK: - Attempts

  private func attempt() {
    let ticket = ConnectionTicket(ClientRoute(to: url, settings.proxies)) { [self] result in
      self.ticket = nil
      switch result {
      case .success(let connection): send(on: connection)
      case .failure(let error): end(.failure(error))
      }
    }
    self.ticket = ticket
    pool.add(ticket)
  }

  private func send(on connection: ClientConnection) {
    let route = connection.route
    let head: RequestHead
    do throws(HTTPClientError) {
      head = try RequestHead(
        request, url, target: route.sendsWholeURL ? url.description : url.target,
        proxyAuthorization: route.sendsWholeURL ? route.proxy?.authorization : nil)
    } catch {
      connection.returnUnused()
      return end(.failure(error))
    }
    let exchange = ClientExchange { [self] result in
      switch result {
      case .success(let response): take(response)
      case .failure(let failure): take(failure)
      }
    }
    exchange.useUpgraded = useUpgraded
    exchange.mayBeRepeated = mayBeRepeated
    exchange.hasEndlessBody = isForEvents
    self.exchange = exchange
    exchange.send(head, request.body, on: connection, within: times)
  }

  private func take(_ failure: ClientExchange.Failure) {
    exchange = nil
    guard failure.isRetriable, mayBeRepeated else { return end(.failure(failure.error)) }
    hasRetried = true
    attempt()
  }

  /// True if the request can be sent once more on another connection.
  private var mayBeRepeated: Bool {
    !hasRetried && request.method.isIdempotent && request.body.isRepeatable
  }

  // MARK: - Responses

  private func take(_ response: HTTPResponse) {
    let redirect: HTTPURL?
    do throws(HTTPClientError) {
      redirect = try self.redirect(of: response)
    } catch {
      exchange = nil
      return end(.failure(error))
    }
    guard let redirect else {
      exchange?.take(deadline.take())
      exchange = nil
      return end(.success(response))
    }
    request.follow(
      response.status, from: url, to: redirect, leavingOut: settings.credentialHeaders)
    url = redirect
    redirectCount += 1
    // The next connection may be a stale one as well.
    hasRetried = false
    exchange = nil
    // The caller releases the response, so its connection drops the rest of the body. If all of it is
    // there, the next request uses the same connection.
    nextAttempt = pool.scheduler.schedule(after: .zero) { [self] in
      nextAttempt = nil
      attempt()
    }
  }

  /// Returns the URL to which a response redirects; nil if the response is the result.
  private func redirect(of response: HTTPResponse) throws(HTTPClientError) -> HTTPURL? {
    guard response.status.isRedirect, settings.maximumRedirects > 0,
      let location = response.headers["Location"]
    else { return nil }
    func refuse(_ reason: String) -> HTTPClientError { .refusedRedirect(to: location, reason) }
    guard let target = url.resolving(location.encodedForURL) else {
      throw refuse("it is no URL for a request")
    }
    if redirectCount == settings.maximumRedirects {
      throw .tooManyRedirects(limit: settings.maximumRedirects)
    }
    if url.scheme == .https && target.scheme == .http && !settings.allowsInsecureRedirects {
      throw refuse("it leads from https to http. Set allowsInsecureRedirects if that is intended")
    }
    if response.status.keepsBody(request.method) && !request.body.isRepeatable {
      throw refuse("the body of the request is a stream, which cannot be sent again")
    }
    return target
  }

  // MARK: - End

  private func end(_ result: Result<HTTPResponse, HTTPClientError>) {
    guard let finish = finish.take() else { return }
    cancelWork()
    finish(result)
  }

  private func cancelWork() {
    deadline.take()?.tearDown()
    nextAttempt.take()?.dispose()
    ticket.take()?.cancel(in: pool)
    exchange.take()?.cancel()
  }

  /// The observation has ended. A response that was delivered lives on.
  func tearDown() {
    guard let finish = finish.take() else { return }
    cancelWork()
    release(finish)
  }
}

extension HTTPStatus {
  /// True for the statuses that send a client to another URL.
  fileprivate var isRedirect: Bool {
    switch self {
    case .movedPermanently, .found, .seeOther, .temporaryRedirect, .permanentRedirect: true
    default: false
    }
  }

  /// True if the request is repeated with its method and its body after a redirect.
  fileprivate func keepsBody(_ method: HTTPMethod) -> Bool {
    switch self {
    case .movedPermanently, .found: method != .post
    case .seeOther: method == .get || method == .head
    default: true
    }
  }
}

extension HTTPRequest {
  /// Changes the request to the one after a redirect, by the rules of the Fetch standard.
  fileprivate mutating func follow(
    _ status: HTTPStatus, from url: HTTPURL, to target: HTTPURL, leavingOut secrets: [String]
  ) {
    if !status.keepsBody(method) {
      method = .get
      body = .empty
      for name in [
        "Content-Encoding", "Content-Language", "Content-Location", "Content-Type", "Expect",
      ] { headers[name] = nil }
    }
    if !target.hasSameOrigin(as: url) {
      for name in ["Authorization", "Cookie", "Host", "Proxy-Authorization"] + secrets {
        headers[name] = nil
      }
    }
  }
}

extension HTTPHeaders {
  /// Returns the fields after those of a client whose names they do not have.
  fileprivate func adding(defaults: HTTPHeaders) -> HTTPHeaders {
    var headers = HTTPHeaders()
    for (name, value) in defaults where !contains(name) { headers.append(name, value) }
    for (name, value) in self { headers.append(name, value) }
    return headers
  }
}

extension HTTPBody {
  fileprivate var isRepeatable: Bool {
    switch content {
    case .none, .bytes, .file: true
    case .stream: false
    }
  }
}

extension String {
  /// The text with percent-encoding for characters that a URL cannot have. Servers send such ones in
  /// `Location`.
  fileprivate var encodedForURL: String {
    var encoded: [UInt8] = []
    var isPath = true
    for byte in utf8 {
      if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { isPath = false }
      let isKept =
        byte.isURLCharacter || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\")
        || !isPath && byte.isURLQueryCharacter
      if isKept {
        encoded.append(byte)
      } else {
        encoded += "%".utf8
        encoded += String(byte >> 4, radix: 16, uppercase: true).utf8
        encoded += String(byte & 15, radix: 16, uppercase: true).utf8
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
