import Glibc

/// A path or a file name as bytes without zeros. The bytes need not be UTF-8.
struct PathBytes: Hashable {
  private(set) var bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Bytes that are not UTF-8 become replacement characters.
  var text: String { String(decoding: bytes, as: UTF8.self) }
  var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

  func appending(_ name: PathBytes) -> PathBytes {
    var path = self
    if path.bytes.last != Self.slash { path.bytes.append(Self.slash) }
    path.bytes += name.bytes
    return path
  }

  /// The path without slashes at its end.
  var trimmed: PathBytes {
    var path = self
    while path.bytes.count > 1 && path.bytes.last == Self.slash { path.bytes.removeLast() }
    return path
  }

  /// The parent folder and the last component; nil for the root of the file system.
  var parts: (folder: PathBytes, name: PathBytes)? {
    let path = trimmed.bytes
    guard path != [Self.slash], !path.isEmpty else { return nil }
    guard let slash = path.lastIndex(of: Self.slash) else {
      return (PathBytes("."), PathBytes(path))
    }
    let folder = slash == 0 ? path[...slash] : path[..<slash]
    return (PathBytes(folder), PathBytes(path[(slash + 1)...]))
  }

  /// The names on the path, from the first to the last.
  var components: [PathBytes] {
    bytes.split(separator: Self.slash).map { PathBytes($0) }
  }

  /// The absolute path without links or dots.
  var resolved: Result<PathBytes, SystemError> {
    guard !bytes.contains(0) else { return .failure(SystemError(ENOENT)) }
    return withCString { path in
      guard let real = realpath(path, nil) else { return .failure(SystemError(errno)) }
      defer { free(real) }
      return .success(PathBytes(UnsafeRawBufferPointer(start: real, count: strlen(real))))
    }
  }

  /// The absolute path without links or dots; nil if it does not exist or is not UTF-8.
  var linkFree: PathBytes? {
    let path = try? resolved.get()
    return path?.isText == true ? path : nil
  }

  /// The target of a chain of links, which need not exist: its resolved folder and its name.
  var followed: Result<PathBytes, SystemError> {
    var path = self
    for _ in 0...Self.maximumLinks {
      guard let parts = path.parts else { return .success(path) }
      // A path with a slash at the end can only name a folder.
      guard path == path.trimmed else { return .failure(SystemError(ENOTDIR)) }
      guard let target = path.linkTarget else {
        return parts.folder.resolved.map { $0.appending(parts.name) }
      }
      path = target.isAbsolute ? target : parts.folder.appending(target)
    }
    return .failure(SystemError(ELOOP))
  }

  /// The text of the link at the path; nil if there is none.
  private var linkTarget: PathBytes? {
    withCString { path in
      withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
        guard let start = buffer.baseAddress else { return nil }
        let count = readlink(path, start, buffer.count)
        return count > 0 ? PathBytes(buffer.prefix(count)) : nil
      }
    }
  }

  private var isAbsolute: Bool { bytes.first == Self.slash }

  /// The number of links that the system follows.
  private static let maximumLinks = 40

  /// The status of the path, without following a link; nil if it does not exist.
  var status: stat? {
    var status = stat()
    return withCString { lstat($0, &status) } == 0 ? status : nil
  }

  func withCString<Output>(_ body: (UnsafePointer<CChar>) -> Output) -> Output {
    (bytes + [0]).withUnsafeBytes { buffer in
      // Safety: the buffer is not empty, and ends with a zero.
      body(buffer.assumingMemoryBound(to: CChar.self).baseAddress.unsafelyUnwrapped)
    }
  }

  private static let slash = UInt8(ascii: "/")
}

/// A value of `errno`.
package struct SystemError: Error, Hashable {
  package let code: Int32

  package init(_ code: Int32) {
    self.code = code
  }
}

extension stat {
  var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
  var isLink: Bool { st_mode & S_IFMT == S_IFLNK }

  func isSameFile(as other: stat) -> Bool { st_ino == other.st_ino && st_dev == other.st_dev }
}

// MARK: - Addresses

extension PathBytes {
  /// The path in a `file:` address, as GLib writes it, so that all programs give a file one address.
  var escapedForAddress: String { escaped(keeping: "!$&'()*+,-./:=@_~") }

  /// The bytes as in a URL. Bytes other than ASCII letters, digits and the given ones become `%` and two
  /// digits.
  func escaped(keeping plain: String) -> String {
    let plain = Set(plain.utf8)
    let digits = Array("0123456789ABCDEF")
    return bytes.reduce(into: "") { text, byte in
      let scalar = Unicode.Scalar(byte)
      let isLetterOrDigit =
        scalar.isASCII
        && (scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal)
      let isPlain = isLetterOrDigit || plain.contains(byte)
      text += isPlain ? String(scalar) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
  }
}
