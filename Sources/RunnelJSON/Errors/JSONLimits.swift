/// The limits within which a JSON text is read and written.
public struct JSONLimits: Hashable, Sendable {
  /// The number of arrays and objects that contain each other. A text of more levels also needs more
  /// stack, since each type decodes and encodes what it contains.
  public var depth: Int
  /// The number of bytes of a text, less than 256 MiB. A greater number means this one.
  public var size: Int

  var usableSize: Int { min(max(size, 0), Self.greatestSize) }

  private static let greatestSize = 1 << 28 - 1

  /// Creates limits.
  public init(depth: Int = 512, size: Int = 1 << 28 - 1) {
    self.depth = depth
    self.size = size
  }
}
