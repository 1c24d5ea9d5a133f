import Glibc
import RunnelBus

/// A file in which the messages of a link wait while its transport is offline. They survive the end of
/// the process, also by `kill -9`.
///
///     let store = try FileMessageStore("/var/lib/shop/orders.queue")
///     try bus.join(broker, exporting: ["orders.#"], queue: LinkQueue(store: store))
///
/// Each change is a record at the end of the file, which the system has when the call returns. It
/// does not wait for the disk: after a crash of the system the last records may be missing. A
/// damaged end is cut off. The file is rewritten when most of it is no longer needed.
public final class FileMessageStore: MessageStore {
  /// The path of the file.
  public let path: String
  private var descriptor: Int32
  private var size = 0
  /// The places of the records of the waiting messages.
  private var places: [UInt64: Range<Int>] = [:]
  private var liveBytes = 0

  private static let header = Array("runnel messages 1\n".utf8)
  /// A file up to this size is not rewritten.
  private static let smallSize = 1 << 16

  /// Opens the file, or creates it. Throws if another process uses it, or if it is another kind of
  /// file.
  public init(_ path: String) throws(FileError) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError(SystemError(errno), at: path) }
    var isUsable = false
    defer { if !isUsable { close(descriptor) } }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw FileError(SystemError(errno), at: path)
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(SystemError(errno), at: path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path) }
    // Another process may have replaced the file between the two calls above, and uses the new one.
    var present = stat()
    guard stat(path, &present) == 0, present.st_ino == status.st_ino,
      present.st_dev == status.st_dev
    else { throw FileError(SystemError(EWOULDBLOCK), at: path) }
    size = Int(status.st_size)
    let start = try Self.read(descriptor, 0..<min(size, Self.header.count), path)
    // A killed process may have written a part of the header.
    guard Self.header.starts(with: start) else { throw .notAFile(path) }
    if start.count < Self.header.count {
      size = 0
      try append(Self.header)
    }
    isUsable = true
  }

  deinit { Self.closeUnlocked(descriptor) }

  /// Closes a file. A child process may have a copy of the descriptor for a moment, and with it the
  /// lock.
  private static func closeUnlocked(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Returns the messages that an earlier run has left.
  public func load() throws -> [(number: UInt64, message: TransportMessage)] {
    let bytes = try Self.read(descriptor, 0..<size, path)
    var messages: [UInt64: TransportMessage] = [:]
    var offset = Self.header.count
    places = [:]
    liveBytes = 0
    while let record = MessageRecord(bytes[offset...]) {
      let end = offset + record.count
      switch record.content {
      case .message(let number, let message):
        messages[number] = message
        add(number, at: offset..<end)
      case .removal(let number):
        messages[number] = nil
        forget(number)
      }
      offset = end
    }
    if offset < size {
      guard ftruncate(descriptor, off_t(offset)) == 0 else {
        throw FileError(SystemError(errno), at: path)
      }
      size = offset
    }
    return messages.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Adds a message to the file.
  public func append(_ message: TransportMessage, number: UInt64) throws {
    let start = size
    try append(MessageRecord.bytes(of: .message(number, message)))
    add(number, at: start..<size)
  }

  /// Notes in the file that a message is no longer needed.
  public func remove(number: UInt64) throws {
    guard places[number] != nil else { return }
    forget(number)
    if places.isEmpty && size > Self.smallSize {
      guard ftruncate(descriptor, off_t(Self.header.count)) == 0 else {
        throw FileError(SystemError(errno), at: path)
      }
      size = Self.header.count
      return
    }
    try append(MessageRecord.bytes(of: .removal(number)))
    if size > max(Self.smallSize, 4 * liveBytes) { try rewrite() }
  }

  private func add(_ number: UInt64, at place: Range<Int>) {
    places[number] = place
    liveBytes += place.count
  }

  private func forget(_ number: UInt64) {
    liveBytes -= places.removeValue(forKey: number)?.count ?? 0
  }

  // MARK: - Writing

  private func append(_ bytes: [UInt8]) throws(FileError) {
    try Self.write(bytes, to: descriptor, at: size, path)
    size += bytes.count
  }

  /// Writes the messages that wait to a new file, which replaces this one.
  private func rewrite() throws(FileError) {
    let provisional = "\(path).new"
    let other = open(provisional, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard other >= 0 else { throw FileError(SystemError(errno), at: provisional) }
    var isReplaced = false
    defer {
      if !isReplaced {
        close(other)
        unlink(provisional)
      }
    }
    guard flock(other, LOCK_EX | LOCK_NB) == 0 else {
      throw FileError(SystemError(errno), at: provisional)
    }
    var bytes = Self.header
    var moved: [UInt64: Range<Int>] = [:]
    for (number, place) in places.sorted(by: { $0.key < $1.key }) {
      let start = bytes.count
      bytes += try Self.read(descriptor, place, path)
      moved[number] = start..<bytes.count
    }
    try Self.write(bytes, to: other, at: 0, provisional)
    guard rename(provisional, path) == 0 else { throw FileError(SystemError(errno), at: path) }
    isReplaced = true
    Self.closeUnlocked(descriptor)
    descriptor = other
    size = bytes.count
    places = moved
  }

  private static func write(
    _ bytes: [UInt8], to descriptor: Int32, at offset: Int, _ path: String
  ) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + written))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        let code = count < 0 ? errno : ENOSPC
        // A part of a record would hide the records after it.
        ftruncate(descriptor, off_t(offset))
        throw FileError(SystemError(code), at: path)
      }
      written += count
    }
  }

  private static func read(
    _ descriptor: Int32, _ range: Range<Int>, _ path: String
  ) throws(FileError) -> [UInt8] {
    var code: Int32 = 0
    // Safety: the system initialises as many bytes as it says.
    let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initialized in
      while initialized < range.count {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[initialized...])
        let count = pread(
          descriptor, rest.baseAddress, rest.count, off_t(range.lowerBound + initialized))
        if count < 0 && errno == EINTR { continue }
        if count < 0 { code = errno }
        if count <= 0 { break }
        initialized += count
      }
    }
    if code != 0 { throw FileError(SystemError(code), at: path) }
    return bytes
  }
}
