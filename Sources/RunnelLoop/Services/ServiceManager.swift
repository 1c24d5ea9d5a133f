import Glibc
import RunnelStreams

/// The service manager that has started this process and wants to know how it does: systemd, or
/// another that speaks its `sd_notify` protocol.
///
///     ServiceManager.current?.notify(.status("Serving 12 guests"))
///
/// ``EventLoop/runUntilTerminated(deadline:manager:_:)`` tells it by itself what it does.
public struct ServiceManager: Sendable {
  /// What it can be told.
  public enum State: Sendable, Hashable {
    /// The service has started, or has finished a reload.
    case ready
    /// The service reads its configuration again; ``ready`` follows.
    case reloading
    /// The service shuts down.
    case stopping
    /// The service is alive: see ``ServiceManager/watchdogTimeout``.
    case watchdog
    /// What the service does, in a line for people.
    case status(String)
  }

  /// Why it could not be told. A service can do without.
  public enum NotificationError: Error, Hashable, CustomStringConvertible {
    /// `NOTIFY_SOCKET` is neither a path nor an abstract name (`@…`), or is too long.
    case unusableAddress(String)
    /// What the system said: a value of `errno`.
    case system(Int32)

    /// Says what is wrong and what to do about it.
    public var description: String {
      switch self {
      case .unusableAddress(let address):
        """
        NOTIFY_SOCKET=\(address) is neither a path nor an abstract name (@…), or it is too long. Look at \
        what starts this process.
        """
      case .system(let code): "The service manager was not told. \(explanation(of: code))"
      }
    }
  }

  /// The manager waits so long for ``State/watchdog`` before it takes the service for dead; nil if
  /// it does not, or waits for another process.
  public let watchdogTimeout: Duration?

  private let address: String

  /// The manager that the environment of this process names, if it does (`NOTIFY_SOCKET`).
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

  /// Tells it what has become of the service, from any thread. Returns why that was not possible;
  /// nil if it was.
  ///
  /// It waits a tenth of a second at most for a manager that is busy, and not at all with
  /// ``State/watchdog``, which comes again. A service runs as well when
  /// nobody listens, so the error may be ignored.
  @discardableResult
  public func notify(_ states: State...) -> NotificationError? {
    guard var address = Self.address(address) else {
      return .unusableAddress(address)
    }
    let socket = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { return .system(errno) }
    defer { close(socket) }
    var patience = timeval(tv_sec: 0, tv_usec: 100_000)
    setsockopt(
      socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))

    let flags = states == [.watchdog] ? MSG_NOSIGNAL | MSG_DONTWAIT : MSG_NOSIGNAL
    let message = states.map(Self.text).joined(separator: "\n")
    let sent = address.withSocketAddress { pointer, length in
      sendto(socket, message, message.utf8.count, Int32(flags), pointer, length)
    }
    return sent < 0 ? .system(errno) : nil
  }

  // MARK: - The protocol

  private static func text(of state: State) -> String {
    switch state {
    case .ready: return "READY=1"
    case .reloading:
      let (seconds, attoseconds) = DeadlineTimer.now.components
      let now = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
      return "RELOADING=1\nMONOTONIC_USEC=\(now)"
    case .stopping: return "STOPPING=1"
    case .watchdog: return "WATCHDOG=1"
    // A line that ends would begin another variable.
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

/// The address of a local socket.
private struct UnixAddress {
  private var address = sockaddr_un()
  private let length: socklen_t

  /// With the bytes of a path, which end with a zero, or of an abstract name, which begin with one;
  /// nil if they are too many.
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
      // Safety: every address begins as a `sockaddr`, and the system looks at the family first.
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}

/// The number that a text of digits stands for; nil if it is anything else, or too large.
func decimal(_ text: String) -> Int64? {
  guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
  return Int64(text)
}
