import Glibc

/// The file of the posts, to which lines are only appended.
///
/// A post is safe when ``append(_:at:)`` has returned: the disk has confirmed it. A crash can cut or
/// damage only what was not confirmed. A damaged end may have another cause,
/// so ``recover(memory:progress:_:)`` moves it to a file of its own. A second file has the number of the newest
/// post, so that a start knows whether others have removed, replaced or cut the file.
///
/// It has no state that changes, so any thread may use it. Only one at a time may append.
final class PostFile: Sendable {
  /// A post that was found in the file.
  struct Found {
    let id: Int
    let topic: String
    let offset: Int
    /// The whole post, if it is among the newest.
    let post: Post?
    /// The origin, if another board has published the post.
    var origin: Origin?
  }

  /// The result of ``recover(memory:progress:_:)``.
  struct Recovery: Equatable {
    var size: Int
    /// The number of damaged lines before the last post.
    var damagedCount = 0
    /// The largest number that a post has, or that a lost post may have had.
    var lastID = 0
    /// The count of numbers that were given to posts which are missing at the end of the file, now or at
    /// an earlier start.
    var missingCount = 0
    /// True if one bit of the header was wrong.
    var headerWasMended = false
    /// The end that was moved.
    var moved: MovedEnd?
  }

  /// A damaged end of the file, and the file that has it now.
  struct MovedEnd: Equatable {
    let count: Int
    let path: String
  }

  /// The posts that were read, and the numbers of those whose lines are damaged.
  struct Reading {
    var posts: [Post] = []
    var damaged: Set<Int> = []
  }

  private static let header = Array("board 1\n".utf8)
  /// The largest number of bytes of one ``append(_:at:)``.
  static let longestBatch = 2 << 20

  let path: String
  private let descriptor: Int32
  private let lastNumber: LastNumber
  private let calls: DiskCalls

