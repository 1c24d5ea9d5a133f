/// A proxy for an ``HTTPClient``, which is reached without TLS.
///
///     client.proxies.http = HTTPProxy("http://name:password@proxy.example:3128")
///
/// A request for `http` is sent to the proxy with its whole URL. A request for `https` uses a tunnel,
/// in which the proxy sees nothing but the name of the server.
public struct HTTPProxy: Hashable, Sendable {
  /// The name or address.
  public let host: String
  /// The port. The default is 80.
  public let port: UInt16
  /// The value of `Proxy-Authorization`.
  let authorization: String?

  /// Creates a proxy, with the name and the password for it if it needs them.
  public init(host: String, port: UInt16, user: String? = nil, password: String = "") {
    self.host = host
    self.port = port
    authorization = user.map { "Basic " + Base64.encode("\($0):\(password)".utf8) }
  }

  /// Parses a URL such as `http://name:password@proxy:3128`, or one without a scheme such as
  /// `proxy:3128`. Returns nil for other text and for other schemes.
  public init?(_ text: String) {
    var rest = text[...]
    if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") {
      guard rest[..<colon].lowercased() == "http" else { return nil }
      rest = rest[rest.index(colon, offsetBy: 3)...]
    }
    var credentials: [String?] = []
    if let at = rest.lastIndex(of: "@") {
      let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      credentials = parts.map { $0.percentDecoded }
      if credentials.contains(nil) { return nil }
      rest = rest[rest.index(after: at)...]
    }
    guard let url = HTTPURL("http://\(rest)") else { return nil }
    let words = credentials.compactMap { $0 }
    self.init(
      host: url.host, port: url.port, user: words.first, password: words.count > 1 ? words[1] : "")
  }
}

extension HTTPProxy: CustomStringConvertible {
  /// The URL, without the name and the password.
  public var description: String { HTTPURL(.http, host, port, "/", nil).description }
}
