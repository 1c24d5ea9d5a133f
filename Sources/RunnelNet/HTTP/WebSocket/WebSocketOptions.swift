/// The limits and times of a ``WebSocket``, and what it agrees on with its peer.
public struct WebSocketOptions {
  /// The largest number of bytes of a message, after it is decompressed. The default is 1 MiB. A
  /// larger one ends the socket with the code 1009.
  public var messageSize = 1 << 20
  /// The largest number of fragments of a message, and of control frames between them. The default
  /// is 16,384. More end the socket with the code 1008.
  public var fragmentCount = 1 << 14
  /// The time without bytes from the peer after which a ping is sent. The default is 30 s; nil sends
  /// none.
  public var pingInterval: Duration? = .seconds(30)
  /// The time in which a ping must be answered. The default is 20 s. Then the connection is reset.
  public var pongTimeout = Duration.seconds(20)
  /// The time in which the peer must answer a close frame. The default is 2 s.
  public var closeTimeout = Duration.seconds(2)
  /// The names of the protocols that are spoken over the socket. A server chooses the first of the
  /// client's that is among them; a client offers them in this order. There are none by default.
  public var subprotocols: [String] = []
  /// The origins from which browsers may connect to a server. The default is the server's own host.
  public var origins = WebSocketOrigins.sameHost
  /// The time in which a server must answer the handshake of a client. The default is 10 s.
  public var handshakeTimeout = Duration.seconds(10)

  /// The compression that is offered or accepted.
  package var compression: (any WebSocketExtension)?

  /// Creates the default options.
  public init() {}
}

/// The origins, which are sites such as `https://example.org`, whose pages may open a WebSocket.
///
/// A browser sends cookies with the handshake of any page. Without a check, a foreign page could use
/// the socket in the name of the user. A request without an `Origin` field does not come from a
/// browser, and is accepted.
public struct WebSocketOrigins {
  private enum Rule {
    case sameHost
    case any
    case closure((_ origin: String, _ request: HTTPRequest) -> Bool)
  }

  private let rule: Rule

  /// The host and the port of the origin must be those of the request.
  public static var sameHost: Self { Self(rule: .sameHost) }
  /// Every origin.
  public static var any: Self { Self(rule: .any) }

  /// The origins of a list, such as `["https://example.org"]`.
  public static func list(_ origins: [String]) -> Self {
    let known = Set(origins.map { $0.lowercased() })
    return matching { origin, _ in known.contains(origin.lowercased()) }
  }

  /// The origins for which a closure returns true.
  public static func matching(
    _ isAccepted: @escaping (_ origin: String, _ request: HTTPRequest) -> Bool
  ) -> Self {
    Self(rule: .closure(isAccepted))
  }

  /// True if the socket may be opened.
  func accept(_ request: HTTPRequest) -> Bool {
    let origins = request.headers.values(of: "Origin")
    guard let origin = origins.first else { return true }
    guard origins.count == 1 else { return false }
    switch rule {
    case .any: return true
    case .closure(let isAccepted): return isAccepted(origin, request)
    case .sameHost:
      guard let (port, authority) = Self.parts(of: origin) else { return false }
      let host = request.host.lowercased()
      guard !host.isEmpty else { return false }
      // The usual port of the origin's scheme may be written or not.
      return authority == host || authority + port == host || authority == host + port
    }
  }

  /// The usual port of the scheme of an origin, and its host in small letters.
  private static func parts(of origin: String) -> (port: String, authority: String)? {
    let origin = origin.lowercased()
    for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where origin.hasPrefix(scheme)
    {
      return (port, String(origin.dropFirst(scheme.count)))
    }
    return nil
  }
}
