import RunnelStreams

/// The settings of TLS for connections from clients.
///
///     let tls = try TLSServerContext(
///       certificates: [TLSIdentity(certificate: "/etc/daemon/chain.pem", key: "/etc/daemon/key.pem")])
///     server.connections.observeNext { connection in
///       connection.tls(tls).observe(succeeded: { serve($0) }, failed: { show($0) })
///     }
///
/// A client that names a host gets the first certificate with that name; any other client gets the
/// first certificate. One context can serve all listeners of a program, on any threads.
public final class TLSServerContext: Sendable {
  private struct State {
    var certificates: [TLSIdentity]
    var handle: ContextHandle
  }

  private let clientCertificates: TLSClientCertificates
  private let options: TLSOptions
  private let state: Monitor<State>

  /// Creates a context. Blocks while it reads certificates.
  ///
  /// - Parameters:
  ///   - certificates: The certificates of the server, by the names that they contain.
  ///   - clientCertificates: The treatment of client certificates.
  public init(
    certificates: [TLSIdentity], clientCertificates: TLSClientCertificates = .ignored,
    options: TLSOptions = TLSOptions()
  ) throws(TLSError) {
    self.clientCertificates = clientCertificates
    self.options = options
    let handle = try ContextHandle.server(certificates, clientCertificates, options)
    state = Monitor(State(certificates: certificates, handle: handle))
  }

  var handle: ContextHandle { state.withLock { $0.handle } }

  /// Reads the files again, or reads other certificates, for later handshakes. Open connections go
  /// on. Blocks while it reads. If it fails, the old certificates stay.
  ///
  ///     loop.signals(.hangup).observeNext { _ in try? tls.reload() }
  public func reload(certificates: [TLSIdentity]? = nil) throws(TLSError) {
    let certificates = certificates ?? state.withLock { $0.certificates }
    let handle = try ContextHandle.server(certificates, clientCertificates, options)
    state.withLock { $0 = State(certificates: certificates, handle: handle) }
  }
}
