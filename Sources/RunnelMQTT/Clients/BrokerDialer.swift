import RunnelNet
import RunnelStreams
import RunnelTLS

/// Opens the connections of a client.
struct BrokerDialer {
  private let open: () -> Single<PacketChannel, MQTTError>

  init(
    _ address: BrokerAddress, _ options: MQTTOptions, on network: some Network
  ) throws(MQTTError) {
    if options.tls != nil && !address.isSecure {
      throw .invalidOption(
        "The option tls is set, but \(address.name) has no TLS. Use mqtts: or wss:.")
    }
    let settings = options.connection
    func connect(_ endpoint: Endpoint) -> Single<Connection, MQTTError> {
      Connection.connect(to: endpoint, options: settings, on: network)
        .mapFailure(to: MQTTError.self) { .connection($0) }
    }
    func upgrade(_ client: HTTPClient, _ url: String) -> Single<PacketChannel, MQTTError> {
      var sockets = WebSocketOptions()
      sockets.subprotocols = ["mqtt"]
      // Brokers may put several packets into one message.
      sockets.messageSize = options.packetSize + 1 << 20
      return client.webSocket(url, options: sockets, headers: options.headers)
        .mapFailure(to: MQTTError.self) { .webSocket($0) }
        .map { (socket) throws(MQTTError) in
          guard socket.subprotocol == "mqtt" else {
            socket.close()
            throw .webSocket(.handshake("the server has not chosen the protocol mqtt"))
          }
          return PacketChannel(socket)
        }
    }
    switch address.route {
    case .socket(let endpoint):
      open = { connect(endpoint).map { PacketChannel($0) } }
    case .secure(let endpoint, let host):
      let tls = try Self.context(options)
      open = {
        connect(endpoint).flatMap { connection in
          connection.tls(tls, host: host)
            .mapFailure(to: MQTTError.self) { .connection($0) }
            .map { PacketChannel($0) }
        }
      }
    case .webSocket(let url):
      let client = HTTPClient(on: network)
      open = { upgrade(client, url) }
    case .secureWebSocket(let url):
      let client = HTTPClient(on: network, tls: try Self.context(options))
      open = { upgrade(client, url) }
    }
  }

  private static func context(_ options: MQTTOptions) throws(MQTTError) -> TLSClientContext {
    if let context = options.tls { return context }
    do throws(TLSError) {
      return try TLSClientContext()
    } catch {
      throw .security("\(error)")
    }
  }

  /// Returns an operation that opens a connection. Disposing it closes what was opened.
  func dial() -> Single<PacketChannel, MQTTError> { open() }
}
