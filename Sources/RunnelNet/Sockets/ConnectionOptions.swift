import CSockets
import Glibc
import RunnelStreams

/// The options of a connection's socket, and of connecting.
public struct ConnectionOptions: Sendable {
  /// Probes that notice a peer that has vanished from an idle connection.
  public struct KeepAlive: Hashable, Sendable {
    /// The idle time before the first probe, rounded up to seconds.
    public var idle: Duration
    /// The time between two probes, rounded up to seconds.
    public var interval: Duration
    /// The number of unanswered probes that end the connection.
    public var count: Int

    /// Creates options. By default, a vanished peer is noticed after two minutes.
    public init(
      idle: Duration = .seconds(60), interval: Duration = .seconds(10), count: Int = 6
    ) {
      self.idle = idle
      self.interval = interval
      self.count = count
    }
  }

  /// True to send small pieces at once (`TCP_NODELAY`). The default is true: writes of one turn are
  /// sent together anyway.
  public var sendsAtOnce = true
  /// The probes of an idle connection. The default is none.
  public var keepAlive: KeepAlive?
  /// The time after which a connection fails if bytes for the peer are on their way, and it
  /// acknowledges nothing. It is checked in steps of at most a fifth. The default is 30 s; nil is the
  /// limit of the system, about 15 minutes.
  ///
  /// A peer that is alive but reads nothing is not affected, as it would be by `TCP_USER_TIMEOUT`: see
  /// ``TimeLimits/writing``.
  public var acknowledgementTimeout: Duration? = .seconds(30)
  /// The size of the system's buffer for sending, in bytes. The default is the system's.
  public var sendBuffer: Int?
  /// The size of the system's buffer for receiving, in bytes. The default is the system's.
  public var receiveBuffer: Int?
  /// The address that a client connects from. The default is chosen by the system.
  public var localAddress: SocketAddress?
  /// The limit for connecting, with resolving. The default is 30 s.
  public var timeout: Duration? = .seconds(30)
  /// The limit for resolving a name. The default is 10 s.
  public var resolvingTimeout: Duration? = .seconds(10)

  /// Creates the default options.
  public init() {}

  /// Creates options that a closure changes.
  public init(_ change: (inout ConnectionOptions) -> Void) {
    change(&self)
  }

  /// The whole seconds of a duration, rounded up.
  private static func seconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    return max(1, Int(seconds) + (attoseconds > 0 ? 1 : 0))
  }

  func apply(to socket: Int32, of address: SocketAddress) throws(SystemError) {
    func set(_ option: Int32, at level: Int32, to value: Int) throws(SystemError) {
      let value = Int32(clamping: value)
      if runnel_set_option(socket, level, option, value) < 0 { throw SystemError() }
    }
    if let sendBuffer { try set(SO_SNDBUF, at: SOL_SOCKET, to: sendBuffer) }
    if let receiveBuffer { try set(SO_RCVBUF, at: SOL_SOCKET, to: receiveBuffer) }
    guard case .ip = address else { return }
    let tcp = Int32(IPPROTO_TCP)
    if sendsAtOnce { try set(TCP_NODELAY, at: tcp, to: 1) }
    if let keepAlive {
      try set(SO_KEEPALIVE, at: SOL_SOCKET, to: 1)
      try set(TCP_KEEPIDLE, at: tcp, to: Self.seconds(keepAlive.idle))
      try set(TCP_KEEPINTVL, at: tcp, to: Self.seconds(keepAlive.interval))
      try set(TCP_KEEPCNT, at: tcp, to: keepAlive.count)
    }
  }
}
