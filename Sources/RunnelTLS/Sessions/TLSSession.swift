import RunnelNet

/// The result of the handshake of a connection.
public struct TLSSession: Hashable, Sendable {
  /// The version of the protocol.
  public let version: TLSVersion
  /// The cipher suite, such as `TLS_AES_256_GCM_SHA384`.
  public let cipher: String
  /// The application protocol (ALPN); nil if none was agreed on.
  public let applicationProtocol: String?
  /// The certificate of the peer. A client without a certificate has none.
  public let peerCertificate: TLSCertificate?
  /// True if an earlier session was resumed, without a new check of certificates.
  public let isResumed: Bool
  /// The host name that the client has asked for; nil for an IP address.
  public let hostName: String?
}

extension Connection {
  /// The TLS session of the connection; nil if it is not encrypted.
  public var tlsSession: TLSSession? { (core.transport as? any SecureTransport)?.session }
}

/// A transport with a TLS session.
protocol SecureTransport {
  var session: TLSSession? { get }
}
