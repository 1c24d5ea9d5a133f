import RunnelStreams

/// Routes with the same beginning of their paths, and middleware around them.
///
///     server.group("/api") { api in
///       api.requireBearer(realm: "api") { constantTimeEquals($0, secret) }
///       api.get("/version") { _ in "1.2" }
///       api.group("/notes/:id") { note in
///         note.get("") { try notes.note($0.parameter("id", as: Int.self)).text }
///         note.delete("/shares") { _ in HTTPStatus.noContent }
///       }
///     }
///
/// The middleware of the server is the outermost. The middleware of a group is around the middleware of
/// its groups. It is called for requests whose path has a route in the group, also if the method is another
/// one.
public final class HTTPGroup: HTTPRoutes {
  public var routes: HTTPGroup { self }
  private let path: String
  private(set) weak var server: HTTPServer?
  private let isServer: Bool
  private var middleware: [HTTPMiddleware]
  private var hasRoutes = false

  /// The routes of a server.
  init(of server: HTTPServer) {
    path = ""
    self.server = server
    isServer = true
    middleware = []
  }

  private init(_ path: String, in parent: HTTPGroup) {
    require(
      path.utf8.first == UInt8(ascii: "/") && path.utf8.last != UInt8(ascii: "/"),
      "The path of a group begins with \"/\", and does not end with it: \"\(path)\".")
    self.path = parent.path + path
    server = parent.server
    isServer = false
    middleware = parent.middleware
  }

  func add(
    _ method: HTTPMethod?, _ path: String, at place: String, _ handler: @escaping HTTPHandler
  ) {
    hasRoutes = true
    server?.router.add(HTTPRoute(method, self.path + path, middleware, at: place, handler))
  }

  func group(_ path: String) -> HTTPGroup {
    hasRoutes = true
    return HTTPGroup(path, in: self)
  }

  func use(_ closure: @escaping HTTPMiddleware) {
    if isServer {
      server?.router.use(closure)
    } else {
      require(
        !hasRoutes,
        "The group \(path) has routes already, which would not have this middleware. Add middleware first."
      )
      middleware.append(closure)
    }
  }
}
