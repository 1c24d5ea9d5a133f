/// An event of a stream that a browser reads with `EventSource`.
///
///     server.get("/clock") { _ in
///       EventStream.interval(.seconds(1)).map { ServerSentEvent("\($0)") }
///     }
///
/// A response of such events is sent without caching, and with a comment every 15 s, so that
/// proxies keep the connection open: see ``HTTPServer/heartbeat``.
public struct ServerSentEvent: Sendable {
  /// The event as it is sent.
  public let bodyBytes: [UInt8]

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - data: The text, which may have several lines.
  ///   - name: The name of the event; nil is `message`.
  ///   - id: The identifier that a client sends as `Last-Event-ID` when it connects again.
  ///   - retry: The time after which a client connects again, from 0 to 24 days.
  public init(
    _ data: String, name: String? = nil, id: String? = nil, retry: Duration? = nil
  ) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.utf8.count + 16)
    if let name { Self.append("event", name.utf8, to: &bytes) }
    if let id, !id.utf8.contains(0) { Self.append("id", id.utf8, to: &bytes) }
    if let retry {
      // A browser has 31 bits for the milliseconds, and a longer time would overflow.
      let time = min(max(retry, .zero), .milliseconds(Int32.max))
      Self.append("retry", "\(time.inMilliseconds)".utf8, to: &bytes)
    }
    var line: [UInt8] = []
    var hasReturn = false
    for byte in data.utf8 {
      switch byte {
      case UInt8(ascii: "\n") where hasReturn: hasReturn = false
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        Self.append("data", line, to: &bytes)
        line = []
        hasReturn = byte == UInt8(ascii: "\r")
      default:
        line.append(byte)
        hasReturn = false
      }
    }
    Self.append("data", line, to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    bodyBytes = bytes
  }

  /// Creates an event without data, which a client does not deliver. The client only stores the
  /// identifier and the time, for its next connection.
  public init(id: String, retry: Duration? = nil) {
    let event = ServerSentEvent("", id: id, retry: retry)
    // The last bytes are the empty data and the empty line.
    bodyBytes = event.bodyBytes.dropLast("data: \n\n".utf8.count) + [UInt8(ascii: "\n")]
  }

  /// Line endings of the value become spaces.
  private static func append(
    _ name: String, _ value: some Sequence<UInt8>, to bytes: inout [UInt8]
  ) {
    bytes += name.utf8
    bytes += ": ".utf8
    for byte in value {
      let endsLine = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
      bytes.append(endsLine ? UInt8(ascii: " ") : byte)
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}

extension ServerSentEvent: HTTPBodyElement {
  /// The type of a stream of events.
  public static var responseHeaders: HTTPHeaders {
    [
      "Content-Type": "text/event-stream", "Cache-Control": "no-store",
      // nginx collects the bytes of a response otherwise.
      "X-Accel-Buffering": "no",
    ]
  }
}
