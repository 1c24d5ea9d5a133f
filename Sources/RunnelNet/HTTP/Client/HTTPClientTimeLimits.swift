/// The times that a client gives to servers. `nil` means no limit.
///
/// The limit for connecting is ``ConnectionOptions/timeout``, and the one for a TLS handshake is in
/// the options of TLS.
public struct HTTPClientTimeLimits: Hashable, Sendable {
  /// The time from the end of the request to the end of the response's head. The default is 60 s.
  public var head: Duration? = .seconds(60)
  /// The longest time without a byte of the response's body, while it is observed and not paused.
  /// It is also the longest time in which the server reads no byte of the request. The default is
  /// 60 s.
  public var body: Duration? = .seconds(60)
  /// The smallest number of bytes of a response's body per second, while it is observed and not
  /// paused. The default is 240. A server that is behind for 60 seconds times out. With 0, a body may
  /// be as slow as ``body`` allows, which suits responses that report events as they happen. Streams
  /// of `events` have no least rate.
  public var bodyRate = 240
  /// The time from the observation to the end of the body, with redirects. The default is none.
  ///
  /// Without it, a body ends by ``bodyRate`` and ``HTTPLimits/body`` only, which can take weeks. Set
  /// it for servers that you do not trust.
  public var total: Duration?
  /// The time for which an unused connection is kept. The default is 30 s. A server that announces
  /// a shorter one in `Keep-Alive` is respected.
  public var idle: Duration = .seconds(30)
  /// The time for which a request with `Expect: 100-continue` waits before it sends its body anyway.
  /// The default is 1 s.
  public var `continue`: Duration = .seconds(1)

  /// Creates the default limits.
  public init() {}
}
