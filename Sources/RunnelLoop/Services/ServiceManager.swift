import CLinux
import Glibc
import RunnelStreams

/// The service manager that started this process and receives its status: systemd, or another that
/// implements the `sd_notify` protocol.
///
///     ServiceManager.current?.notify(.status("Serving 12 guests"))
///
/// ``EventLoop/runUntilTerminated(deadline:manager:_:)`` sends these notifications automatically.
public struct ServiceManager: Sendable {
  /// A notification.
  public enum State: Sendable, Hashable {
    /// The service has started or has finished a reload.
    case ready
    /// The service reloads its configuration; ``ready`` follows.
    case reloading
    /// The service shuts down.
    case stopping
    /// The service starts, reloads or shuts down for this much longer, from now on.
    case needsTime(Duration)
    /// The service is alive. See ``ServiceManager/watchdogTimeout``.
    case watchdog
    /// A one-line status for the user.
    case status(String)
  }

  /// An error of sending a notification. A service can continue without.
  public enum NotificationError: Error, Hashable, CustomStringConvertible {
    /// `NOTIFY_SOCKET` is neither a path nor an abstract name (`@…`), or is too long.
    case unusableAddress(String)
    /// An error of the system, as a value of `errno`.
    case system(Int32)

    /// The cause of the error, and its remedy.
    public var description: String {
      switch self {
      case .unusableAddress(let address):
        """
        NOTIFY_SOCKET=\(address) is neither a path nor an abstract name (@…), or it is too long. \
        Check the program that starts this process.
        """
      case .system(let code): "The service manager could not be notified. \(explanation(of: code))"
      }
    }
  }

  /// The longest time between ``State/watchdog`` notifications before the manager considers the
  /// service dead. Nil if the manager expects none from this process.
  public let watchdogTimeout: Duration?

  private let address: String

  /// The manager that the environment of this process names in `NOTIFY_SOCKET`, or nil if none.
  public static var current: ServiceManager? {
    ServiceManager { getenv($0).map { String(cString: $0) } }
  }

  package init?(variable: (String) -> String?) {
    guard let address = variable("NOTIFY_SOCKET"), !address.isEmpty else { return nil }
    self.address = address
    let process = variable("WATCHDOG_PID")
    let isMeant = process == nil || process == "\(getpid())"
    watchdogTimeout = isMeant ? variable("WATCHDOG_USEC").flatMap(Self.microseconds) : nil
  }

  /// Notifies the manager, from any thread. Returns an error if that failed, or nil.
  ///
  /// Waits at most 0.1 s for a busy manager, and not at all with ``State/watchdog``, which is
  /// repeated. A service works without a manager, so the error may be ignored.
  @discardableResult
  public func notify(_ states: State...) -> NotificationError? {
    guard var address = Self.address(address) else {
      return .unusableAddress(address)
    }
    let socket = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return .system(errno) }
    defer { close(socket) }
    var sendTimeout = timeval(tv_sec: 0, tv_usec: 100_000)
    setsockopt(
      socket, SOL_SOCKET, SO_SNDTIMEO, &sendTimeout, socklen_t(MemoryLayout<timeval>.size))

    let flags = states == [.watchdog] ? MSG_NOSIGNAL | MSG_DONTWAIT : MSG_NOSIGNAL
    let message = states.map(Self.text).joined(separator: "\n")
    let sent = address.withSocketAddress { pointer, length in
      sendto(socket, message, message.utf8.count, Int32(flags), pointer, length)
    }
    return sent < 0 ? .system(errno) : nil
  }

  // MARK: - Protocol

  private static func text(of state: State) -> String {
    switch state {
    case .ready: return "READY=1"
    case .reloading:
      let (seconds, attoseconds) = DeadlineTimer.now.components
      let now = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
      return "RELOADING=1\nMONOTONIC_USEC=\(now)"
    case .stopping: return "STOPPING=1"
    case .needsTime(let time):
      // A year is more than any manager waits.
      let (seconds, attoseconds) = min(max(time, .zero), .seconds(31_536_000)).components
      return "EXTEND_TIMEOUT_USEC=\(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)"
    case .watchdog: return "WATCHDOG=1"
    // A newline would begin another variable.
    case .status(let text):
      return "STATUS=" + text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
  }

  private static func microseconds(_ text: String) -> Duration? {
    guard let count = decimal(text), count > 0 else { return nil }
    return .microseconds(count)
  }

  private static func address(_ text: String) -> UnixAddress? {
    var bytes = Array(text.utf8)
    switch bytes.first {
    case UInt8(ascii: "/"): return UnixAddress(bytes + [0])
    case UInt8(ascii: "@"):
      bytes[0] = 0
      return UnixAddress(bytes)
    default: return nil
    }
  }
}

private struct UnixAddress {
  private var address = sockaddr_un()
  private let length: socklen_t

  /// Creates an address from the bytes of a zero-terminated path, or of an abstract name that
  /// begins with a zero. Returns nil if they do not fit.
  init?(_ bytes: [UInt8]) {
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count > 1, bytes.count <= room else { return nil }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let start = MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 0
    length = socklen_t(start + bytes.count)
  }

  mutating func withSocketAddress<Output>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Output
  ) -> Output {
    let length = length
    return withUnsafePointer(to: &address) { pointer in
      // Safety: every address begins as a `sockaddr`, and the system reads the family first.
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}

/// Returns the value of a text of decimal digits, or nil for other text or on overflow.
func decimal(_ text: String) -> Int64? {
  guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
  return Int64(text)
}
