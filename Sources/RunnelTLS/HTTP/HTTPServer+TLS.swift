import RunnelNet
import RunnelStreams

extension HTTPServer {
  /// Listens at an endpoint, and serves the encrypted connections of clients.
  ///
  ///     let context = try TLSServerContext(certificates: [identity])
  ///     try server.listen(.tcp(port: 8443), tls: context)
  ///
  /// A connection that does not become secure is closed. To offer a protocol by ALPN, set
  /// ``TLSOptions/applicationProtocols`` to `["http/1.1"]`.
  ///
  /// *Disposal*: as for a server without encryption.
  @discardableResult
  public func listen(
    _ endpoint: Endpoint, tls context: TLSServerContext,
    options: ListenerOptions = ListenerOptions()
  ) throws(SocketError) -> Listener {
    try listen(endpoint, options) { [self] connection in
      serve(connection, afterSecuring: connection.tls(context))
    }
  }
}
