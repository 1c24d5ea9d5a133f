import Glibc
import RunnelLoop

/// A file without a name, which the system removes when it is closed.
final class TemporaryFile {
  private let file: Descriptor
  private var count = 0

  init(owning file: Descriptor) {
    self.file = file
  }

  /// Creates a file in a folder; nil is the usual one.
  init(in folder: String?) throws(DescriptorError) {
    let folder = folder ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
    while true {
      let path = "\(folder)/runnel-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
      let number = open(path, flags, 0o600)
      if number < 0 && errno == EEXIST { continue }
      if number < 0 { throw DescriptorError(errno, number) }
      // The name is not needed, and would stay if the process ended.
      unlink(path)
      file = Descriptor(owning: number)
      return
    }
  }

  var body: HTTPBody { HTTPBody(.file(FilePart(file, 0..<count))) }

  func append(_ bytes: [UInt8]) throws(DescriptorError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(file.number, $0.baseAddress, $0.count) }
      if written < 0 {
        if errno == EINTR { continue }
        throw DescriptorError(errno, file.number)
      }
      rest = rest.dropFirst(written)
      count += written
    }
  }

  func append(_ part: FilePart) throws(DescriptorError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var offset = part.range.lowerBound
    while offset < part.range.upperBound {
      let most = min(buffer.count, part.range.upperBound - offset)
      let read = pread(part.file.number, &buffer, most, off_t(offset))
      if read < 0 && errno == EINTR { continue }
      guard read > 0 else { throw .system(read < 0 ? errno : EIO) }
      try append(Array(buffer[..<read]))
      offset += read
    }
  }
}
