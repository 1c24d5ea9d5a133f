import RunnelNet

/// A frame of RFC 6455, as a test writes it.
struct Frame {
  var opcode: UInt8
  var payload: [UInt8] = []
  var isFinal = true
  var reserved: UInt8 = 0
  /// Nil is the frame of a server.
  var mask: [UInt8]? = [0x37, 0xFA, 0x21, 0x3D]
  /// The number of bytes of the length: 0, 2 or 8; nil is the shortest form.
  var lengthCount: Int?

  static func text(_ text: String, isFinal: Bool = true) -> Frame {
    Frame(opcode: 1, payload: Array(text.utf8), isFinal: isFinal)
  }

  static func continuation(_ text: String, isFinal: Bool = true) -> Frame {
    Frame(opcode: 0, payload: Array(text.utf8), isFinal: isFinal)
  }

  static func close(_ code: Int, _ reason: String = "") -> Frame {
    Frame(opcode: 8, payload: [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8))
  }

  var bytes: [UInt8] {
    let count = payload.count
    let width = lengthCount ?? (count < 126 ? 0 : count < 65_536 ? 2 : 8)
    let short = width == 0 ? UInt8(count) : width == 2 ? 126 : 127
    var bytes = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode, short | (mask == nil ? 0 : 0x80)]
    for index in 0..<width { bytes.append(UInt8(count >> (8 * (width - 1 - index)) & 255)) }
    guard let mask else { return bytes + payload }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }
}

extension [Frame] {
  var bytes: [UInt8] { flatMap(\.bytes) }
  /// The frames as a server sends them.
  var unmasked: [Frame] {
    map {
      var frame = $0
      frame.mask = nil
      return frame
    }
  }
}

/// The events of bytes that arrive in pieces of a size, and the error that ends them. The second
/// number is the count of bytes after which the error was found.
func assemble(
  _ bytes: [UInt8], pieces size: Int = .max, isMasked: Bool = true, limit: Int = 1 << 20,
  fragments: Int = 100
) -> (events: [MessageAssembler.Event], error: WebSocketError?, count: Int) {
  var assembler = MessageAssembler(
    isMasked: isMasked, limits: .init(size: limit, fragments: fragments))
  var events: [MessageAssembler.Event] = []
  var rest: [UInt8] = []
  var arrived = 0
  while arrived < bytes.count {
    let count = min(size, bytes.count - arrived)
    rest += bytes[arrived..<arrived + count]
    arrived += count
    var used = 0
    let error = rest.withUnsafeBytes { bytes -> WebSocketError? in
      do throws(WebSocketError) {
        while let event = try assembler.next(bytes, &used) { events.append(event) }
        return nil
      } catch {
        return error
      }
    }
    if let error { return (events, error, arrived) }
    rest.removeFirst(used)
  }
  return (events, nil, arrived)
}
