/// A URL of a resource that an ``HTTPClient`` can request: `http` or `https`, a host, a port, a path
/// and a query.
///
///     let url = HTTPURL("https://example.org/search?text=a")
///     show(url?.host ?? "none")  // example.org
///     show(url?.resolving("../help")?.path ?? "none")  // /help
///
/// A fragment is left out, because it is never sent.
public struct HTTPURL: Hashable, Sendable {
  /// The scheme of a URL.
  public enum Scheme: String, Hashable, Sendable {
    /// HTTP on a connection that is not encrypted.
    case http
    /// HTTP on a connection with TLS.
    case https

    /// The port of a URL without one: 80 or 443.
    public var defaultPort: UInt16 {
      switch self {
      case .http: 80
      case .https: 443
      }
    }
  }

  /// The scheme.
  public let scheme: Scheme
  /// The name or address, in small letters. An IPv6 address has no brackets here.
  public let host: String
  /// The port, which is that of the scheme if the text has none.
  public let port: UInt16
  /// The path in percent-encoding. It begins with a slash.
  public let path: String
  /// The query as it is sent, without its question mark; nil if there is none.
  public let query: String?

  init(_ scheme: Scheme, _ host: String, _ port: UInt16, _ path: String, _ query: String?) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
    self.query = query
  }

  /// Parses an absolute URL as RFC 3986 defines it. A query may also have the characters that browsers
  /// send as they are, such as a percent sign alone and `\`, `|` and `{`. It is kept as it is.
  ///
  /// Returns nil for any other text:
  /// - another scheme, or none;
  /// - a user name or password before the host, because it would be sent to the wrong server when
  ///   programs read the URL differently;
  /// - an empty host, one with characters that names do not have, or an incomplete IPv4 address;
  /// - spaces, control characters, characters beyond ASCII, and invalid percent signs before the
  ///   query.
  public init?(_ text: String) {
    guard let parts = URLParts(text), let scheme = Scheme(parts.scheme),
      let authority = parts.authority,
      let (host, port) = Self.hostAndPort(authority)
    else { return nil }
    let path = parts.path.isEmpty ? "/" : String(parts.path)
    self.init(scheme, host, port ?? scheme.defaultPort, path, parts.query.map { String($0) })
  }

  /// The path and the query, as they are sent to a server.
  public var target: String { query.map { "\(path)?\($0)" } ?? path }

  /// The host, and the port if it is not that of the scheme. An IPv6 address has brackets.
  public var authority: String {
    port == scheme.defaultPort ? bracketedHost : "\(bracketedHost):\(port)"
  }

  /// The host and the port, also if it is that of the scheme.
  var hostAndPort: String { "\(bracketedHost):\(port)" }

  private var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

  /// True if both have the same scheme, host and port.
  public func hasSameOrigin(as other: HTTPURL) -> Bool {
    scheme == other.scheme && host == other.host && port == other.port
  }

  /// Returns the URL that a reference means in a document with this URL, as RFC 3986, section 5
  /// defines. Returns nil if it is invalid or has another scheme than `http` and `https`.
  public func resolving(_ reference: String) -> HTTPURL? {
    guard let parts = URLParts(reference) else { return nil }
    if let name = parts.scheme {
      guard Scheme(name) != nil, let url = HTTPURL(reference) else { return nil }
      return HTTPURL(
        url.scheme, url.host, url.port, Self.withoutDotSegments(url.path[...]), url.query)
    }
    let query = parts.query.map { String($0) }
    if let authority = parts.authority {
      guard let (host, port) = Self.hostAndPort(authority) else { return nil }
      return HTTPURL(
        scheme, host, port ?? scheme.defaultPort, Self.withoutDotSegments(parts.path), query)
    }
    if parts.path.isEmpty { return HTTPURL(scheme, host, port, path, query ?? self.query) }
    let merged: Substring
    if parts.path.first == "/" {
      merged = parts.path
    } else {
      let last = path.lastIndex(of: "/") ?? path.startIndex
      merged = "\(path[..<last])/\(parts.path)"[...]
    }
    return HTTPURL(scheme, host, port, Self.withoutDotSegments(merged), query)
  }

  /// Removes the segments "." and ".." of an absolute path (RFC 3986, section 5.2.4).
  private static func withoutDotSegments(_ path: Substring) -> String {
    var kept: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    for (index, segment) in segments.enumerated() {
      let isLast = index == segments.count - 1
      switch segment {
      case ".": if isLast { kept.append("") }
      case "..":
        _ = kept.popLast()
        if isLast { kept.append("") }
      default: kept.append(segment)
      }
    }
    return "/" + kept.joined(separator: "/")
  }

  // MARK: - Host

  private static let longestHost = 253

  private static func hostAndPort(_ authority: Substring) -> (String, UInt16?)? {
    var host = authority
    var port: UInt16?
    if let colon = authority.lastIndex(of: ":"), authority.last != "]" {
      host = authority[..<colon]
      let digits = authority[authority.index(after: colon)...]
      // RFC 3986 allows a colon without a port.
      if !digits.isEmpty {
        guard digits.utf8.count <= 5, digits.utf8.allSatisfy({ $0.isDigit }),
          let number = UInt16(digits), number > 0
        else { return nil }
        port = number
      }
    }
    if host.first == "[" {
      guard host.last == "]" else { return nil }
      let text = String(host.dropFirst().dropLast())
      guard !text.contains("%"), let address = IPAddress(text), address.isIPv6 else { return nil }
      return ("\(address)", port)
    }
    guard !host.isEmpty, host.utf8.count <= longestHost,
      host.utf8.allSatisfy({
        97...122 ~= $0.lowercased || $0.isDigit || "-._".utf8.contains($0)
      })
    else { return nil }
    let name = host.lowercased()
    // The C library would read "127.1" and "0x7f000001" as addresses.
    let last = name.split(separator: ".").last ?? ""
    if last.utf8.allSatisfy({ $0.isDigit }) || last.hasPrefix("0x") {
      guard IPAddress(name) != nil else { return nil }
    }
    return (name, port)
  }
}

