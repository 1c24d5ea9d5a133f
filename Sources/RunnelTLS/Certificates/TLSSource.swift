import Glibc

/// The place from which certificates or a key are read, in PEM form.
public enum TLSSource: Hashable, Sendable, ExpressibleByStringLiteral {
  /// A file, which is read again when a context reloads.
  case file(String)
  /// The text of a file.
  case pem(String)

  /// Creates the source of a file.
  public init(stringLiteral path: String) {
    self = .file(path)
  }

  /// The name of the source in error messages.
  var name: String {
    switch self {
    case .file(let path): path
    case .pem: "the given PEM text"
    }
  }

  /// Blocks while a file is read.
  func read() throws(TLSError) -> [UInt8] {
    switch self {
    case .pem(let text): return Array(text.utf8)
    case .file(let path):
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { throw error(errno) }
      defer { close(file) }
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      while true {
        let count = Glibc.read(file, &buffer, buffer.count)
        if count == 0 { return bytes }
        if count < 0 && errno == EINTR { continue }
        if count < 0 { throw error(errno) }
        bytes += buffer[..<count]
      }
    }
  }

  private func error(_ code: Int32) -> TLSError {
    let reason =
      switch code {
      case ENOENT: "there is no such file. Check the path."
      case EACCES: "the program may not read it. Change its permissions or the user."
      default: "\(String(cString: strerror(code)))."
      }
    return TLSError(name, reason)
  }
}
