import RunnelStreams

/// A route with the middleware of its group.
struct HTTPRoute {
  /// Nil is every method.
  let method: HTTPMethod?
  /// The path as it was given, such as `/topics/:name` or `/files/*path`.
  let path: String
  let parts: [Part]
  let middleware: [HTTPMiddleware]
  /// The closure of the route, in the middleware of its group.
  let handler: HTTPHandler
  /// The place in the program where the route was added.
  let place: String

  enum Part {
    case text(Substring)
    /// One segment.
    case parameter(String)
    /// The rest of the path.
    case rest(String)
  }

  init(
    _ method: HTTPMethod?, _ path: String, _ middleware: [HTTPMiddleware], at place: String,
    _ handler: @escaping HTTPHandler
  ) {
    require(
      path.utf8.first == UInt8(ascii: "/"), "The path of a route begins with \"/\": \"/\(path)\".")
    self.method = method
    self.path = path
    self.middleware = middleware
    self.handler = middleware.around(handler)
    self.place = place
    let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    parts = segments.map { segment in
      switch segment.first {
      case ":": .parameter(String(segment.dropFirst()))
      case "*": .rest(String(segment.dropFirst()))
      default: .text(segment)
      }
    }
    let restIsLast = parts.dropLast().allSatisfy { if case .rest = $0 { false } else { true } }
    require(restIsLast, "\"*\" stands at the end of a route: \(path).")
    require(
      Set(names).count == names.count, "Two parameters of a route have the same name: \(path).")
  }

  /// The names of the parameters.
  var names: [String] {
    parts.compactMap {
      switch $0 {
      case .text: nil
      case .parameter(let name), .rest(let name): name
      }
    }
  }
}

/// The routes whose paths have the same beginning, up to the names of parameters.
final class RouteNode {
  private var texts: [Substring: RouteNode] = [:]
  private var parameter: RouteNode?
  /// The routes whose paths end here.
  private var ending: [HTTPRoute] = []
  /// The routes that take the rest of a path.
  private var taking: [HTTPRoute] = []

  /// Adds a route. Traps if there is one for the same requests.
  func add(_ route: HTTPRoute) {
    var node = self
    for part in route.parts {
      switch part {
      case .text(let text):
        let next = node.texts[text] ?? RouteNode()
        node.texts[text] = next
        node = next
      case .parameter:
        let next = node.parameter ?? RouteNode()
        node.parameter = next
        node = next
      case .rest: return Self.add(route, to: &node.taking)
      }
    }
    Self.add(route, to: &node.ending)
  }

  private static func add(_ route: HTTPRoute, to routes: inout [HTTPRoute]) {
    if let other = routes.first(where: { $0.method == route.method }) {
      fatalError(
        """
        Two routes answer the same requests: \(other.description), added at \(other.place), and \
        \(route.description), added at \(route.place). Remove one of them.
        """)
    }
    routes.append(route)
  }

  /// Finds the most specific route for the rest of a path, which is nil at the end of the path.
  fileprivate func find(_ rest: Substring?, _ search: inout RouteSearch) -> HTTPRoute? {
    guard let rest else { return search.pick(ending) ?? search.pick(taking, rest: "") }
    let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/"))
    let segment = rest[..<(slash ?? rest.endIndex)]
    let next = slash.map { rest[rest.utf8.index(after: $0)...] }
    if let route = texts[segment]?.find(next, &search) { return route }
    if let parameter, let value = segment.percentDecoded, !value.isEmpty {
      search.values.append(value)
      if let route = parameter.find(next, &search) { return route }
      search.values.removeLast()
    }
    return search.pick(taking, rest: rest)
  }
}

/// The search for the route of a request.
struct RouteSearch {
  let method: HTTPMethod
  /// The values of the parameters on the way. They are percent-decoded, so a slash in one is not a
  /// separator. The rest of a path is not decoded.
  fileprivate(set) var values: [String] = []
  /// The routes of the path for other methods.
  private(set) var others: [HTTPRoute] = []

  init(method: HTTPMethod) {
    self.method = method
  }

  mutating func route(of path: Substring, in root: RouteNode) -> HTTPRoute? {
    root.find(path.dropFirst(), &self)
  }

  /// Picks the route for the method. One for GET also answers HEAD, and one for every method is the last choice.
  fileprivate mutating func pick(_ routes: [HTTPRoute]) -> HTTPRoute? {
    if routes.isEmpty { return nil }
    let route =
      routes.first { $0.method == method }
      ?? routes.first { method == .head && $0.method == .get }
      ?? routes.first { $0.method == nil }
    if route == nil { others += routes }
    return route
  }

  fileprivate mutating func pick(_ routes: [HTTPRoute], rest: some StringProtocol) -> HTTPRoute? {
    let route = pick(routes)
    if route != nil { values.append(String(rest)) }
    return route
  }
}

extension HTTPRoute: CustomStringConvertible {
  var description: String { "\(method.map { "\($0)" } ?? "every method") \(path)" }
}
