import RunnelBus

/// A record of a ``FileMessageStore``: a length, a checksum, and a change.
///
/// Integers are little-endian. The bytes after the checksum are a tag, a number and, for a message,
/// its parts. An end that a crash has cut or damaged is no record.
struct MessageRecord {
  enum Content: Equatable {
    case message(UInt64, TransportMessage)
    case removal(UInt64)
    /// A change of a later version of the library.
    case unknown
  }

  let content: Content
  /// The number of bytes of the record.
  let count: Int

  private static let headCount = 12
  private static let removalTag: UInt8 = 0
  private static let messageTag: UInt8 = 1

  /// Reads the record at the beginning of bytes; nil if there is none.
  init?(_ bytes: ArraySlice<UInt8>) {
    var head = Reader(bytes)
    guard let length = head.integer(UInt32.self), let checksum = head.integer(UInt64.self),
      let body = head.bytes(Int(length)), Checksum.of(body) == checksum
    else { return nil }
    var reader = Reader(body)
    guard let tag = reader.integer(UInt8.self), let number = reader.integer(UInt64.self) else {
      return nil
    }
    switch tag {
    case Self.removalTag: content = .removal(number)
    case Self.messageTag:
      guard let message = reader.message() else { return nil }
      content = .message(number, message)
    default: content = .unknown
    }
    count = Self.headCount + Int(length)
  }

  /// The end of the bytes of a record, damaged or not, at the beginning of bytes; nil if there are fewer.
  static func end(_ bytes: ArraySlice<UInt8>) -> Int? {
    var head = Reader(bytes)
    guard let length = head.integer(UInt32.self), bytes.count >= headCount + Int(length) else {
      return nil
    }
    return bytes.startIndex + headCount + Int(length)
  }

  /// Returns a record with a content.
  static func bytes(of content: Content) -> [UInt8] {
    var body: [UInt8] = []
    switch content {
    case .removal(let number):
      body.append(removalTag)
      body.append(integer: number)
    case .message(let number, let message):
      body.append(messageTag)
      body.append(integer: number)
      body.append(message)
    case .unknown: break
    }
    var record: [UInt8] = []
    record.append(integer: UInt32(body.count))
    record.append(integer: Checksum.of(body))
    return record + body
  }
}

/// Reads the parts of a record.
private struct Reader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    bytes(MemoryLayout<Number>.size)?.reversed().reduce(0) { $0 << 8 | Number($1) }
  }

  mutating func text() -> String? {
    guard let count = integer(UInt32.self), let bytes = bytes(Int(count)) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  mutating func message() -> TransportMessage? {
    guard let flags = integer(UInt8.self), let topic = text(), let stamp = text() else {
      return nil
    }
    let kinds: [MessageKind] = [.event, .sticky, .cleared]
    guard flags & 3 < 3 else { return nil }
    return TransportMessage(
      topic: topic, kind: kinds[Int(flags & 3)], payload: Array(rest), stamp: EventStamp(stamp),
      isAcknowledged: flags & 4 != 0, isRepeated: flags & 8 != 0)
  }
}

extension [UInt8] {
  fileprivate mutating func append<Number: FixedWidthInteger>(integer number: Number) {
    for shift in 0..<MemoryLayout<Number>.size {
      append(UInt8(truncatingIfNeeded: number >> (8 * shift)))
    }
  }

  fileprivate mutating func append(_ text: String) {
    append(integer: UInt32(text.utf8.count))
    self += text.utf8
  }

  fileprivate mutating func append(_ message: TransportMessage) {
    let kind: UInt8 =
      switch message.kind {
      case .event: 0
      case .sticky: 1
      case .cleared: 2
      }
    append(
      kind | (message.isAcknowledged ? 4 : 0) as UInt8 | (message.isRepeated ? 8 : 0) as UInt8)
    append(message.topic)
    append(message.stamp?.description ?? "")
    self += message.payload
  }
}
