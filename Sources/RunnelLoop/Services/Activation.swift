import Glibc
import RunnelStreams

/// Descriptors that a service manager opened for this process before it started: socket activation
/// by systemd's `LISTEN_FDS` protocol.
///
///     for passed in try Activation.descriptors() where passed.name == "web" {
///       show(passed.number)
///     }
public enum Activation {
  /// A descriptor that was passed to this process. The caller closes it.
  public struct Descriptor: Sendable, Hashable {
    /// The number of the descriptor.
    public let number: Int32
    /// The name that the manager gives it (`FileDescriptorName=`), or "unknown" if there is none.
    public let name: String
  }

  /// Returns the descriptors that were passed to this process. The array is empty if there are
  /// none, or if they were meant for another process.
  ///
  /// The descriptors are then closed on exec, and the variables are unset, so that no child uses
  /// them. A second call returns an empty array. Call this early, while the program has one thread:
  /// no other thread may read the environment meanwhile.
  public static func descriptors() throws(ActivationError) -> [Descriptor] {
    let names = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "LISTEN_PIDFDID"]
    var variables: [String: String] = [:]
    for name in names {
      variables[name] = getenv(name).map { String(cString: $0) }
      unsetenv(name)
    }
    let passed = try descriptors(for: getpid()) { variables[$0] }
    for descriptor in passed {
      let flags = fcntl(descriptor.number, F_GETFD)
      if flags < 0 { throw .notOpen(descriptor.number) }
      _ = fcntl(descriptor.number, F_SETFD, flags | FD_CLOEXEC)
    }
    return passed
  }

  /// The maximum of open descriptors per process (`fs.nr_open`). A larger count is invalid.
  private static let mostDescriptors: Int64 = 1 << 20

  package static func descriptors(
    for process: pid_t, variable: (String) -> String?
  ) throws(ActivationError) -> [Descriptor] {
    guard let meant = variable("LISTEN_PID"), let count = variable("LISTEN_FDS") else { return [] }
    guard let owner = decimal(meant) else { throw .malformed("LISTEN_PID", meant) }
    if owner != Int64(process) { return [] }
    // The passed descriptors begin at 3, after the standard ones.
    guard let number = decimal(count), number <= mostDescriptors else {
      throw .malformed("LISTEN_FDS", count)
    }
    guard let joined = variable("LISTEN_FDNAMES") else {
      return (0..<Int32(number)).map { Descriptor(number: $0 + 3, name: "unknown") }
    }
    let names = joined.split(separator: ":", omittingEmptySubsequences: false)
    guard names.count == number || (number == 0 && joined.isEmpty) else {
      throw .malformed("LISTEN_FDNAMES", joined)
    }
    return zip(0..<Int32(number), names).map { Descriptor(number: $0 + 3, name: String($1)) }
  }
}

/// An error of taking the descriptors that were passed to this process.
public enum ActivationError: Error, Hashable, CustomStringConvertible {
  /// The value of a variable is invalid.
  case malformed(_ variable: String, _ value: String)
  /// One of the descriptors is not open.
  case notOpen(Int32)

  /// The cause of the error, and its remedy.
  public var description: String {
    switch self {
    case .malformed(let variable, let value):
      """
      \(variable)=\(value) is not valid in the LISTEN_FDS protocol. Check the program that starts \
      this process.
      """
    case .notOpen(let descriptor):
      """
      Descriptor \(descriptor) was announced in LISTEN_FDS but is not open. Check the program \
      that starts this process.
      """
    }
  }
}
