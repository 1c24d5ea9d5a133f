import Glibc

/// One of the three files that every process begins with.
///
///     let text = try StandardFile.input.contents()
///     try StandardFile.output.write(text)
public enum StandardFile: Sendable {
  /// What it is given to read.
  case input
  /// What others get of it.
  case output
  /// What people are told.
  case errors

  /// Reads all that comes until the end, unless that is more than so many bytes. What could not be read
  /// to the end is an error, and never half of it.
  public func contents(upTo limit: Int = SafeFile.defaultLimit) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = try waiting(for: POLLIN) {
        // Safety: the buffer is as long as is said, and not kept.
        buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      }
      if count == 0 { return bytes }
      bytes += buffer.prefix(count)
      if bytes.count > limit { throw .tooLargeToRead(name, limit: limit) }
    }
  }

  /// Writes all of it.
  public func write(_ bytes: [UInt8]) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try waiting(for: POLLOUT) {
        // Safety: the bytes are as many as is said, and not kept.
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

  /// Does something, also where another program that has the same file open has asked that nobody waits
  /// for it.
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
