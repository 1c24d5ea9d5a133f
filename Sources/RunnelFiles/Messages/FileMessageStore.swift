import RunnelBus
import RunnelStreams

/// A file in which the messages of a link wait while its transport is offline. They survive the end of
/// the process, also by `kill -9`.
///
///     let store = try FileMessageStore("/var/lib/shop/orders.queue")
///     try bus.join(broker, exporting: ["orders.#"], queue: LinkQueue(store: store))
///
/// Each change is a record at the end of the file, which the system has when the call returns. It
/// does not wait for the disk: after a crash of the system the last records may be missing. A
/// damaged end is cut off, and a damaged record before others is skipped. The file is rewritten when
/// most of it is no longer needed.
public final class FileMessageStore: MessageStore {
  private let file: AppendedFile
  /// True while a link uses the store.
  private var isInUse = false
  /// The places of the records of the waiting messages.
  private var places: [UInt64: Range<Int>] = [:]
  private var liveBytes = 0
  /// The size from which on the file is rewritten if most of it is not needed.
  private var rewriteSize = smallSize

  private static let header = Array("runnel messages 1\n".utf8)
  /// A file up to this size is not rewritten.
  private static let smallSize = 1 << 16

  /// The path of the file.
  public var path: String { file.path }

  /// Opens the file, or creates it. Throws if another process or another store uses it, or if it is
  /// another kind of file.
  public convenience init(_ path: String) throws(FileError) {
    try self.init(path, .system)
  }

  package init(_ path: String, _ calls: FileCalls) throws(FileError) {
    file = try AppendedFile(path, calls)
    let start = try file.contents(upTo: Self.header.count)
    // A killed process may have written a part of the header.
    guard Self.header.starts(with: start) else { throw .notAFile(path) }
    if start.count < Self.header.count {
      try file.truncate(to: 0)
      try file.append(Self.header)
    }
  }

  // MARK: - Use by a link

  /// Returns the messages that an earlier run has left.
  public func load() throws -> [(number: UInt64, message: TransportMessage)] {
    if isInUse { throw MessageStoreInUse() }
    let bytes = try file.contents()
    var messages: [UInt64: TransportMessage] = [:]
    var offset = Self.header.count
    var damagedCount = 0
    places = [:]
    liveBytes = 0
    while true {
      if let record = MessageRecord(bytes[offset...]) {
        let end = offset + record.count
        switch record.content {
        case .message(let number, let message):
          messages[number] = message
          forget(number)
          add(number, at: offset..<end)
        case .removal(let number):
          messages[number] = nil
          forget(number)
        case .unknown: damagedCount += 1
        }
        offset = end
      } else if let end = MessageRecord.end(bytes[offset...]),
        MessageRecord(bytes[end...]) != nil
      {
        damagedCount += 1
        offset = end
      } else {
        break
      }
    }
    if damagedCount > 0 || offset < bytes.count {
      Log("runnel.files").warning(
        "Messages of an earlier run are damaged.",
        [
          "path": path, "skipped records": "\(damagedCount)",
          "bytes cut off": "\(bytes.count - offset)",
        ])
    }
    if offset < bytes.count { try file.truncate(to: offset) }
    isInUse = true
    return messages.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Lets another link use the store.
  public func close() { isInUse = false }

  /// Adds a message to the file. Traps before ``load()``.
  public func append(_ message: TransportMessage, number: UInt64) throws {
    requireUse()
    let start = file.size
    try file.append(MessageRecord.bytes(of: .message(number, message)))
    add(number, at: start..<file.size)
  }

  /// Notes in the file that a message is no longer needed. Traps before ``load()``.
  public func remove(number: UInt64) throws {
    requireUse()
    guard places[number] != nil else { return }
    forget(number)
    if places.isEmpty && file.size > Self.smallSize {
      rewriteSize = Self.smallSize
      return try file.truncate(to: Self.header.count)
    }
    try file.append(MessageRecord.bytes(of: .removal(number)))
    if file.size > max(rewriteSize, 4 * liveBytes) { try rewrite() }
  }

  private func requireUse() {
    require(isInUse, "Call load() of a FileMessageStore before its other methods.")
  }

  private func add(_ number: UInt64, at place: Range<Int>) {
    places[number] = place
    liveBytes += place.count
  }

  private func forget(_ number: UInt64) {
    liveBytes -= places.removeValue(forKey: number)?.count ?? 0
  }

  /// Replaces the file by one with the waiting messages only.
  private func rewrite() throws(FileError) {
    // If it fails, for example on a full disk, the next attempt comes when the file is twice as large.
    rewriteSize = 2 * file.size
    let old = try file.contents()
    var bytes = Self.header
    var moved: [UInt64: Range<Int>] = [:]
    for (number, place) in places.sorted(by: { $0.key < $1.key }) {
      let start = bytes.count
      bytes += old[place]
      moved[number] = start..<bytes.count
    }
    try file.replace(with: bytes)
    places = moved
    rewriteSize = Self.smallSize
  }
}
