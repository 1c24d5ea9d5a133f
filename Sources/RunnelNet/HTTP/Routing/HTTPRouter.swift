import RunnelStreams

/// A closure that answers a request.
public typealias HTTPHandler = (HTTPRequest) -> HTTPReply

/// A closure around the handlers of a server or a group. It may change the request before it calls the
/// next closure, answer without calling it, and change the reply.
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

/// The routes of a server, with the middleware around all of them.
struct HTTPRouter {
  private let root = RouteNode()
  private var middleware: [HTTPMiddleware] = []
  /// The middleware around the routes.
  private var chain: HTTPHandler?

  func add(_ route: HTTPRoute) {
    root.add(route)
  }

  mutating func use(_ closure: @escaping HTTPMiddleware) {
    middleware.append(closure)
    chain = nil
  }

  /// The closure that answers requests. It is made once after each change of the middleware.
  mutating func handler() -> HTTPHandler {
    if let chain { return chain }
    let chain = middleware.around { [root] in Self.answer(to: $0, root) }
    self.chain = chain
    return chain
  }

  /// The path of the route that answers a request, such as `/topics/:name`; nil if none does.
  func pattern(of request: HTTPRequest) -> String? {
    var search = RouteSearch(method: request.method)
    return search.route(of: request.path, in: root)?.path
  }

  private static func answer(to request: HTTPRequest, _ root: RouteNode) -> HTTPReply {
    var search = RouteSearch(method: request.method)
    if let route = search.route(of: request.path, in: root) {
      if search.values.isEmpty { return route.handler(request) }
      var request = request
      request.reception.parameters = Array(zip(route.names, search.values))
      return route.handler(request)
    }
    guard let other = search.others.first else { return HTTPError(.notFound).reply(to: request) }
    // The middleware of its group may answer the preflight request of a browser.
    let refusal = other.middleware.around { Self.refusal(of: $0, search.others) }
    return refusal(request)
  }

  /// Answers a request for a path that has routes for other methods only.
  private static func refusal(of request: HTTPRequest, _ routes: [HTTPRoute]) -> HTTPReply {
    var methods = routes.compactMap(\.method)
    if methods.contains(.get) { methods.append(.head) }
    methods.append(.options)
    var names: [String] = []
    for method in methods where !names.contains(method.rawValue) { names.append(method.rawValue) }
    let headers: HTTPHeaders = ["Allow": names.joined(separator: ", ")]
    if request.method == .options { return HTTPReply(HTTPResponse(.noContent, headers: headers)) }
    return HTTPError(.methodNotAllowed, headers: headers).reply(to: request)
  }
}

extension [HTTPMiddleware] {
  /// The closures around a handler. The first one is the outermost.
  func around(_ handler: @escaping HTTPHandler) -> HTTPHandler {
    var chain = handler
    for closure in reversed() {
      let next = chain
      chain = { closure($0, next) }
    }
    return chain
  }
}
