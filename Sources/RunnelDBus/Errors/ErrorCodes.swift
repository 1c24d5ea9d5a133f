import Glibc

/// Returns the text of an `errno`.
func errorText(_ code: Int32) -> String {
  String(cString: strerror(code))
}

extension BusError {
  /// The error for a negative result of a function of sd-bus that writes or reads a value.
  init(valueCode code: Int32) {
    switch -code {
    case ELOOP: self = .tooDeep
    case EBADF: self = .invalidDescriptor
    case EMFILE, ENFILE: self = .limitsExceeded(errorText(-code))
    case EMSGSIZE, ENOBUFS, E2BIG, ENOMEM: self = .tooLarge
    default: self = .malformed
    }
  }

  /// The error for a negative result of a function of sd-bus that sends a message or connects.
  init(connectionCode code: Int32) {
    switch -code {
    // A time-out of the connection is no time limit of a call.
    case ENOTCONN, ECONNRESET, EPIPE, ESHUTDOWN, ETIMEDOUT: self = .disconnected
    case ENOBUFS, EMSGSIZE, ENOMEM: self = .limitsExceeded(errorText(-code))
    default: self = .failed(errorText(-code))
    }
  }
}
