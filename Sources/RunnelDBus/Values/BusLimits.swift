/// The limits for values.
public enum BusLimits {
  /// The number of bytes of a message. D-Bus allows 128 MiB with the header.
  public static let bytes = (1 << 27) - (1 << 16)
  /// The number of bytes of an array.
  public static let arrayBytes = 1 << 26
  /// The number of calls of one client that wait for their replies.
  public static let unansweredCalls = 1_024
  /// The size of the replies that one connection holds because its peer does not read. Beyond half of
  /// it, calls fail with ``BusError/limitsExceeded(_:)``; beyond it, they get no reply.
  public static let unreadReplyBytes = 1 << 27
  /// The number of bytes of the text of an error that is sent. The rest is cut off.
  public static let errorBytes = 1 << 16
  /// The number of objects that ``RemoteObjects`` holds. A service that announces more is a failure.
  public static let objects = 100_000
  /// The number of descriptors that are read from one message.
  public static let descriptors = 253
  /// The number of parts that all variants of one message may have together.
  public static let parts = 1_000_000
  /// The depth of variants in variants.
  public static let depth = 32
}
