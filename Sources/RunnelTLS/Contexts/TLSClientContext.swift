import RunnelStreams

/// The settings of TLS for connections to servers.
///
///     let tls = try TLSClientContext()
///     Connection.connect(to: .tcp("example.org", port: 443), on: loop).stream
///       .flatMap { $0.tls(tls, host: "example.org").stream }
///       .observe(next: { _ = $0.write("GET / HTTP/1.0\r\n\r\n") }, failed: { show($0) })
///
/// By default, the certificate of a server must be valid for its name and signed by a root of the
/// system. One context can serve all connections of a program, on any threads. A server that is
/// used again resumes its session.
public final class TLSClientContext: Sendable {
  private let certificate: TLSIdentity?
  private let roots: TLSRoots
  private let options: TLSOptions
  let verification: TLSVerification
  private let current: Monitor<ContextHandle>

  /// Creates a context. Blocks while it reads certificates.
  ///
  /// - Parameters:
  ///   - roots: The authorities whose servers are accepted.
  ///   - verification: The checks of a server's certificate.
  ///   - certificate: The certificate for servers that ask for one.
  public init(
    roots: TLSRoots = .system, verification: TLSVerification = .full,
    certificate: TLSIdentity? = nil, options: TLSOptions = TLSOptions()
  ) throws(TLSError) {
    self.certificate = certificate
    self.roots = roots
    self.options = options
    self.verification = verification
    current = Monitor(try ContextHandle.client(certificate, verification, roots, options))
  }

  var handle: ContextHandle { current.withLock { $0 } }

  /// Reads the files of roots and certificates again, for later handshakes. Open connections go on,
  /// and no session from before is resumed. Blocks while it reads. If it fails, nothing changes.
  public func reload() throws(TLSError) {
    let handle = try ContextHandle.client(certificate, verification, roots, options)
    current.withLock { $0 = handle }
  }
}
