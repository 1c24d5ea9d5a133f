import RunnelStreams

/// A closure that answers a request.
public typealias HTTPHandler = (HTTPRequest) -> HTTPReply

/// A closure around the handlers of a server or a group. It may change the request before it calls
/// the next closure, answer without calling it, and change the reply.
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
final class HTTPRouter {
  private let root = RouteNode()
  private var middleware: [HTTPMiddleware] = []
  /// The middleware around the routes.
  private var chain: HTTPHandler?

  func add(_ route: HTTPRoute) {
    root.add(route)
  }

  func use(_ closure: @escaping HTTPMiddleware) {
    middleware.append(closure)
    chain = nil
  }

  func reply(to request: HTTPRequest) -> HTTPReply {
    handler()(request)
  }

  /// The closure that answers requests. It is made once after each change of the middleware: a closure
  /// that is read from an optional and stored again would be wrapped once more by each request.
  private func handler() -> HTTPHandler {
    if let chain { return chain }
    let chain = middleware.around { [root] in Self.answer(to: $0, root) }
    self.chain = chain
    return chain
  }

  /// The path of the route that answers a request, such as `/topics/:name`; nil if none does.
  func pattern(of request: HTTPRequest) -> String? {
    RouteSearch.search(for: request, in: root).found?.route.path
  }

  private static func answer(to request: HTTPRequest, _ root: RouteNode) -> HTTPReply {
    let search = RouteSearch.search(for: request, in: root)
    if let found = search.found { return found.reply(to: request, found.route.handler) }
    guard let other = search.others.first else { return HTTPError(.notFound).reply(to: request) }
    let routes = search.others.map(\.route)
    let refuse: HTTPHandler = { refusal(of: $0, routes) }
    // The middleware of a group may answer the preflight request of a browser.
    guard routes.allSatisfy({ $0.group === other.route.group }) else { return refuse(request) }
    return other.reply(to: request, other.route.group.middleware.around(refuse))
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
