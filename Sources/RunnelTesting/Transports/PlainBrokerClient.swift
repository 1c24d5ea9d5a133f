import RunnelBus
import RunnelStreams

/// A client of a ``TestBroker`` as a transport without capabilities.
public final class PlainBrokerClient: BusTransport {
  private let client: TestBrokerClient

  init(_ client: TestBrokerClient) {
    self.client = client
  }

  /// The name of the broker.
  public var name: String { client.name }
  /// The scheduler of the broker.
  public var scheduler: any Scheduler { client.scheduler }
  /// The state of the connection.
  public var state: ReadOnlyProperty<LinkState> { client.state }

  /// Refuses topics with a slash.
  public func check(topic: String) throws(TransportError) { try client.check(topic: topic) }

  /// Refuses patterns with a slash.
  public func check(pattern: String) throws(TransportError) { try client.check(pattern: pattern) }

  /// Connects to the broker.
  public func connect() -> Disposable { client.connect() }

  /// Subscribes to patterns.
  public func subscribe(
    to patterns: [TransportPattern], _ receiver: TransportReceiver
  ) -> Disposable { client.subscribe(to: patterns, receiver) }

  /// Sends a message to the broker.
  public func send(
    _ message: TransportMessage, _ finished: @escaping (Result<Void, TransportError>) -> Void
  ) {
    require(
      message.kind == .event && !message.isAcknowledged,
      "A sticky or acknowledged message was sent on a transport that has none.")
    client.send(message, finished)
  }
}
