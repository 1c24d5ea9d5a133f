import COpenSSL

/// An error of the settings of TLS, such as a file that is no certificate.
///
/// An error of a connection is a `RunnelNet.SocketError`.
public struct TLSError: Error, Hashable, CustomStringConvertible {
  /// The file or the value that cannot be used.
  public let subject: String
  /// The reason, and the remedy if there is one.
  public let reason: String

  init(_ subject: String, _ reason: String) {
    self.subject = subject
    self.reason = reason
  }

  /// The file or value, and the reason.
  public var description: String { "Could not use \(subject): \(reason)" }
}

/// The errors of OpenSSL on this thread.
enum ErrorQueue {
  struct Entry {
    let code: UInt

    var reason: Int32 { runnel_error_reason(code) }
    var library: Int32 { runnel_error_library(code) }

    /// The text of OpenSSL, such as "no shared cipher".
    var text: String {
      ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }
  }

  /// An old error would be taken for an error of the next call.
  static func clear() {
    ERR_clear_error()
  }

  /// Takes all errors out, and returns the first, which is the cause of the others.
  static func take() -> Entry? {
    let code = ERR_get_error()
    ERR_clear_error()
    return code == 0 ? nil : Entry(code: code)
  }
}
