import Glibc

/// The file of the posts, to which lines are only appended.
///
/// A post is safe when ``append(_:at:)`` has returned: the disk has confirmed it. A crash can cut or
/// damage only what was not confirmed, which is removed when the file is opened again.
///
/// It has no state that changes, so any thread may use it. Only one at a time may append.
final class PostFile: Sendable {
  /// A post that was found in the file.
  typealias Found = (post: Post, offset: Int)

  private static let header = Array("board 1\n".utf8)
  /// The largest number of bytes of one ``append(_:at:)``.
  static let longestBatch = 2 << 20

  let path: String
  private let descriptor: Int32
  private let calls: DiskCalls

  /// Opens the file, or creates it. Another process cannot open it meanwhile.
  init(_ path: String, calls: DiskCalls = DiskCalls()) throws(PostFileError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
    self.path = path
    self.calls = calls
    guard descriptor >= 0 else { throw .unusable(path, errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .inUse(path) }
    try confirmFolder()
  }

  deinit {
    // A child process may have a copy of the descriptor for a moment.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Finds all posts, and removes a damaged end. Returns the size of the file then, and the number
  /// of damaged lines before its last post.
  func recover(_ found: (Found) -> Void) throws(PostFileError) -> (size: Int, damaged: Int) {
    let start = try bytes(at: 0, count: Self.header.count)
    guard Self.header.starts(with: start) else { throw .foreign(path) }
    if start.count < Self.header.count {
      try append(Self.header, at: 0)
      return (Self.header.count, 0)
    }
    var end = start.count
    var lastID = 0
    var damaged = (before: 0, after: 0)
    var rest: [UInt8] = []
    var restOffset = end
    while true {
      let piece = try bytes(at: restOffset + rest.count, count: 1 << 20)
      if piece.isEmpty { break }
      rest += piece
      var lineStart = 0
      while let lineEnd = rest[lineStart...].firstIndex(of: 0x0A) {
        if let post = Post(record: rest[lineStart..<lineEnd]), post.id > lastID {
          found((post, restOffset + lineStart))
          lastID = post.id
          end = restOffset + lineEnd + 1
          damaged = (damaged.before + damaged.after, 0)
        } else {
          damaged.after += 1
        }
        lineStart = lineEnd + 1
      }
      // A line that is too long is damaged.
      if rest.count - lineStart > Post.longestRecord { lineStart = rest.count }
      rest.removeFirst(lineStart)
      restOffset += lineStart
    }
    let size = restOffset + rest.count
    guard size - end <= Self.longestBatch else { throw .damaged(path, offset: end) }
    if size > end && calls.cut(descriptor, end) != 0 { throw .unusable(path, errno) }
    // The posts that were found may not be on the disk yet, and observers will see them.
    guard calls.synchronize(descriptor) == 0 else { throw .unconfirmed(path, errno) }
    return (end, damaged.before)
  }

  /// Writes bytes at the end of the file, and waits until they are on the disk.
  ///
  /// After ``PostFileError/unwritten(_:_:)`` the file is as before. After
  /// ``PostFileError/unconfirmed(_:_:)`` nobody knows what is on the disk, so the file must not be
  /// used until it is opened again.
  func append(_ bytes: [UInt8], at end: Int) throws(PostFileError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { calls.write(descriptor, $0, end + written) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        let code = count < 0 ? errno : ENOSPC
        // A part of a batch could become the beginning of the next one.
        guard calls.cut(descriptor, end) == 0 else { throw .unconfirmed(path, errno) }
        throw .unwritten(path, code)
      }
      written += count
    }
    // After a failure the system forgets the bytes, so a second attempt would prove nothing.
    guard calls.synchronize(descriptor) == 0 else { throw .unconfirmed(path, errno) }
  }

  /// Reads some posts at the given offsets, in order: at least one, and as many as a piece holds.
  func posts(at places: [(id: Int, offset: Int)]) throws(PostFileError) -> [Post] {
    guard let first = places.first else { return [] }
    let piece = try bytes(at: first.offset, count: 1 << 18)
    var posts: [Post] = []
    var count = 0
    for place in places {
      let start = place.offset - first.offset
      guard start < piece.count, let end = piece[start...].firstIndex(of: 0x0A),
        let post = Post(record: piece[start..<end]), post.id == place.id
      else { break }
      count += end - start
      if count > Post.longestText && !posts.isEmpty { break }
      posts.append(post)
    }
    guard !posts.isEmpty else { throw .damaged(path, offset: first.offset) }
    return posts
  }

  private func bytes(at offset: Int, count: Int) throws(PostFileError) -> [UInt8] {
    var code: Int32 = 0
    // Safety: the system initialises as many bytes as it says.
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count, let base = buffer.baseAddress {
        let read = pread(
          descriptor, base + initialized, count - initialized, off_t(offset + initialized))
        if read < 0 && errno == EINTR { continue }
        if read < 0 { code = errno }
        if read <= 0 { break }
        initialized += read
      }
    }
    if code != 0 { throw .unusable(path, code) }
    return bytes
  }

  /// Waits until the name of the file is on the disk: the process that created it may have ended
  /// before that.
  private func confirmFolder() throws(PostFileError) {
    // The path may be that of a symbolic link.
    guard let target = realpath(path, nil) else { throw .unusable(path, errno) }
    defer { free(target) }
    let folder = String(cString: dirname(target))
    let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw .unusable(folder, errno) }
    defer { close(number) }
    guard calls.synchronizeFolder(number) == 0 else { throw .unconfirmed(path, errno) }
  }
}

/// The calls that change a file, which a test can let fail.
struct DiskCalls: Sendable {
  var write: @Sendable (Int32, UnsafeRawBufferPointer, _ offset: Int) -> Int = {
    pwrite($0, $1.baseAddress, $1.count, off_t($2))
  }
  var cut: @Sendable (Int32, _ size: Int) -> Int32 = { ftruncate($0, off_t($1)) }
  var synchronize: @Sendable (Int32) -> Int32 = { fdatasync($0) }
  var synchronizeFolder: @Sendable (Int32) -> Int32 = { fsync($0) }
}

enum PostFileError: Error, Equatable, CustomStringConvertible {
  case unusable(String, Int32)
  case inUse(String)
  case foreign(String)
  case damaged(String, offset: Int)
  case unwritten(String, Int32)
  case unconfirmed(String, Int32)

  var description: String {
    switch self {
    case .unusable(let path, let code): "\(path) cannot be used: \(reason(code))."
    case .inUse(let path): "Another board uses \(path). Stop it, or name another file with --data."
    case .foreign(let path): "\(path) is not a file of Board. Name another one with --data."
    case .damaged(let path, let offset):
      "\(path) is damaged at byte \(offset). Restore it from a copy, or cut it off there with truncate."
    case .unwritten(let path, let code): "\(path) could not be written: \(reason(code))."
    case .unconfirmed(let path, let code):
      "The disk did not confirm \(path): \(reason(code)). Check the disk, then start Board again."
    }
  }
}

private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
