import RunnelStreams

/// A route with the middleware of its group.
final class HTTPRoute {
  /// Nil is every method.
  let method: HTTPMethod?
  /// The path as it was given, such as `/topics/:name` or `/files/*path`.
  let path: String
  let parts: [Part]
  /// The names of the parameters.
  let names: [String]
  let group: HTTPGroup
  /// The closure of the route, in the middleware of its group.
  let handler: HTTPHandler
  /// The place in the program where the route was added.
  let place: String

  enum Part {
    /// A segment, percent-decoded.
    case text(String)
    /// One segment.
    case parameter(String)
    /// The rest of the path.
    case rest(String)
  }

  init(
    _ method: HTTPMethod?, _ path: String, in group: HTTPGroup, at place: String,
    _ handler: @escaping HTTPHandler
  ) {
    self.method = method
    self.path = path
    self.group = group
    self.handler = group.middleware.around(handler)
    self.place = place
    let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    let parts: [Part] = segments.map { segment in
      switch segment.first {
      case ":": .parameter(String(segment.dropFirst()))
      case "*": .rest(String(segment.dropFirst()))
      default: .text(segment.percentDecoded ?? String(segment))
      }
    }
    let names: [String] = parts.compactMap {
      switch $0 {
      case .text: nil
      case .parameter(let name), .rest(let name): name
      }
    }
    self.parts = parts
    self.names = names
    let restIsLast = parts.dropLast().allSatisfy { if case .rest = $0 { false } else { true } }
    require(restIsLast, "\"*\" stands at the end of a route: \(path).")
    require(
      Set(names).count == names.count, "Two parameters of a route have the same name: \(path).")
  }
}

extension HTTPRoute: CustomStringConvertible {
  var description: String { "\(method.map { "\($0)" } ?? "every method") \(path)" }
}
