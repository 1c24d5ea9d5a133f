import RunnelStreams

/// The pages of other sites whose scripts may use a server: cross-origin resource sharing.
///
///     server.allowCrossOrigin(CrossOriginPolicy(origins: .list(["https://example.org"])))
public struct CrossOriginPolicy: Sendable {
  /// A set of origins.
  public enum Origins: Hashable, Sendable {
    /// All of them. Their scripts cannot send credentials.
    case any
    /// Origins as browsers send them, such as `https://example.org` or `http://localhost:3000`.
    case list(Set<String>)
  }

  /// The origins of the pages.
  public var origins: Origins
  /// The methods that scripts may use. The default is all usual ones.
  public var methods: [HTTPMethod] = [.get, .head, .post, .put, .patch, .delete]
  /// The header fields that scripts may send besides simple ones. The default is `Authorization` and
  /// `Content-Type`.
  public var headers = ["Authorization", "Content-Type"]
  /// The header fields of responses that scripts may read besides simple ones.
  public var exposedHeaders: [String] = []
  /// True if requests may have cookies and other credentials. The default is false.
  public var allowsCredentials = false
  /// The time for which a browser remembers the answer to a preflight request. The default is 10
  /// minutes.
  public var maxAge = Duration.seconds(600)

  /// Creates a policy for some origins.
  public init(origins: Origins) {
    self.origins = origins
  }

  /// Returns the origin that a response names; nil if the origin of the request is not allowed.
  fileprivate func allowed(_ origin: String) -> String? {
    switch origins {
    case .any: "*"
    case .list(let origins): origins.contains(origin) ? origin : nil
    }
  }

  fileprivate func preflight(_ allowed: String?) -> HTTPResponse {
    var response = HTTPResponse(.noContent)
    response.headers["Vary"] =
      "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"
    guard let allowed else { return response }
    response.headers["Access-Control-Allow-Origin"] = allowed
    if allowsCredentials { response.headers["Access-Control-Allow-Credentials"] = "true" }
    response.headers["Access-Control-Allow-Methods"] =
      methods.map(\.rawValue).joined(separator: ", ")
    if !headers.isEmpty {
      response.headers["Access-Control-Allow-Headers"] = headers.joined(separator: ", ")
    }
    response.headers["Access-Control-Max-Age"] = "\(maxAge.components.seconds)"
    return response
  }
}

extension HTTPRoutes {
  /// Lets scripts of other sites use the server or the group. Add it before middleware that requires credentials,
  /// because the preflight requests of browsers have none.
  ///
  /// A preflight request is answered without calling the handlers. A response to an origin that is
  /// not allowed has none of the header fields, so its browser hides it from the script; the handler
  /// still runs. A policy for all origins with credentials traps, because any page could then act
  /// for the user.
  public func allowCrossOrigin(_ policy: CrossOriginPolicy) {
    RunnelStreams.require(
      policy.origins != .any || !policy.allowsCredentials,
      "Credentials of all origins cannot be allowed. List the origins.")
    // Safety: the server calls its middleware, which must not retain it.
    use { [weak server = routes.server] request, next in
      guard let server else { return next(request) }
      let origins = request.headers.values(of: "Origin")
      let origin = origins.count == 1 ? origins[0] : nil
      let allowed = origin.flatMap { policy.allowed($0) }
      if request.method == .options && origin != nil
        && request.headers.contains("Access-Control-Request-Method")
      {
        return HTTPReply(policy.preflight(allowed))
      }
      return server.finished(next(request), of: request).map { response in
        var response = response
        if policy.origins != .any { response.headers.addElement("Origin", to: "Vary") }
        guard let allowed else { return response }
        response.headers["Access-Control-Allow-Origin"] = allowed
        if policy.allowsCredentials {
          response.headers["Access-Control-Allow-Credentials"] = "true"
        }
        if !policy.exposedHeaders.isEmpty {
          response.headers["Access-Control-Expose-Headers"] =
            policy.exposedHeaders.joined(separator: ", ")
        }
        return response
      }
    }
  }
}

extension HTTPServer {
  /// Returns a reply whose failure is already a response, so that middleware can change it.
  func finished(_ reply: HTTPReply, of request: HTTPRequest) -> HTTPReply {
    guard case .later(let stream) = reply.content else { return reply }
    return .later(errors.recovered(stream, request))
  }
}

extension HTTPHeaders {
  /// Adds an element to a list, unless the list has it or contains everything.
  mutating func addElement(_ element: String, to name: String) {
    let known = elements(of: name)
    let isKnown = known.contains { $0 == "*" || $0.lowercased() == element.lowercased() }
    if !isKnown { append(name, element) }
  }
}
