import Glibc

/// One of the three standard streams of a process.
///
///     let text = try StandardFile.input.contents()
///     try StandardFile.output.write(text)
public enum StandardFile: Sendable {
  /// Standard input.
  case input
  /// Standard output.
  case output
  /// Standard error.
  case errors

  /// Reads all bytes until the end. Throws if they exceed the limit, or if reading fails before the
  /// end.
  public func contents(upTo limit: Int = SafeFile.defaultLimit) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = try waiting(for: POLLIN) {
        // Safety: the size passed is that of the buffer, and the pointer does not escape.
        buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      }
      if count == 0 { return bytes }
      bytes += buffer.prefix(count)
      if bytes.count > limit { throw .tooLargeToRead(name, limit: limit) }
    }
  }

  /// Writes all bytes.
  public func write(_ bytes: [UInt8]) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try waiting(for: POLLOUT) {
        // Safety: the size passed is that of the buffer, and the pointer does not escape.
        rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(count)
    }
  }

  private var name: String { "the standard \(self)" }

  private var descriptor: Int32 {
    switch self {
    case .input: STDIN_FILENO
    case .output: STDOUT_FILENO
    case .errors: STDERR_FILENO
    }
  }

  /// Runs a read or a write, and waits if the descriptor is in non-blocking mode. Another program
  /// that shares the open file may have set that mode.
  private func waiting(for event: Int32, _ body: () -> Int) throws(FileError) -> Int {
    do throws(SystemError) {
      return try uninterrupted { () throws(SystemError) in
        while true {
          let result = body()
          if result >= 0 { return result }
          guard errno == EAGAIN else { throw SystemError(errno) }
          var awaited = pollfd(fd: descriptor, events: Int16(event), revents: 0)
          if poll(&awaited, 1, -1) < 0 { throw SystemError(errno) }
        }
      }
    } catch {
      throw FileError(error, at: name)
    }
  }
}
