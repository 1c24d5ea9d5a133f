/// The options of a ``Listener``.
public struct ListenerOptions: Sendable {
  /// The number of connections that the system keeps until they are accepted. The default is 4,096;
  /// the system may lower it (`net.core.somaxconn`).
  public var backlog = 4_096
  /// True if other listeners may use the same port, each on a loop of its own. The system then
  /// distributes the connections among them.
  public var sharesPort = false
  /// The maximum number of open connections. Others wait in the backlog. The default is no limit.
  public var maximumConnections = Int.max
  /// The permissions of the file of a Unix socket, such as `0o660`. The default follows the
  /// process's umask.
  public var permissions: UInt32?
  /// The options of accepted connections.
  public var connection = ConnectionOptions()

  /// Creates the default options.
  public init() {}

  /// Creates options that a closure changes.
  public init(_ change: (inout ListenerOptions) -> Void) {
    change(&self)
  }
}
