import RunnelStreams

/// Routes with the same beginning of their paths, and middleware around them.
///
///     server.group("/api") { api in
///       api.requireBearer(realm: "api") { constantTimeEquals($0, secret) }
///       api.get("/version") { _ in "1.2" }
///       api.group("/notes/:id") { note in
///         note.get("") { try notes.note($0.parameter("id", as: Int.self)) }
///         note.delete("/shares") { _ in HTTPStatus.noContent }
///       }
///     }
///
/// A path of the group begins with a slash, or is empty: then it is the path of the group itself. The
/// path of a group may also be empty, to give some routes the same middleware.
///
/// Middleware runs from the outside to the inside: the server's, the group's, the inner group's. A
/// group's middleware is called for requests that a route of the group answers. It is also called for
/// requests with another method, if all routes of their path are in the group. It is not called for
/// other routes that match the same path, or for paths without a route. To protect everything below a path, use
/// ``HTTPServer/requireBearer(realm:under:_:)``.
///
/// *Disposal*: a group does not retain its server. Routes that are added after the server was released
/// are ignored.
public final class HTTPGroup: HTTPRoutes {
  /// The group itself.
  public var routes: HTTPGroup { self }
  private let path: String
  private(set) weak var server: HTTPServer?
  private let isServer: Bool
  private(set) var middleware: [HTTPMiddleware]
  private var isUsed = false

  /// The routes of a server.
  init(of server: HTTPServer) {
    path = ""
    self.server = server
    isServer = true
    middleware = []
  }

  private init(_ path: String, in parent: HTTPGroup) {
    let isPath = path.utf8.first == UInt8(ascii: "/") && path.utf8.last != UInt8(ascii: "/")
    require(
      path.isEmpty || isPath,
      "The path of a group begins with \"/\", and does not end with it: \"\(path)\".")
    self.path = parent.path + path
    server = parent.server
    isServer = false
    middleware = parent.middleware
  }

  func add(
    _ method: HTTPMethod?, _ path: String, at place: String, _ handler: @escaping HTTPHandler
  ) {
    let whole = self.path + path
    require(
      path.utf8.first == UInt8(ascii: "/") || path.isEmpty && !whole.isEmpty,
      "The path of a route begins with \"/\": \"\(path)\".")
    isUsed = true
    server?.router.add(HTTPRoute(method, whole, in: self, at: place, handler))
  }

  /// Returns a group of routes below a path, which may have parameters.
  public func group(_ path: String = "") -> HTTPGroup {
    isUsed = true
    return HTTPGroup(path, in: self)
  }

  func use(_ closure: @escaping HTTPMiddleware) {
    if isServer { return server?.router.use(closure) ?? () }
    require(
      !isUsed,
      """
      The group "\(path)" has routes or groups already, which would not have this middleware. Add \
      middleware first.
      """)
    middleware.append(closure)
  }
}
