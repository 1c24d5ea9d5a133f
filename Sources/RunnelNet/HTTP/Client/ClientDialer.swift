import RunnelStreams

/// Opens the connections of a client: connects, opens a tunnel through a proxy, and begins TLS.
final class ClientDialer {
  private let connect: (Endpoint, ConnectionOptions) -> Single<Connection, SocketError>
  private let secure: SecureConnection?
  private let settings: ClientSettings

  init(
    on network: some Network, secure: SecureConnection?, _ settings: ClientSettings
  ) {
    connect = { Connection.connect(to: $0, options: $1, on: network) }
    self.secure = secure
    self.settings = settings
  }

  /// Returns an operation that opens a connection. Disposing it closes what was opened.
  func dial(_ route: ClientRoute) -> Single<Connection, HTTPClientError> {
    if route.scheme == .https && secure == nil { return .failed(.tlsMissing) }
    var opened = connect(route.endpoint, settings.connectionOptions).mapFailure(
      to: HTTPClientError.self
    ) { .connection($0) }
    guard route.scheme == .https, let secure else { return opened }
    if let proxy = route.proxy {
      let authority = HTTPURL(.https, route.host, route.port, "/", nil).hostAndPort
      opened = opened.flatMap { [settings] connection in
        ProxyTunnel.open(on: connection, to: authority, proxy, settings)
      }
    }
    return opened.flatMap { connection in
      secure(connection, route.host).mapFailure(to: HTTPClientError.self) { .connection($0) }
    }
  }
}

/// Begins TLS on a connection to a host.
package typealias SecureConnection = (Connection, String) -> Single<Connection, SocketError>
