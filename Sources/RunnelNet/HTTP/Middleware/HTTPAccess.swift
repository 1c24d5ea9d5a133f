import RunnelStreams

/// A request that a server has answered, for a log.
public struct HTTPAccess {
  /// The request.
  public let request: HTTPRequest
  /// The time at which the request arrived, since 1 January 1970.
  public let time: Duration
  /// The status of the response; nil if the client has gone away before.
  public let status: HTTPStatus?
  /// The number of bytes of the body that were written.
  public let count: Int
  /// The time from the arrival of the request until the response was written.
  public let duration: Duration
  /// False if the connection ended before the response was written.
  public let isComplete: Bool

  /// Creates the description of a request that was answered.
  public init(
    request: HTTPRequest, time: Duration, status: HTTPStatus?, count: Int, duration: Duration,
    isComplete: Bool
  ) {
    self.request = request
    self.time = time
    self.status = status
    self.count = count
    self.duration = duration
    self.isComplete = isComplete
  }
}

/// A format of the lines of a log.
///
///     let format = HTTPAccessFormat { "\($0.request.method) \($0.duration)" }
///     server.logAccess(format) { show($0) }
public struct HTTPAccessFormat {
  /// Returns the line for a request, without a line ending.
  public let line: (HTTPAccess) -> String

  /// Creates a format. The closure escapes the texts of the client itself.
  public init(_ line: @escaping (HTTPAccess) -> String) {
    self.line = line
  }

  /// The Common Log Format of many servers. A client that has gone away before the response has the
  /// status 499. A line is such as
  /// `192.0.2.1 - - [06/Nov/1994:08:49:37 +0000] "GET /a HTTP/1.1" 200 12`.
  public static var common: HTTPAccessFormat { HTTPAccessFormat { $0.common } }

  /// The Common Log Format with the fields `Referer` and `User-Agent`.
  public static var combined: HTTPAccessFormat {
    HTTPAccessFormat { access in
      let fields = ["Referer", "User-Agent"].map { access.request.headers[$0] ?? "-" }
      return access.common + fields.map { " \"\($0.escapedForLog)\"" }.joined()
    }
  }

  /// An object of JSON, with the duration in seconds.
  public static var json: HTTPAccessFormat { HTTPAccessFormat { $0.json } }
}

extension HTTPAccess {
  private var host: String {
    switch request.peer {
    case .ip(let host, _): "\(host)"
    case .unix, .abstract, .unnamed, nil: "-"
    }
  }

  private var version: String { request.reception.isVersion10 ? "1.0" : "1.1" }

  /// The parts of the time: the day of the month, the month, the year and the time of the day.
  private var dateParts: [Substring] {
    "\(HTTPDate(seconds: Int(time.components.seconds)))".split(separator: " ").dropFirst()
      .dropLast()
  }

  fileprivate var common: String {
    let date = dateParts
    let line = "\(request.method) \(request.target) HTTP/\(version)".escapedForLog
    return """
      \(host) - - [\(date[0])/\(date[1])/\(date[2]):\(date[3]) +0000] "\(line)" \
      \(status?.code ?? 499) \(count == 0 ? "-" : "\(count)")
      """
  }

  fileprivate var json: String {
    var members = [
      ("time", time.utcTimestamp.asJSON), ("peer", host.asJSON),
      ("method", request.method.rawValue.asJSON), ("target", request.target.asJSON),
      ("version", version.asJSON), ("status", status.map { "\($0.code)" } ?? "null"),
      ("bytes", "\(count)"), ("duration", duration.decimalSeconds), ("complete", "\(isComplete)"),
    ]
    for (key, field) in [("referer", "Referer"), ("userAgent", "User-Agent")] {
      if let value = request.headers[field] { members.append((key, value.asJSON)) }
    }
    return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }
}

extension Duration {
  /// The seconds with six decimals.
  fileprivate var decimalSeconds: String {
    let parts = max(self, .zero).components
    let microseconds = Int(parts.attoseconds / 1_000_000_000_000)
    return "\(parts.seconds).\(microseconds.padded(to: 6))"
  }
}

extension String {
  /// The text in printable ASCII without quotation marks, so that it cannot begin a new line or
  /// field of a log.
  fileprivate var escapedForLog: String {
    var bytes: [UInt8] = []
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 32..<127: bytes.append(byte)
      default: bytes += "\\x".utf8 + byte.hexadecimal
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  /// Two hexadecimal digits.
  fileprivate var hexadecimal: [UInt8] {
    Array((self < 16 ? "0" : "").utf8) + String(self, radix: 16).utf8
  }
}
