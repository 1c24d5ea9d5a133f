extension HTTPRoutes {
  /// Answers requests without valid credentials of basic authentication with 401.
  ///
  ///     server.requireBasic(realm: "notes") {
  ///       constantTimeEquals($0.password, secret) && $0.user == "admin"
  ///     }
  ///
  /// Browsers ask for the user and the password. They are sent with each request, readable for
  /// everyone on the way, so use an encrypted connection.
  ///
  /// - Parameters:
  ///   - realm: The name of the protected area, which a browser shows.
  ///   - check: Returns true if the credentials are valid.
  public func requireBasic(realm: String, _ check: @escaping (BasicCredentials) -> Bool) {
    demand(basicChallenge(realm, check), under: nil)
  }

  /// Answers requests without a valid token of bearer authentication with 401.
  ///
  ///     server.requireBearer(realm: "notes") { constantTimeEquals($0, secret) }
  public func requireBearer(realm: String, _ check: @escaping (_ token: String) -> Bool) {
    demand(bearerChallenge(realm, check), under: nil)
  }

  /// Answers requests for which a closure returns a challenge.
  fileprivate func demand(
    _ challenge: @escaping (HTTPRequest) -> String?, under path: ProtectedPath?
  ) {
    use { request, next in
      guard path?.covers(request.path) ?? true, let challenge = challenge(request) else {
        return next(request)
      }
      return HTTPError(.unauthorized, headers: ["WWW-Authenticate": challenge]).reply(to: request)
    }
  }
}

extension HTTPServer {
  /// Answers requests for a path, and for all paths below it, with 401 if they have no valid
  /// credentials of basic authentication.
  ///
  ///     server.requireBasic(realm: "notes", under: "/admin") {
  ///       constantTimeEquals($0.password, secret) && $0.user == "admin"
  ///     }
  ///
  /// The path is compared with the decoded path of a request, whatever its route. A request whose path
  /// has `..` needs credentials as well.
  public func requireBasic(
    realm: String, under path: String, _ check: @escaping (BasicCredentials) -> Bool
  ) {
    demand(basicChallenge(realm, check), under: ProtectedPath(path))
  }

  /// Answers requests for a path, and for all paths below it, with 401 if they have no valid token of
  /// bearer authentication. See ``requireBasic(realm:under:_:)``.
  public func requireBearer(
    realm: String, under path: String, _ check: @escaping (_ token: String) -> Bool
  ) {
    demand(bearerChallenge(realm, check), under: ProtectedPath(path))
  }
}

/// Returns a closure that returns a challenge for requests without valid credentials.
private func basicChallenge(
  _ realm: String, _ check: @escaping (BasicCredentials) -> Bool
) -> (HTTPRequest) -> String? {
  let challenge = "Basic realm=\(realm.quoted), charset=\"UTF-8\""
  return { request in
    guard let credentials = request.basicCredentials, check(credentials) else { return challenge }
    return nil
  }
}

private func bearerChallenge(
  _ realm: String, _ check: @escaping (_ token: String) -> Bool
) -> (HTTPRequest) -> String? {
  let challenge = "Bearer realm=\(realm.quoted)"
  return { request in
    if let token = request.bearerToken, check(token) { return nil }
    return request.hasAuthorization ? challenge + ", error=\"invalid_token\"" : challenge
  }
}

/// A path whose requests, and those below it, need credentials.
struct ProtectedPath {
  private let segments: [[UInt8]]

  init(_ path: String) {
    guard let decoded = path.utf8.percentDecoded else {
      fatalError("The path \"\(path)\" has an invalid percent sign. Encode it as %25.")
    }
    segments = Self.segments(of: decoded)
  }

  /// Returns true if a request for a path needs credentials: also if the path can be understood as
  /// one below this one, by a route that decodes it.
  func covers(_ path: Substring) -> Bool {
    guard let decoded = path.utf8.percentDecoded else { return true }
    let other = Self.segments(of: decoded)
    if other.contains(Array("..".utf8)) { return true }
    return other.starts(with: segments)
  }

  private static func segments(of path: [UInt8]) -> [[UInt8]] {
    path.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
      .map { Array($0) }.filter { $0 != [UInt8(ascii: ".")] }
  }
}
