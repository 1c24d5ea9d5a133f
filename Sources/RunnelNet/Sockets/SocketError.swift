import Glibc
import RunnelLoop

/// An error of a socket: the operation, the address and the cause.
public struct SocketError: Error, Hashable, CustomStringConvertible {
  /// The operation that failed.
  public enum Operation: Hashable, Sendable {
    /// Finding the addresses of a name.
    case resolve
    /// Connecting to an address.
    case connect
    /// Opening a listener or a datagram socket.
    case listen
    /// Accepting a connection.
    case accept
    /// Reading from a connection, or receiving datagrams.
    case read
    /// Writing to a connection, or sending a datagram.
    case write
    /// Changing an option of a socket.
    case change
    /// Joining a multicast group.
    case join
    /// Leaving a multicast group.
    case leave
    /// Beginning TLS.
    case secure
  }

  /// The cause of the failure.
  public enum Cause: Hashable, Sendable {
    /// Nobody listens at the address.
    case refused
    /// The peer has reset the connection, or has vanished.
    case reset
    /// There is no route to the address.
    case unreachable
    /// The name has no address.
    case unknownName
    /// The name could not be resolved for some other reason.
    case resolution(String)
    /// A time limit was reached.
    case timedOut(TimeLimit)
    /// Another program listens at the address.
    case addressInUse
    /// The address is not one of this machine.
    case notLocal
    /// The user may not do this, such as listening at a port below 1024.
    case notPermitted
    /// The name of a Unix socket is empty or longer than 107 bytes.
    case invalidPath
    /// The path of a Unix socket does not exist.
    case noSocket
    /// The folder in which a Unix socket should listen does not exist.
    case noFolder
    /// The path or the descriptor belongs to no socket.
    case notASocket
    /// A listener cannot use this kind of endpoint.
    case unsuitable
    /// The process or the system has reached its limit of open descriptors.
    case tooManyDescriptors
    /// A line or message is longer than its limit.
    case tooLong(limit: Int)
    /// A datagram has more bytes than the protocol or the network can carry.
    case datagramTooLong(count: Int)
    /// A datagram was sent to a broadcast address, and the socket may not do so.
    case broadcastNotAllowed
    /// A multicast group cannot be joined or left.
    case membership(Membership)
    /// The prefix of a message is not valid.
    case malformed
    /// The stream ended inside a message.
    case truncated
    /// More bytes wait to be written than the writer allows.
    case overflow(limit: Int)
    /// An error of TLS.
    case security(String)
    /// Any other error of the system, as a value of `errno`.
    case system(Int32)
  }

  /// A reason for which a multicast group cannot be joined or left.
  public enum Membership: Hashable, Sendable {
    /// The address is not one of a group.
    case notMulticast
    /// There is no such network interface, or none leads to the group.
    case noInterface
    /// The socket has joined the group on this interface before.
    case alreadyJoined
    /// The socket has not joined the group on this interface.
    case notJoined
  }

  /// A time limit of a connection.
  public enum TimeLimit: String, Hashable, Sendable {
    /// ``ConnectionOptions/resolvingTimeout``.
    case resolving
    /// ``ConnectionOptions/timeout``.
    case connecting
    /// The limit of a TLS handshake.
    case handshake
    /// ``TimeLimits/idle``.
    case idle
    /// ``TimeLimits/reading``.
    case reading
    /// ``TimeLimits/writing``.
    case writing
    /// ``TimeLimits/total``.
    case total
    /// The peer has not answered probes or acknowledged bytes: see ``ConnectionOptions``.
    case acknowledgement
  }

  /// The operation that failed.
  public let operation: Operation
  /// The address or name that the operation was for, if it is known.
  public let address: String
  /// The reason for the failure.
  public let cause: Cause

  /// Creates an error, for a protocol or a test of your own.
  public init(_ operation: Operation, _ address: String, _ cause: Cause) {
    self.operation = operation
    self.address = address
    self.cause = cause
  }

  /// The operation, the address, the cause, and the remedy if there is one.
  public var description: String {
    "Could not \(operation) \(address): \(cause)"
  }
}

