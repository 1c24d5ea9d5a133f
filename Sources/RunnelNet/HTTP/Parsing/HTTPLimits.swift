/// The limits of what a server or a client accepts from its peer. All of them are on by default.
public struct HTTPLimits: Hashable, Sendable {
  /// The largest number of bytes of the request line or status line. The default is 8 KiB. A server
  /// answers a longer one with 414.
  public var startLine = 8 << 10
  /// The largest number of bytes of the header fields, and of the trailer fields. The default is
  /// 32 KiB. A server answers more with 431.
  public var headers = 32 << 10
  /// The largest number of header fields. The default is 100. A server answers more with 431.
  public var headerCount = 100
  /// The largest number of bytes of a body, as it is sent. The default is 1 MiB for a server, and
  /// 1 GiB for a client. A server answers more with 413. A client fails a response that announces
  /// more as malformed, and any other longer body with ``HTTPBodyError/tooLarge(limit:)``. Its streams
  /// of events have no limit.
  public var body = 1 << 20
  /// The largest number of bytes between the size of a chunk and its line ending. The default is
  /// 256.
  public var chunkExtension = 256

  /// Creates the default limits.
  public init() {}
}
