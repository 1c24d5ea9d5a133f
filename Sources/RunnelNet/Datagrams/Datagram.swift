/// A message that a ``DatagramSocket`` has received, and the address of its sender.
public struct Datagram: Hashable, Sendable {
  /// The bytes of the message.
  public var bytes: [UInt8]
  /// The address that the message came from. A sender with IPv4 has an IPv4 address, also on a
  /// socket for both families.
  public var sender: SocketAddress
  /// True if the message was longer than ``DatagramOptions/maximumSize``. Its end is lost.
  public var isTruncated: Bool

  /// Creates a datagram, for example in a test.
  public init(_ bytes: [UInt8], from sender: SocketAddress, isTruncated: Bool = false) {
    self.bytes = bytes
    self.sender = sender
    self.isTruncated = isTruncated
  }
}
