/// The limits within which a JSON text is read and written.
public struct JSONLimits: Hashable, Sendable {
  /// The number of arrays and objects that contain each other.
  public var depth = 512
  /// The number of bytes of a text. It cannot exceed 256 MiB.
  public var size = greatestSize

  static let greatestSize = 1 << 28 - 1

  /// Creates limits of a depth of 512 and a size of 256 MiB.
  public init() {}
}
