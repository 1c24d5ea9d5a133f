import RunnelStreams

/// The parser of a stream of server-sent events, by the rules of the HTML standard.
///
/// Lines end with CR, LF, or both. Bytes that are not UTF-8 become replacement characters.
struct EventParser {
  /// A line or an event exceeds the limit.
  struct TooLong: Error {}

  private let limit: Int
  private var line: [UInt8] = []
  private var endsWithReturn = false
  /// True until the first line, which may begin with a byte order mark.
  private var isAtStart = true
  private var data: [UInt8] = []
  private var name = ""
  private var newID: String
  /// The identifier of the last event that was complete.
  private(set) var lastID: String
  /// The time after which a client connects again, once the server has given one.
  private(set) var retry: Duration?

  /// A line, and the data of an event, may have `limit` bytes.
  init(limit: Int, lastID: String = "") {
    self.limit = limit
    self.lastID = lastID
    newID = lastID
  }

  /// Returns the next event in the bytes from an offset, which is moved behind it; nil if more bytes
  /// are needed.
  mutating func next(_ bytes: [UInt8], _ offset: inout Int) throws(TooLong) -> ReceivedEvent? {
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      let followsReturn = exchange(&endsWithReturn, with: byte == UInt8(ascii: "\r"))
      switch byte {
      case UInt8(ascii: "\n") where followsReturn: continue
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        if let event = try finishLine() { return event }
      default:
        if line.count == limit { throw TooLong() }
        line.append(byte)
      }
    }
    return nil
  }

  private mutating func finishLine() throws(TooLong) -> ReceivedEvent? {
    var line = self.line[...]
    if exchange(&isAtStart, with: false) && line.starts(with: [0xEF, 0xBB, 0xBF]) {
      line = line.dropFirst(3)
    }
    defer { self.line.removeAll(keepingCapacity: true) }
    guard !line.isEmpty else { return finishEvent() }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "data":
      if data.count + value.count > limit { throw TooLong() }
      data += value
      data.append(UInt8(ascii: "\n"))
    case "event": name = String(decoding: value, as: UTF8.self)
    case "id": if !value.contains(0) { newID = String(decoding: value, as: UTF8.self) }
    case "retry":
      // A longer number than 12 digits is more than 30 years.
      if !value.isEmpty, value.count <= 12, value.allSatisfy({ $0.isDigit }) {
        retry = .milliseconds(value.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
      }
    // A comment, or an unknown field.
    default: break
    }
    return nil
  }

  private mutating func finishEvent() -> ReceivedEvent? {
    lastID = newID
    let name = exchange(&self.name, with: "")
    var data = exchange(&self.data, with: [])
    if data.isEmpty { return nil }
    data.removeLast()
    return ReceivedEvent(
      String(decoding: data, as: UTF8.self), name: name.isEmpty ? "message" : name, id: lastID)
  }
}