extension HTTPURL: LosslessStringConvertible {
  /// The URL as text.
  public var description: String { "\(scheme.rawValue)://\(authority)\(target)" }
}

extension HTTPURL.Scheme {
  fileprivate init?(_ name: Substring?) {
    guard let name else { return nil }
    self.init(rawValue: name.lowercased())
  }
}

/// The parts of a URL or of a relative reference, whose characters are checked.
private struct URLParts {
  var scheme: Substring?
  var authority: Substring?
  var path: Substring
  var query: Substring?

  init?(_ text: String) {
    // All characters are ASCII, so bytes and characters are the same.
    guard text.utf8.allSatisfy({ 33..<127 ~= $0 }) else { return nil }
    var rest = text[...]
    if let hash = rest.firstIndex(of: "#") { rest = rest[..<hash] }
    if let mark = rest.firstIndex(of: "?") {
      let query = rest[rest.index(after: mark)...]
      guard query.utf8.allSatisfy({ $0.isURLQueryCharacter }) else { return nil }
      self.query = query
      rest = rest[..<mark]
    }
    guard Self.hasValidCharacters(rest.utf8) else { return nil }
    if let colon = rest.firstIndex(where: { $0 == ":" || $0 == "/" }), rest[colon] == ":" {
      let name = rest[..<colon]
      guard let first = name.utf8.first, 97...122 ~= first.lowercased,
        name.utf8.allSatisfy({
          97...122 ~= $0.lowercased || $0.isDigit || "+-.".utf8.contains($0)
        })
      else { return nil }
      scheme = name
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      let start = rest.index(rest.startIndex, offsetBy: 2)
      let end = rest[start...].firstIndex(of: "/") ?? rest.endIndex
      authority = rest[start..<end]
      rest = rest[end...]
    }
    path = rest
  }

  /// True if all bytes are characters of RFC 3986, and percent signs stand before two digits.
  private static func hasValidCharacters(_ text: Substring.UTF8View) -> Bool {
    var digitsLeft = 0
    for byte in text {
      if digitsLeft > 0 {
        guard byte.hexadecimalValue != nil else { return false }
        digitsLeft -= 1
      } else if byte == UInt8(ascii: "%") {
        digitsLeft = 2
      } else if !byte.isURLCharacter {
        return false
      }
    }
    return digitsLeft == 0
  }
}

extension UInt8 {
  /// True for the characters that a query has without percent-encoding, by the URL standard of
  /// WHATWG.
  var isURLQueryCharacter: Bool {
    33..<127 ~= self && !"\"#<>".utf8.contains(self)
  }

  /// True for the unreserved and the reserved characters of RFC 3986.
  var isURLCharacter: Bool {
    97...122 ~= lowercased || isDigit || "-._~:/?#[]@!$&'()*+,;=".utf8.contains(self)
  }
}
