import RunnelStreams

/// A closure that answers a request.
public typealias HTTPHandler = (HTTPRequest) -> HTTPReply

/// A closure around the handlers of a server. It may change the request before it calls the next
/// closure, answer without calling it, and change the reply.
///
///     server.use { request, next in
///       next(request).map { response in
///         var response = response
///         response.headers["X-Frame-Options"] = "DENY"
///         return response
///       }
///     }
public typealias HTTPMiddleware =
  (_ request: HTTPRequest, _ next: @escaping HTTPHandler) -> HTTPReply

/// The routes of a server, with its middleware.
struct HTTPRouter {
  fileprivate struct Route {
    let method: HTTPMethod?
    let pattern: PathPattern
    let handler: HTTPHandler
  }

  /// The routes without parameters, by their path.
  private var fixed: [String: [Route]] = [:]
  /// The other routes, in the order of their addition.
  private var variable: [Route] = []
  private var middleware: [HTTPMiddleware] = []
  /// The middleware around the routes.
  private var chain: HTTPHandler?

  /// Adds a route. Nil is every method.
  mutating func add(_ method: HTTPMethod?, _ path: String, _ handler: @escaping HTTPHandler) {
    let route = Route(method: method, pattern: PathPattern(path), handler: handler)
    if route.pattern.isFixed {
      fixed[path, default: []].append(route)
    } else {
      variable.append(route)
    }
    chain = nil
  }

  mutating func use(_ closure: @escaping HTTPMiddleware) {
    middleware.append(closure)
    chain = nil
  }

  /// The closure that answers requests. It is made once after each change.
  mutating func handler() -> HTTPHandler {
    if let chain { return chain }
    // The closure gets a copy, so that a handler may add routes.
    let routes = self
    var chain: HTTPHandler = { routes.route($0) }
    for closure in middleware.reversed() {
      let next = chain
      chain = { closure($0, next) }
    }
    self.chain = chain
    return chain
  }

  /// The path of the route that answers a request, such as `/topics/:name`; nil if none does.
  func pattern(of request: HTTPRequest) -> String? {
    let path = request.path
    if let route = fixed[String(path)]?.first(where: { $0.matches(request.method) }) {
      return route.pattern.text
    }
    if variable.isEmpty { return nil }
    let segments = PathPattern.segments(of: path)
    return variable.first { $0.matches(request.method) && $0.pattern.match(segments) != nil }?
      .pattern.text
  }

  private func route(_ request: HTTPRequest) -> HTTPReply {
    let path = request.path
    var allowed: [HTTPMethod] = []
    for route in fixed[String(path)] ?? [] {
      if route.matches(request.method) { return route.handler(request) }
      if let method = route.method { allowed.append(method) }
    }
    if !variable.isEmpty {
      let segments = PathPattern.segments(of: path)
      for route in variable {
        guard let parameters = route.pattern.match(segments) else { continue }
        guard route.matches(request.method) else {
          if let method = route.method { allowed.append(method) }
          continue
        }
        var request = request
        request.reception.parameters = parameters
        return route.handler(request)
      }
    }
    guard !allowed.isEmpty else { return HTTPError(.notFound).reply(to: request) }
    if allowed.contains(.get) { allowed.append(.head) }
    allowed.append(.options)
    var names: [String] = []
    for method in allowed where !names.contains(method.rawValue) { names.append(method.rawValue) }
    let headers: HTTPHeaders = ["Allow": names.joined(separator: ", ")]
    if request.method == .options { return HTTPReply(HTTPResponse(.noContent, headers: headers)) }
    return HTTPError(.methodNotAllowed, headers: headers).reply(to: request)
  }
}

extension HTTPRouter.Route {
  /// A route for GET also answers HEAD.
  fileprivate func matches(_ method: HTTPMethod) -> Bool {
    guard let own = self.method else { return true }
    return own == method || own == .get && method == .head
  }
}
