/// A node of the tree of routes: the routes that share the segments so far, whatever the names of
/// their parameters.
final class RouteNode {
  private var texts: [Substring: RouteNode] = [:]
  private var parameter: RouteNode?
  /// The routes whose paths end here.
  private var exact: [HTTPRoute] = []
  /// The routes that match the rest of a path.
  private var rest: [HTTPRoute] = []

  /// Adds a route. Traps if there is one for the same requests.
  func add(_ route: HTTPRoute) {
    var node = self
    for part in route.parts {
      switch part {
      case .text(let text):
        let next = node.texts[text[...]] ?? RouteNode()
        node.texts[text[...]] = next
        node = next
      case .parameter:
        let next = node.parameter ?? RouteNode()
        node.parameter = next
        node = next
      case .rest: return Self.add(route, to: &node.rest)
      }
    }
    Self.add(route, to: &node.exact)
  }

  private static func add(_ route: HTTPRoute, to routes: inout [HTTPRoute]) {
    if let other = routes.first(where: { $0.method == route.method }) {
      fatalError(
        """
        Two routes answer the same requests: \(other), added at \(other.place), and \(route), \
        added at \(route.place). Remove one of them.
        """)
    }
    routes.append(route)
  }

  /// Finds the most specific route for the rest of a path, which is nil at the end of the path.
  fileprivate func find(_ path: Substring?, _ search: inout RouteSearch) -> Bool {
    guard let path else { return search.pick(exact) || search.pick(rest, rest: "") }
    let slash = path.utf8.firstIndex(of: UInt8(ascii: "/"))
    let segment = path[..<(slash ?? path.endIndex)]
    let next = slash.map { path[path.utf8.index(after: $0)...] }
    // A slash in a decoded segment is not a separator.
    let isEncoded = segment.utf8.contains(UInt8(ascii: "%"))
    let text = isEncoded ? segment.percentDecoded.map { $0[...] } : segment
    if let text {
      if let node = texts[text], node.find(next, &search) { return true }
      if let parameter, !text.isEmpty {
        search.values.append(String(text))
        if parameter.find(next, &search) { return true }
        search.values.removeLast()
      }
    }
    return search.pick(rest, rest: path)
  }
}

/// The search for the route of a request.
struct RouteSearch {
  /// A route with the values of its parameters. The rest of a path is not percent-decoded.
  struct Match {
    let route: HTTPRoute
    let values: [String]

    /// Calls a handler with the request and the parameters of the route. A request without
    /// parameters needs no copy.
    func reply(to request: HTTPRequest, _ handler: HTTPHandler) -> HTTPReply {
      if values.isEmpty { return handler(request) }
      var request = request
      request.reception.parameters = Array(zip(route.names, values))
      return handler(request)
    }
  }

  private let method: HTTPMethod
  /// The values of the parameters on the way.
  fileprivate var values: [String] = []
  private(set) var found: Match?
  /// The routes of the path for other methods.
  private(set) var others: [Match] = []

  private init(_ method: HTTPMethod) {
    self.method = method
  }

  static func search(for request: HTTPRequest, in root: RouteNode) -> RouteSearch {
    var search = RouteSearch(request.method)
    let path = request.path
    // The target of OPTIONS may be "*".
    if path.utf8.first == UInt8(ascii: "/") { _ = root.find(path.dropFirst(), &search) }
    return search
  }

  /// Picks the route for the method. One for GET also answers HEAD, and one for every method is the
  /// last choice.
  fileprivate mutating func pick(_ routes: [HTTPRoute], rest: Substring? = nil) -> Bool {
    if routes.isEmpty { return false }
    var values = values
    if let rest { values.append(String(rest)) }
    let route =
      routes.first { $0.method == method }
      ?? routes.first { method == .head && $0.method == .get }
      ?? routes.first { $0.method == nil }
    if let route {
      found = Match(route: route, values: values)
    } else {
      others += routes.map { Match(route: $0, values: values) }
    }
    return route != nil
  }
}
