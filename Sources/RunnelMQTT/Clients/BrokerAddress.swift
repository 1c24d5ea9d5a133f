import RunnelNet

/// The place of a broker, read from a URL.
struct BrokerAddress {
  enum Route {
    case socket(Endpoint)
    /// The host is the name in the certificate.
    case secure(Endpoint, host: String)
    /// The URL of the WebSocket.
    case webSocket(String)
    case secureWebSocket(String)
  }

  let route: Route
  let user: String?
  let password: String?
  /// The URL without the user, the password and the query, for logs.
  let name: String

  /// Reads `mqtt://host`, `mqtts://host`, `ws://host/path`, `wss://host/path` or `mqtt+unix:/path`. A
  /// host can have a port, and a user and a password before it, in percent-encoding.
  init(_ url: String) throws(MQTTError) {
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      throw Self.error("it has no scheme such as mqtt:")
    }
    let scheme = url[..<colon].lowercased()
    var rest = url[url.utf8.index(after: colon)...]
    let hasHost = rest.utf8.starts(with: "//".utf8)
    if hasHost { rest = Substring(rest.utf8.dropFirst(2)) }
    if scheme == "mqtt+unix" {
      guard rest.utf8.first == UInt8(ascii: "/"),
        let bytes = rest.utf8.percentDecoded, !bytes.contains(0),
        let path = String(validating: bytes, as: UTF8.self)
      else { throw Self.error("its path is not valid") }
      (route, user, password, name) = (.socket(.unix(path)), nil, nil, "mqtt+unix:\(rest)")
      return
    }
    guard hasHost else { throw Self.error("it has no // before the host") }
    if rest.utf8.contains(UInt8(ascii: "#")) { throw Self.error("it has a fragment") }
    let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    var host = rest[..<(end ?? rest.endIndex)]
    let path = end.map { String(rest[$0...]) } ?? ""
    (user, password) = try Self.login(&host)
    // A query may have a token.
    name = "\(scheme)://\(host)\(path.prefix { $0 != "?" })"
    switch scheme {
    case "mqtt", "mqtts":
      guard path.isEmpty || path == "/" else { throw Self.error("it has a path") }
      let port = scheme == "mqtt" ? 1_883 : 8_883
      guard case .tcp(let name, let port)? = Endpoint("\(host)") ?? Endpoint("\(host):\(port)")
      else { throw Self.error("its host or its port is not valid") }
      guard port > 0, name != "*" else { throw Self.error("its host or its port is not valid") }
      let endpoint = Endpoint.tcp(name, port: port)
      route = scheme == "mqtt" ? .socket(endpoint) : .secure(endpoint, host: name)
    case "ws", "wss":
      let target = "\(scheme)://\(host)\(path.isEmpty ? "/mqtt" : path)"
      guard HTTPClient.target(ofWebSocket: target) != nil else {
        throw Self.error("it is not the URL of a WebSocket")
      }
      route = scheme == "ws" ? .webSocket(target) : .secureWebSocket(target)
    default: throw Self.error("its scheme is not mqtt, mqtts, ws, wss or mqtt+unix")
    }
  }

  /// True if the route needs TLS.
  var isSecure: Bool {
    switch route {
    case .secure, .secureWebSocket: true
    case .socket, .webSocket: false
    }
  }

  /// Takes the user and the password from the front of a host.
  private static func login(
    _ host: inout Substring
  ) throws(MQTTError) -> (user: String?, password: String?) {
    guard let at = host.utf8.lastIndex(of: UInt8(ascii: "@")) else { return (nil, nil) }
    let login = host[..<at].utf8.split(
      separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    host = host[host.utf8.index(after: at)...]
    var parts: [String] = []
    for part in login {
      guard let bytes = part.percentDecoded, let text = String(validating: bytes, as: UTF8.self)
      else { throw error("its user or its password is not valid percent-encoding") }
      parts.append(text)
    }
    // A password without a user is possible.
    let user = parts.first.flatMap { $0.isEmpty ? nil : $0 }
    return (user, parts.count > 1 ? parts[1] : nil)
  }

  /// The error does not contain the URL, which may have a password.
  private static func error(_ reason: String) -> MQTTError {
    .invalidOption("The URL of the broker is not valid, because \(reason).")
  }
}
