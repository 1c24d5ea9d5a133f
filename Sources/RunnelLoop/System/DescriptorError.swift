import Glibc

/// An error of watching, reading or writing a descriptor.
public enum DescriptorError: Error, Hashable, CustomStringConvertible {
  /// The descriptor is not open.
  case notOpen(Int32)
  /// The descriptor is a file or a folder, which is always ready and cannot be watched.
  case alwaysReady(Int32)
  /// The process or the system has reached its limit of open descriptors.
  case tooMany
  /// A line is longer than the given limit.
  case lineTooLong(limit: Int)
  /// A writer whose overflow policy is ``Overflow/fail`` got more bytes than may wait, or a write
  /// was dropped by ``Overflow/dropOldest``.
  case overflow(limit: Int)
  /// Any other error of the system, as a value of `errno`.
  case system(Int32)

  /// The cause of the error, and its remedy.
  public var description: String {
    switch self {
    case .notOpen(let descriptor):
      "Descriptor \(descriptor) is not open. Dispose its streams before you close it."
    case .alwaysReady(let descriptor):
      """
      Descriptor \(descriptor) is a file or a folder, which is always ready and cannot be watched. \
      Read it with bytes(from:) or lines(from:).
      """
    case .tooMany:
      "No more descriptors can be opened. Close some, or raise the limit (ulimit -n)."
    case .lineTooLong(let limit):
      "A line exceeds \(limit) bytes. Raise the limit in lines(from:longest:), or use bytes(from:)."
    case .overflow(let limit):
      """
      More than \(limit) bytes wait to be written. Write less while isWritable is false, or raise \
      the writer's limit.
      """
    case .system(let code):
      explanation(of: code)
    }
  }

  package init(_ code: Int32, _ descriptor: Int32) {
    self =
      switch code {
      case EBADF: .notOpen(descriptor)
      case EPERM: .alwaysReady(descriptor)
      case EMFILE, ENFILE, ENOSPC: .tooMany
      default: .system(code)
      }
  }
}

/// Returns the system's message for a value of `errno`.
package func explanation(of code: Int32) -> String {
  "\(String(cString: strerror(code))) (errno \(code))."
}
