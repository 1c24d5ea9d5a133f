import CSockets
import Glibc
import RunnelStreams

/// The options of a ``DatagramSocket``.
public struct DatagramOptions: Sendable {
  /// The options of sending to multicast groups.
  public struct Multicast: Hashable, Sendable {
    /// The number of routers that a datagram may pass, plus one. The default of 1 keeps it in the
    /// local network.
    public var timeToLive = 1
    /// True if sockets of this machine also receive what is sent. The default is true.
    public var loops = true
    /// The name of the network interface that datagrams are sent through, such as `eth0`. The
    /// default is chosen by the system.
    public var interface: String?

    /// Creates the default options.
    public init() {}
  }

  /// The size of the longest datagram, in bytes. The end of a longer one is lost, and it is reported
  /// as truncated. The default of 65,535 is enough for every datagram of UDP.
  public var maximumSize = 65_535
  /// The number of bytes that may wait to be sent while the system's buffer is full. Each datagram
  /// counts 64 bytes more than it has. The default is 256 KiB.
  public var waitingLimit = 1 << 18
  /// True if datagrams may be sent to broadcast addresses.
  public var allowsBroadcast = false
  /// True if several sockets may be bound to the same address (`SO_REUSEADDR`). Each of them then
  /// receives the datagrams of a multicast group.
  public var sharesAddress = false
  /// True if other sockets may use the same port, each on a loop of its own (`SO_REUSEPORT`). The
  /// system then distributes the senders among them.
  public var sharesPort = false
  /// The options of sending to multicast groups.
  public var multicast = Multicast()
  /// The size of the system's buffer for sending, in bytes. The default is the system's.
  public var sendBuffer: Int?
  /// The size of the system's buffer for receiving, in bytes. The default is the system's. Datagrams
  /// that arrive while it is full are lost.
  public var receiveBuffer: Int?
  /// The permissions of the file of a Unix socket, such as `0o660`. The default follows the
  /// process's umask.
  public var permissions: UInt32?

  /// Creates the default options.
  public init() {}

  /// Creates options that a closure changes.
  public init(_ change: (inout DatagramOptions) -> Void) {
    change(&self)
  }

  /// The largest value of ``maximumSize``.
  static let mostBytes = 1 << 20

  func check() {
    require(
      (1...Self.mostBytes).contains(maximumSize),
      "DatagramOptions.maximumSize must be 1 to 1,048,576 bytes.")
    require(waitingLimit >= 0, "DatagramOptions.waitingLimit cannot be negative.")
    require(
      (0...255).contains(multicast.timeToLive),
      "DatagramOptions.multicast.timeToLive must be 0 to 255.")
  }

  /// Sets the options that a socket needs before it is bound.
  func prepare(_ socket: borrowing OwnedSocket, for host: IPAddress) throws(SystemError) {
    if sharesAddress { try socket.set(SO_REUSEADDR) }
    if sharesPort { try socket.set(SO_REUSEPORT) }
    if host.isIPv6 { try socket.set(IPV6_V6ONLY, at: Int32(IPPROTO_IPV6), to: 0) }
  }

  /// Sets the other options of a socket.
  func apply(to socket: Int32, _ family: SocketFamily) throws(SystemError) {
    func set(_ option: Int32, to value: Int) throws(SystemError) {
      if runnel_set_option(socket, SOL_SOCKET, option, Int32(clamping: value)) < 0 {
        throw SystemError()
      }
    }
    if let sendBuffer { try set(SO_SNDBUF, to: sendBuffer) }
    if let receiveBuffer { try set(SO_RCVBUF, to: receiveBuffer) }
    guard family != .unix else { return }
    if allowsBroadcast { try set(SO_BROADCAST, to: 1) }
    var index: UInt32 = 0
    if let interface = multicast.interface {
      index = runnel_interface_index(interface)
      if index == 0 { throw SystemError(ENODEV) }
    }
    let status = runnel_set_group_options(
      socket, family == .ipv6 ? 1 : 0, Int32(multicast.timeToLive), multicast.loops ? 1 : 0, index)
    if status < 0 { throw SystemError() }
  }
}