  /// Opens the file, or creates it. Another process cannot open it meanwhile.
  init(_ path: String, calls: DiskCalls = DiskCalls()) throws(PostFileError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
    self.path = path
    self.calls = calls
    guard descriptor >= 0 else { throw .unusable(path, errno) }
    lastNumber = LastNumber(path: "\(path).last")
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw .inUse(path) }
    try confirmFolder(of: path)
  }

  deinit {
    // A child process may have a copy of the descriptor for a moment.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Finds all posts, and moves a damaged end to a file beside this one. The posts in the last `memory`
  /// bytes are read as a whole. `progress` gets the number of bytes that are read.
  func recover(
    memory: Int = .max, progress: (Int) -> Void = { _ in }, _ found: (Found) -> Void
  ) throws(PostFileError) -> Recovery {
    let start = try bytes(at: 0, count: Self.header.count)
    var recovery = Recovery(size: Self.header.count)
    if start.count < Self.header.count {
      // A crash may have left a part of it.
      guard Self.header.starts(with: start) else { throw .foreign(path) }
      guard calls.cut(descriptor, 0) == 0 else { throw .unusable(path, errno) }
      try append(Self.header, at: 0)
    } else {
      let wrongBits = zip(start, Self.header).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
      guard wrongBits <= 1 else { throw .foreign(path) }
      recovery.headerWasMended = wrongBits == 1
    }
    var scan = Scan(
      start: Self.header.count, keepsFrom: try sizeOnDisk() - min(memory, 1 << 40))
    while true {
      let piece = try bytes(at: scan.offset, count: Self.recoveryPiece)
      let used = piece.withUnsafeBytes { scan.take($0, found) }
      if used == 0 && piece.count < Self.recoveryPiece { break }
      // A line that is longer than a piece is damaged.
      scan.offset += used == 0 ? piece.count : used
      progress(scan.offset)
    }
    let size = try sizeOnDisk()
    let end = scan.end
    guard size - end <= Self.longestBatch else { throw .damagedEnd(path, offset: end) }
    recovery.size = end
    recovery.damagedCount = scan.damagedBefore
    let missing = max(0, lastNumber.value - scan.lastID)
    recovery.missingCount = scan.missing + missing
    recovery.lastID = scan.lastID + missing
    let lostBytes = size - end
    if lostBytes > 0 {
      recovery.lastID = max(recovery.lastID, scan.lastID + lostBytes / Post.shortestRecord + 1)
    }
    guard recovery.lastID < Post.largestID / 2 else { throw .foreign(path) }
    // Nothing was changed up to here.
    if lostBytes > 0 {
      let path = try keep(try bytes(at: end, count: lostBytes))
      recovery.moved = MovedEnd(count: lostBytes, path: path)
    }
    if recovery.headerWasMended, let code = write(Self.header, to: descriptor, at: 0) {
      throw .unwritten(path, code)
    }
    if recovery.lastID > scan.lastID {
      // Clients may know the numbers of the lost posts. A line without a text reserves them, and has the count of the
      // missing posts as its time, also for later starts.
      let mark = Post(id: recovery.lastID, time: missing, topic: "-", text: "").record
      if let code = write(mark, to: descriptor, at: end) { throw .unwritten(path, code) }
      recovery.size = end + mark.count
      guard calls.cut(descriptor, recovery.size) == 0 else { throw .unusable(path, errno) }
    }
    // The posts that were found may not be on the disk yet, and observers will see them.
    guard synchronize(descriptor) else { throw .unconfirmed(path, errno) }
    lastNumber.set(recovery.lastID)
    return recovery
  }

  /// The number of bytes that are read at once at the start. Any record fits.
  private static let recoveryPiece = 1 << 20

  /// The state of looking for posts.
  private struct Scan {
    /// The place of the next line.
    var offset: Int
    /// The end of the last post.
    var end: Int
    var lastID = 0
    /// The number of posts that earlier starts have missed.
    var missing = 0
    /// The counts of damaged lines before the last post and after it.
    var damagedBefore = 0
    private var damagedAfter = 0
    /// The place from which on whole posts are wanted.
    private let keepsFrom: Int

    init(start: Int, keepsFrom: Int) {
      offset = start
      end = start
      self.keepsFrom = keepsFrom
    }

    /// Finds the posts in the lines of a piece. Returns the number of bytes that these lines have.
    mutating func take(_ bytes: UnsafeRawBufferPointer, _ found: (Found) -> Void) -> Int {
      guard let base = bytes.baseAddress else { return 0 }
      var start = 0
      // Safety: `start` is at most `bytes.count`, so the search stays in the buffer.
      while let feed = memchr(base + start, 0x0A, bytes.count - start) {
        let lineEnd = UnsafeRawPointer(feed) - base
        take(
          line: UnsafeRawBufferPointer(rebasing: bytes[start..<lineEnd]), at: offset + start, found)
        start = lineEnd + 1
      }
      return start
    }

    private mutating func take(
      line: UnsafeRawBufferPointer, at place: Int, _ found: (Found) -> Void
    ) {
      guard let parts = RecordParts(line), parts.id > lastID else { return damagedAfter += 1 }
      // A line without a text is no post: it reserves numbers.
      if parts.text.isEmpty {
        missing += parts.time
      } else {
        var post: Post?
        if place >= keepsFrom {
          post = Post(parts, of: line)
          if post == nil { return damagedAfter += 1 }
        }
        guard let (topic, origin) = Post.place(line[parts.topic]) else { return damagedAfter += 1 }
        found(Found(id: parts.id, topic: topic, offset: place, post: post, origin: origin))
      }
      lastID = parts.id
      end = place + line.count + 1
      damagedBefore += damagedAfter
      damagedAfter = 0
    }
  }

  /// True if there is no post, and there was none before, as far as the second file knows.
  var isNew: Bool { (try? sizeOnDisk()) ?? .max <= Self.header.count && lastNumber.value == 0 }

  private func sizeOnDisk() throws(PostFileError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unusable(path, errno) }
    return Int(status.st_size)
  }

  /// Writes bytes to a new file beside this one, and waits until they are on the disk. Returns its path.
  private func keep(_ bytes: [UInt8]) throws(PostFileError) -> String {
    var number = 0
    var other: String
    var file: Int32
    repeat {
      number += 1
      other = "\(path).damaged-\(number)"
      file = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
    } while file < 0 && errno == EEXIST
    guard file >= 0 else { throw .unusable(other, errno) }
    defer { close(file) }
    if let code = write(bytes, to: file, at: 0) {
      unlink(other)
      throw .unwritten(other, code)
    }
    do throws(PostFileError) {
      guard synchronize(file) else { throw .unconfirmed(other, errno) }
      try confirmFolder(of: other)
    } catch {
      unlink(other)
      throw error
    }
    return other
  }

  /// Writes all bytes. Returns the error if that fails.
  private func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int) -> Int32? {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        calls.write(descriptor, $0, offset + written)
      }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return count < 0 ? errno : ENOSPC }
      written += count
    }
    return nil
  }

  /// Waits until a file is on the disk. Returns false if the disk does not confirm it.
  private func synchronize(_ descriptor: Int32) -> Bool {
    while calls.synchronize(descriptor) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  /// Writes bytes at the end of the file, and waits until they are on the disk.
  ///
  /// After ``PostFileError/unwritten(_:_:)`` the file is as before. After
  /// ``PostFileError/unconfirmed(_:_:)`` nobody knows what is on the disk, so the file must not be
  /// used until it is opened again.
  func append(_ bytes: [UInt8], at end: Int) throws(PostFileError) {
    try check(size: end)
    if let code = write(bytes, to: descriptor, at: end) {
      // A part of a batch could become the beginning of the next one.
      guard calls.cut(descriptor, end) == 0 else { throw .unconfirmed(path, errno) }
      throw .unwritten(path, code)
    }
    // If another program has cut the file since it was checked, there is a hole before the bytes.
    if end > 0, readable(at: end - 1, count: 1).bytes == [0] { throw .changed(path) }
    // After a failure the system forgets the bytes, so a second attempt would prove nothing.
    guard synchronize(descriptor) else { throw .unconfirmed(path, errno) }
  }

  /// Notes the number of the newest post, after ``append(_:at:)``.
  func note(last id: Int) {
    lastNumber.set(id)
  }

  /// Fails if others have moved, removed, replaced or changed the file, whose posts would be lost.
  func check(size: Int) throws(PostFileError) {
    var own = stat()
    var named = stat()
    guard fstat(descriptor, &own) == 0 else { throw .unusable(path, errno) }
    guard stat(path, &named) == 0, named.st_dev == own.st_dev, named.st_ino == own.st_ino else {
      throw .gone(path)
    }
    guard Int(own.st_size) == size else { throw .changed(path) }
  }

  /// Reads some posts at the given offsets, in order: as many as a piece holds. At least one is read or
  /// found to be damaged. Posts that the disk cannot read count as damaged.
  func posts(at places: [(id: Int, offset: Int)]) throws(PostFileError) -> Reading {
    guard let first = places.first else { return Reading() }
    let (piece, error) = readable(at: first.offset, count: Self.pieceSize)
    if let error, error != EIO { throw .unusable(path, error) }
    var reading = Reading()
    if error == EIO && piece.isEmpty {
      let unreadable = places.prefix { readable(at: $0.offset, count: 1).error == EIO }
      reading.damaged = Set(unreadable.map(\.id))
      return reading
    }
    var count = 0
    for place in places {
      let start = place.offset - first.offset
      let line = piece[min(start, piece.count)...].prefix { $0 != 0x0A }
      let isComplete = line.endIndex < piece.endIndex
      // The rest of the line may be behind the piece.
      if !isComplete && start > 0 && (piece.count == Self.pieceSize || error != nil) { break }
      guard isComplete, let post = Post(record: line), post.id == place.id else {
        reading.damaged.insert(place.id)
        continue
      }
      count += line.count
      if count > Post.longestText && !reading.posts.isEmpty { break }
      reading.posts.append(post)
    }
    return reading
  }

  /// The number of bytes that are read at once. Any record fits.
  private static let pieceSize = 1 << 18

  private func bytes(at offset: Int, count: Int) throws(PostFileError) -> [UInt8] {
    let (bytes, error) = readable(at: offset, count: count)
    if let error { throw .unusable(path, error) }
    return bytes
  }

  /// Returns the bytes up to the end of the file or up to a place that cannot be read, and the error there.
  private func readable(at offset: Int, count: Int) -> (bytes: [UInt8], error: Int32?) {
    var code: Int32?
    // Safety: the system initialises as many bytes as it says.
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      while initialized < count {
        let whole = UnsafeMutableRawBufferPointer(buffer)
        let rest = UnsafeMutableRawBufferPointer(rebasing: whole[initialized...])
        let read = calls.read(descriptor, rest, offset + initialized)
        if read < 0 && errno == EINTR { continue }
        if read < 0 { code = errno }
        if read <= 0 { break }
        initialized += read
      }
    }
    return (bytes, code)
  }

  /// Waits until the name of the file is on the disk: the process that created it may have ended
  /// before that.
  private func confirmFolder(of path: String) throws(PostFileError) {
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

/// The calls that read and change a file, which a test can let fail.
struct DiskCalls: Sendable {
  var read: @Sendable (Int32, UnsafeMutableRawBufferPointer, _ offset: Int) -> Int = {
    pread($0, $1.baseAddress, $1.count, off_t($2))
  }
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
  case foreignName(String)
  case damagedEnd(String, offset: Int)
  case gone(String)
  case changed(String)
  case unwritten(String, Int32)
  case unconfirmed(String, Int32)

  var description: String {
    switch self {
    case .unusable(let path, let code): "\(path) cannot be used: \(reason(code))."
    case .inUse(let path): "Another board uses \(path). Stop it, or name another file with --data."
    case .foreign(let path): "\(path) is not a file of Board. Name another one with --data."
    case .foreignName(let path):
      """
      \(path) is not the name of a board, which is eight hexadecimal digits. Restore it from a backup: the other boards \
      know the posts by it.
      """
    case .damagedEnd(let path, let offset):
      """
      \(path) is damaged from byte \(offset) to its end, which is more than a crash can cause. Keep this file, \
      and restore another one from a backup.
      """
    case .gone(let path):
      """
      \(path) was moved, removed or replaced, so no post is accepted. Put the file back first. Then send HUP or \
      start Board again.
      """
    case .changed(let path):
      """
      \(path) was changed by another program, so no post is accepted. Restore it from a copy, and start Board \
      again.
      """
    case .unwritten(let path, let code): "\(path) could not be written: \(reason(code))."
    case .unconfirmed(let path, let code):
      "The disk did not confirm \(path): \(reason(code)). Check the disk, then start Board again."
    }
  }
}

private func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
