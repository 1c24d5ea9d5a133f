import RunnelNet
import RunnelStreams

extension HTTPClient {
  /// Creates a client for `http` and `https`, which accepts the certificates of some authorities.
  /// Blocks while it reads them.
  ///
  ///     let client = try HTTPClient(on: loop, roots: .system)
  ///     client.get("https://example.org/").text().observe(
  ///       succeeded: { show($0) }, failed: { show($0) })
  public convenience init(on network: some Network, roots: TLSRoots) throws(TLSError) {
    let options = TLSOptions { $0.applicationProtocols = [HTTPVersion.name] }
    self.init(on: network, tls: try TLSClientContext(roots: roots, options: options))
  }

  /// Creates a client for `http` and `https` with settings of TLS, for example a certificate of the
  /// client.
  ///
  /// The application protocols of the settings may be empty, or contain `http/1.1`. A server that
  /// chooses another protocol fails the request.
  public convenience init(on network: some Network, tls context: TLSClientContext) {
    self.init(
      on: network,
      secure: { connection, host in
        connection.tls(context, host: host).flatMap { secured in
          guard let chosen = secured.tlsSession?.applicationProtocol, chosen != HTTPVersion.name
          else { return .just(secured) }
          secured.close()
          return .failed(SocketError(.secure, host, .security(HTTPVersion.refusal(of: chosen))))
        }
      })
  }
}

/// The application protocol of ``HTTPClient``.
private enum HTTPVersion {
  static let name = "http/1.1"

  static func refusal(of chosen: String) -> String {
    """
    the server has chosen the application protocol "\(chosen)", which HTTPClient does not speak. \
    Set applicationProtocols of the TLSOptions to ["\(name)"].
    """
  }
}