extension SocketError.Operation: CustomStringConvertible {
  /// The operation as a part of a message, such as "connect to".
  public var description: String {
    switch self {
    case .resolve: "resolve"
    case .connect: "connect to"
    case .listen: "listen at"
    case .accept: "accept a connection at"
    case .read: "read from"
    case .write: "write to"
    case .change: "change the options of"
    case .join: "join the group"
    case .leave: "leave the group"
    case .secure: "secure the connection to"
    }
  }
}

extension SocketError.Membership: CustomStringConvertible {
  /// The reason, and its remedy.
  public var description: String {
    switch self {
    case .notMulticast:
      "this is not a multicast address: IPv4 has 224.0.0.0/4, IPv6 has ff00::/8."
    case .noInterface:
      "there is no such network interface, or none leads to the group. Name one that exists."
    case .alreadyJoined: "the socket has joined this group on this interface already."
    case .notJoined: "the socket has not joined this group on this interface."
    }
  }
}

extension SocketError.Cause: CustomStringConvertible {
  /// The cause, and its remedy.
  public var description: String {
    switch self {
    case .refused: "the connection was refused. Check that the server runs and listens there."
    case .reset: "the peer has reset the connection."
    case .unreachable: "there is no route to this address. Check the network."
    case .unknownName: "there is no such name. Check its spelling and the name server."
    case .resolution(let reason): "the name could not be resolved (\(reason))."
    case .timedOut(let limit): "the time limit was reached (\(limit.rawValue))."
    case .addressInUse:
      "another program listens there. Stop it, or choose another port or path."
    case .notLocal: "this machine does not have the address. Use one of its own, or \"*\"."
    case .notPermitted:
      "permission denied. A port below 1024 needs privileges, a socket file a writable folder."
    case .invalidPath: "the name of a Unix socket must have 1 to 107 bytes. Use a shorter path."
    case .noSocket: "there is no socket with this path. Check the path and that the server runs."
    case .noFolder: "the folder of the socket does not exist. Create it, or choose another path."
    case .notASocket:
      "this is not a socket, but another kind of file. Give another path or descriptor."
    case .unsuitable:
      """
      this kind of endpoint cannot be used here. A listener or datagram socket needs a numeric \
      address, \"localhost\" or \"*\"; UDP needs a DatagramSocket, and TCP a Listener.
      """
    case .tooManyDescriptors:
      "no more descriptors can be opened. Close some, or raise the limit (ulimit -n)."
    case .tooLong(let limit): "a line or message exceeds \(limit) bytes. Raise the maximum."
    case .datagramTooLong(let count):
      """
      a datagram of \(count) bytes is too long. UDP carries at most 65,507 bytes, and a socket that \
      does not fragment carries what fits the network, often 1,472. Send smaller datagrams.
      """
    case .broadcastNotAllowed:
      "this is a broadcast address. Set allowsBroadcast in the options of the socket."
    case .membership(let reason): "\(reason)"
    case .malformed: "the length of a message is not valid. Check the framing of the peer."
    case .truncated: "the peer has closed the connection inside a message."
    case .overflow(let limit):
      "more than \(limit) bytes wait to be written, because the peer reads too slowly."
    case .security(let reason): reason
    case .system(let code): explanation(of: code)
    }
  }

  package init(errno code: Int32) {
    self =
      switch code {
      case ECONNREFUSED: .refused
      case ECONNRESET, EPIPE: .reset
      case ETIMEDOUT: .timedOut(.connecting)
      case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN: .unreachable
      case EADDRINUSE: .addressInUse
      case EADDRNOTAVAIL: .notLocal
      case EACCES, EPERM: .notPermitted
      case ENOENT: .noSocket
      case ENOTSOCK: .notASocket
      case EPROTOTYPE: .unsuitable
      case EMFILE, ENFILE: .tooManyDescriptors
      default: .system(code)
      }
  }

  package init(_ error: DescriptorError) {
    self =
      switch error {
      case .overflow(let limit): .overflow(limit: limit)
      case .tooMany: .tooManyDescriptors
      case .lineTooLong(let limit): .tooLong(limit: limit)
      case .notOpen: .system(EBADF)
      case .alwaysReady: .system(EPERM)
      case .system(ETIMEDOUT): .timedOut(.writing)
      case .system(let code): Self(errno: code)
      }
  }
}
