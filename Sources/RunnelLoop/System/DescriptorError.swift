import Glibc

/// Why a descriptor cannot be watched, read or written.
public enum DescriptorError: Error, Hashable, CustomStringConvertible {
  /// It is not open.
  case notOpen(Int32)
  /// It is a file or a folder, which is always ready, so that there is nothing to wait for.
  case alwaysReady(Int32)
  /// The process or the system has as many open descriptors as it may.
  case tooMany
  /// A line is longer than was allowed.
  case lineTooLong(limit: Int)
  /// What the system said otherwise: a value of `errno`.
  case system(Int32)

  /// Says what is wrong and what to do about it.
  public var description: String {
    switch self {
    case .notOpen(let descriptor):
      "Descriptor \(descriptor) is not open. Dispose its streams before it is closed."
    case .alwaysReady(let descriptor):
      """
      Descriptor \(descriptor) is a file or a folder, which is always ready: there is nothing to \
      wait for. Read it with bytes(from:) or lines(from:).
      """
    case .tooMany:
      "No more descriptors can be opened. Close some, or raise the limit (ulimit -n)."
    case .lineTooLong(let limit):
      "A line is longer than \(limit) bytes. Allow more with lines(from:longest:), or use bytes(from:)."
    case .system(let code):
      explanation(of: code)
    }
  }

  init(_ code: Int32, _ descriptor: Int32) {
    self =
      switch code {
      case EBADF: .notOpen(descriptor)
      case EPERM: .alwaysReady(descriptor)
      case EMFILE, ENFILE, ENOSPC: .tooMany
      default: .system(code)
      }
  }
}

/// What the system means by a value of `errno`.
package func explanation(of code: Int32) -> String {
  "\(String(cString: strerror(code))) (errno \(code))."
}
