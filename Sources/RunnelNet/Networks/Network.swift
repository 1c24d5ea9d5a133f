import RunnelLoop
import RunnelStreams

/// A place for listeners and connections: an `EventLoop` with the sockets of the system, or the
/// in-memory `TestNetwork` of `RunnelNetTesting`. Code that takes `some Network` works on both.
public protocol Network: Scheduler {
  /// The functions of the network, for this module only.
  var functions: NetworkFunctions { get }
}

/// The functions of a ``Network``. Only Runnel's own networks implement them.
public struct NetworkFunctions {
  package let system: any NetworkSystem

  package init(_ system: any NetworkSystem) {
    self.system = system
  }
}

/// The operations of a network below connections and listeners.
package protocol NetworkSystem {
  func listen(
    at endpoint: Endpoint, _ options: ListenerOptions
  ) throws(SocketError) -> any ListeningTransport

  /// Calls `finish` once, later, unless it is disposed before.
  func connect(
    to address: SocketAddress, _ options: ConnectionOptions,
    _ finish: @escaping (Result<any Transport, SocketError.Cause>) -> Void
  ) -> Disposable

  /// Returns the addresses of a name, in one or more parts.
  func resolve(
    _ name: String, port: UInt16
  ) -> EventStream<[SocketAddress], SocketError.Cause>

  /// Takes a connected socket.
  func adopt(_ descriptor: Int32) throws(SocketError) -> any Transport

  func connection(_ transport: any Transport) -> Connection

  var scheduler: any Scheduler { get }

  /// The state that the readers and writers of the network share.
  var inputOutput: InputOutput { get }
}
