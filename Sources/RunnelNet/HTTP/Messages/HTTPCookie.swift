/// A cookie that a response sets.
///
///     var response = HTTPResponse(text: "Welcome!")
///     try response.setCookie(HTTPCookie("session", "a7f3", maxAge: .seconds(86_400)))
///
/// The defaults are careful: scripts of a page cannot read the cookie, and requests that other sites
/// cause do not have it, except when a link is followed.
public struct HTTPCookie: Hashable, Sendable {
  /// The requests of other sites that have the cookie.
  public enum SameSite: String, Sendable {
    /// None of them.
    case strict = "Strict"
    /// Only navigation with a safe method, for example with a link.
    case lax = "Lax"
    /// All of them. The cookie must be secure.
    case none = "None"
  }

  /// The name, which is a token.
  public var name: String
  /// The value: ASCII without spaces, quotation marks, commas, semicolons and backslashes.
  public var value: String
  /// The path below which the client sends the cookie; nil is the folder of the request.
  public var path: String?
  /// The domain whose hosts get the cookie; nil is only the host that sets it.
  public var domain: String?
  /// The time until the client removes the cookie, in whole seconds; nil is the end of its session.
  public var maxAge: Duration?
  /// True if the cookie is only sent on encrypted connections.
  public var isSecure: Bool
  /// True if scripts cannot read the cookie.
  public var isHTTPOnly: Bool
  /// The requests of other sites that have the cookie.
  public var sameSite: SameSite

  /// Creates a cookie.
  public init(
    _ name: String, _ value: String, path: String? = "/", domain: String? = nil,
    maxAge: Duration? = nil, isSecure: Bool = false, isHTTPOnly: Bool = true,
    sameSite: SameSite = .lax
  ) {
    self.name = name
    self.value = value
    self.path = path
    self.domain = domain
    self.maxAge = maxAge
    self.isSecure = isSecure
    self.isHTTPOnly = isHTTPOnly
    self.sameSite = sameSite
  }

  /// Returns the value of `Set-Cookie`, or throws if a browser would not accept the cookie.
  func field() throws(HTTPCookieError) -> String {
    guard name.isToken else { throw .invalidName(name) }
    guard value.utf8.allSatisfy({ $0.isCookieCharacter }) else { throw .invalidValue(of: name) }
    var field = "\(name)=\(value)"
    for (attribute, text) in [("Path", path), ("Domain", domain)] {
      guard let text else { continue }
      let isValid = text.utf8.allSatisfy { 33..<127 ~= $0 && $0 != UInt8(ascii: ";") }
      guard isValid, !text.isEmpty, attribute == "Domain" || text.utf8.first == UInt8(ascii: "/")
      else { throw .invalidAttribute(attribute, of: name) }
      field += "; \(attribute)=\(text)"
    }
    if let maxAge { field += "; Max-Age=\(max(0, maxAge.components.seconds))" }
    // Browsers check the prefixes without regard to case.
    let prefix = name.lowercased()
    let isHost = prefix.hasPrefix("__host-")
    let mustBeSecure = sameSite == .none || prefix.hasPrefix("__secure-") || isHost
    guard isSecure || !mustBeSecure else { throw .mustBeSecure(name) }
    guard !isHost || domain == nil else { throw .invalidAttribute("Domain", of: name) }
    guard !isHost || path == "/" else { throw .invalidAttribute("Path", of: name) }
    if isSecure { field += "; Secure" }
    if isHTTPOnly { field += "; HttpOnly" }
    return field + "; SameSite=\(sameSite.rawValue)"
  }
}

/// A reason why a cookie cannot be set.
public enum HTTPCookieError: Error, Hashable, CustomStringConvertible {
  /// The name is no token.
  case invalidName(String)
  /// The value has a character that a cookie cannot have.
  case invalidValue(of: String)
  /// The path or the domain is invalid, or not allowed with the prefix of the name.
  case invalidAttribute(String, of: String)
  /// The cookie is for other sites, or its name begins with `__Secure-` or `__Host-`.
  case mustBeSecure(String)

  /// The cause of the error, and its remedy.
  public var description: String {
    switch self {
    case .invalidName(let name): "\"\(name)\" is no name of a cookie. Use letters and digits."
    case .invalidValue(let name):
      "The cookie \(name) has a character that is not allowed. Encode its value, such as in base64."
    case .invalidAttribute(let attribute, let name):
      "The cookie \(name) cannot have this value of \(attribute)."
    case .mustBeSecure(let name): "Browsers refuse the cookie \(name) unless it is secure."
    }
  }
}

extension HTTPResponse {
  /// Adds a cookie to those that the client stores. A cookie with the same name that was set before
  /// stays, and the client takes the last one.
  ///
  /// Throws an ``HTTPCookieError`` if a browser would not accept the cookie.
  public mutating func setCookie(_ cookie: HTTPCookie) throws(HTTPCookieError) {
    headers.append("Set-Cookie", try cookie.field())
  }

  /// Makes the client remove a cookie. The path and the domain must be those that it was set with.
  public mutating func removeCookie(
    _ name: String, path: String? = "/", domain: String? = nil
  ) throws(HTTPCookieError) {
    // Without `Secure` a browser does not accept a cookie with a prefix.
    let isSecure = name.lowercased().hasPrefix("__")
    try setCookie(
      HTTPCookie(name, "", path: path, domain: domain, maxAge: .zero, isSecure: isSecure))
  }
}

/// The cookies of a request, in their order.
///
///     show(request.cookies["session"] ?? "none")
public struct HTTPCookies: Sendable {
  /// The names and values. A value is as the client sent it, also with quotation marks.
  public let pairs: [(name: String, value: String)]

  /// Parses the values of `Cookie`. Parts without an equals sign or without a name are ignored.
  init(_ fields: [String]) {
    pairs = fields.flatMap { field in
      field.utf8.split(separator: UInt8(ascii: ";")).compactMap { part in
        guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = part[..<equals].withoutSpaces
        let value = part[equals...].dropFirst().withoutSpaces
        return name.isEmpty ? nil : (String(Substring(name)), String(Substring(value)))
      }
    }
  }

  /// The first value of a name, which is that of the longest path in the requests of browsers.
  public subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }
}

extension HTTPRequest {
  /// The cookies that the client has sent.
  public var cookies: HTTPCookies { HTTPCookies(headers.values(of: "Cookie")) }
}

extension Substring.UTF8View {
  /// The bytes between spaces and tabs.
  var withoutSpaces: Substring.UTF8View {
    var rest = self
    rest.dropSpaces()
    guard let last = rest.lastIndex(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") })
    else { return rest }
    return rest[...last]
  }
}

extension UInt8 {
  /// True for the characters of a cookie's value in RFC 6265, section 4.1.1.
  fileprivate var isCookieCharacter: Bool {
    switch self {
    case UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\\"): false
    default: 33..<127 ~= self
    }
  }
}
