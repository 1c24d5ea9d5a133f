import COpenSSL

/// A version of TLS.
public enum TLSVersion: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// TLS 1.2, of 2008.
  case tls12 = "TLS 1.2"
  /// TLS 1.3, of 2018.
  case tls13 = "TLS 1.3"

  /// The name of the version.
  public var description: String { rawValue }

  var number: Int32 {
    switch self {
    case .tls12: TLS1_2_VERSION
    case .tls13: TLS1_3_VERSION
    }
  }
}

/// The authorities whose signature is accepted.
public struct TLSRoots: Hashable, Sendable {
  /// True if the roots of the system are accepted.
  public var includesSystem: Bool
  /// The files with further roots. Each may contain several certificates.
  public var sources: [TLSSource]

  /// The roots of the system. The environment variables SSL_CERT_FILE and SSL_CERT_DIR name others.
  public static let system = TLSRoots(includesSystem: true, sources: [])

  /// Only the given roots. A self-signed certificate is its own root.
  public static func only(_ sources: TLSSource...) -> TLSRoots {
    TLSRoots(includesSystem: false, sources: sources)
  }

  /// The roots of the system and the given ones.
  public static func system(and sources: TLSSource...) -> TLSRoots {
    TLSRoots(includesSystem: true, sources: sources)
  }
}

/// The checks of a server's certificate by a client.
public enum TLSVerification: Hashable, Sendable {
  /// The certificate must be signed by a known root and valid now, for the name of the host.
  case full
  /// As ``full``, with any name. The roots must be private ones that sign no other servers.
  case withoutHostName
  /// Nothing is checked. Anyone on the way to the server can read and change everything.
  case insecure
}

/// The treatment of client certificates by a server.
public enum TLSClientCertificates: Hashable, Sendable {
  /// The server asks for none.
  case ignored
  /// A client may have none. A certificate that it sends must be signed by one of the roots.
  case requested(TLSRoots)
  /// A client must have a certificate that is signed by one of the roots.
  case required(TLSRoots)

  var roots: TLSRoots? {
    switch self {
    case .ignored: nil
    case .requested(let roots), .required(let roots): roots
    }
  }

  var verifyMode: Int32 {
    switch self {
    case .ignored: SSL_VERIFY_NONE
    case .requested: SSL_VERIFY_PEER
    case .required: SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT
    }
  }
}

/// The settings that clients and servers have in common.
public struct TLSOptions: Sendable {
  /// The oldest version that is accepted. The default is TLS 1.2.
  public var minimumVersion = TLSVersion.tls12
  /// The newest version that is accepted. The default is TLS 1.3.
  public var maximumVersion = TLSVersion.tls13
  /// The application protocols (ALPN), in order of preference, such as `["h2", "http/1.1"]`. A
  /// server that has a list refuses clients that offer only other protocols.
  public var applicationProtocols: [String] = []
  /// True if a client that returns need not repeat the whole handshake. The default is true.
  public var resumesSessions = true
  /// The lists of revoked certificates, in PEM form. If there are some, there must be a list of each
  /// authority in the peer's chain, and none may be out of date. They are read again when a context reloads.
  public var revocationLists: [TLSSource] = []
  /// True if a client accepts a server only with a valid answer of its authority, which the server sends
  /// in the handshake, that its certificate is not revoked (OCSP stapling). Such a client resumes no
  /// sessions. The default is false.
  public var requiresStapledResponse = false
  /// The limit for the handshake. The default is 10 s.
  public var handshakeTimeout: Duration? = .seconds(10)

  /// Creates the default options.
  public init() {}

  /// Creates options that a closure changes.
  public init(_ change: (inout TLSOptions) -> Void) {
    change(&self)
  }
}
