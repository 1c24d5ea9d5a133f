import RunnelNet

/// Reads bytes as frames of a WebSocket, all at once and in small pieces. Traps if the events
/// differ.
func fuzzWebSocket(_ input: [UInt8]) {
  guard input.count > 2 else { return }
  let bytes = Array(input.dropFirst())
  let size = 1 + Int((input[0] >> 1) % 7)
  let isMasked = input[0] & 1 == 0
  let whole = events(of: bytes, pieces: bytes.count, isMasked)
  let parts = events(of: bytes, pieces: size, isMasked)
  precondition(whole == parts, "\(whole) differs from \(parts)")
}

private func events(of bytes: [UInt8], pieces size: Int, _ isMasked: Bool) -> [String] {
  var assembler = MessageAssembler(
    isMasked: isMasked, limits: MessageAssembler.Limits(size: 100, fragments: 4))
  var events: [String] = []
  // The bytes that are not used up, as a connection keeps them.
  var rest: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: size) {
    rest += bytes[start..<min(start + size, bytes.count)]
    var offset = 0
    do throws(WebSocketError) {
      while let event = try next(&assembler, rest, &offset) { events.append("\(event)") }
    } catch {
      events.append("\(error)")
      return events
    }
    rest.removeFirst(offset)
  }
  return events
}

private func next(
  _ assembler: inout MessageAssembler, _ bytes: [UInt8], _ offset: inout Int
) throws(WebSocketError) -> MessageAssembler.Event? {
  var failure: WebSocketError?
  let event = bytes.withUnsafeBytes { bytes -> MessageAssembler.Event? in
    do throws(WebSocketError) {
      return try assembler.next(bytes, &offset)
    } catch {
      failure = error
      return nil
    }
  }
  if let failure { throw failure }
  return event
}
