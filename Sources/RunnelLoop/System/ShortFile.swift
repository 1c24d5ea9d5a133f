import Glibc

/// Returns the bytes of a file; nil if it cannot be read, or has as many bytes as the limit or more.
package func contentsOfShortFile(_ path: String, below limit: Int) -> [UInt8]? {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { return nil }
  defer { close(file) }
  var count = 0
  let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
    while count < limit {
      let part = read(file, buffer.baseAddress?.advanced(by: count), limit - count)
      guard part > 0 else { break }
      count += part
    }
    initialized = count
  }
  return count < limit ? bytes : nil
}
