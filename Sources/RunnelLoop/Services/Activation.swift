import Glibc
import RunnelStreams

/// Descriptors that a service manager has opened for this process before it started: socket
/// activation by systemd's `LISTEN_FDS` protocol.
///
///     for passed in try Activation.descriptors() where passed.name == "web" {
///       show(passed.number)
///     }
public enum Activation {
  /// A descriptor that was passed; whoever takes it closes it.
  public struct Descriptor: Sendable, Hashable {
    /// Its number.
    public let number: Int32
    /// What the manager calls it (`FileDescriptorName=`); "unknown" if it does not say.
    public let name: String
  }

  /// Takes the descriptors that were passed to this process: none if that did not happen, or if they
  /// were meant for another process.
  ///
  /// They are closed on exec from then on, and the variables are unset, so that no child takes them
  /// for its own; a second call finds none. Call it early, while the program has one thread: the
  /// environment must not be read meanwhile.
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

  /// No process has more open (`fs.nr_open`); a larger number is a mistake.
  private static let mostDescriptors: Int64 = 1 << 20

  package static func descriptors(
    for process: pid_t, variable: (String) -> String?
  ) throws(ActivationError) -> [Descriptor] {
    guard let meant = variable("LISTEN_PID"), let count = variable("LISTEN_FDS") else { return [] }
    guard let owner = decimal(meant) else { throw .malformed("LISTEN_PID", meant) }
    if owner != Int64(process) { return [] }
    // The descriptors begin behind those of standard input, output and errors.
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

/// Why the descriptors that were passed to this process cannot be taken.
public enum ActivationError: Error, Hashable, CustomStringConvertible {
  /// A variable says what it must not.
  case malformed(_ variable: String, _ value: String)
  /// One of the descriptors is not open.
  case notOpen(Int32)

  /// Says what is wrong and what to do about it.
  public var description: String {
    switch self {
    case .malformed(let variable, let value):
      "\(variable)=\(value) is not what the protocol allows. Look at what starts this process."
    case .notOpen(let descriptor):
      """
      Descriptor \(descriptor) was announced in LISTEN_FDS but is not open. Look at what starts \
      this process.
      """
    }
  }
}
