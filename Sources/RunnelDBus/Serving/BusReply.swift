import RunnelStreams

/// The reply to a call, now or later.
public struct BusReply {
  enum Kind {
    case values((BusWriter) throws(BusError) -> Void)
    case later(Single<BusReply, BusError>)
  }

  let kind: Kind

  /// A reply without values.
  public static var empty: BusReply { BusReply(kind: .values { _ throws(BusError) in }) }

  /// A reply with one value.
  public static func value(_ value: some BusValue) -> BusReply {
    BusReply(kind: .values { writer throws(BusError) in try value.write(to: writer) })
  }

  /// A reply whose values the closure writes. It is called at most once, and not if the caller expects no
  /// reply.
  public static func values(
    _ writing: @escaping (BusWriter) throws(BusError) -> Void
  ) -> BusReply {
    BusReply(kind: .values(writing))
  }

  /// A reply that is sent when the single has ended. Meanwhile other calls are served.
  ///
  /// *Disposal*: the single is disposed when the caller has left the bus, or the connection ends.
  public static func later(_ reply: Single<BusReply, BusError>) -> BusReply {
    BusReply(kind: .later(reply))
  }
}
