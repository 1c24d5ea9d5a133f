import Glibc

/// One of the three files that every process begins with.
///
///     let text = try StandardFile.input.contents()
///     try StandardFile.output.write(text)
public enum StandardFile: Int32, Sendable {
  /// What it is given to read.
  case input = 0
  /// What others get of it.
  case output = 1
  /// What people are told.
  case errors = 2

  /// Reads all that comes until the end. What could not be read to the end is an error, and never
  /// half of it.
  public func contents() throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = try explaining {
        // Safety: the buffer is as long as is said, and not kept.
        buffer.withUnsafeMutableBytes { Glibc.read(rawValue, $0.baseAddress, $0.count) }
      }
      if count == 0 { return bytes }
      bytes += buffer.prefix(count)
    }
  }

  /// Writes all of it.
  public func write(_ bytes: [UInt8]) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try explaining {
        // Safety: the bytes are as many as is said, and not kept.
        rest.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(count)
    }
  }

  private func explaining(_ body: () -> Int) throws(FileError) -> Int {
    do throws(SystemError) {
      return try uninterrupted { () throws(SystemError) in
        let result = body()
        if result < 0 { throw SystemError(errno) }
        return result
      }
    } catch {
      throw FileError(error, at: "the standard \(self)")
    }
  }
}
