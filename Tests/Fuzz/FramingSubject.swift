import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTesting

/// The formats that the first byte of an input selects.
private let framings: [Framing] =
  (1...8).flatMap {
    [
      Framing.lengthPrefixed(by: $0, longest: 300),
      .lengthPrefixed(by: $0, .littleEndian, longest: 300),
    ]
  } + [
    .varintPrefixed(longest: 300), .delimited(by: [0], longest: 300),
    .delimited(by: Array("aab".utf8), longest: 300), .fixed(3),
  ]

/// Decodes bytes as messages or lines, in all at once and in small pieces. Traps if the results
/// differ, or if the messages that were sent are not the beginning of the bytes.
func fuzzFraming(_ input: [UInt8]) {
  guard input.count > 2 else { return }
  let bytes = Array(input.dropFirst(2))
  let size = 1 + Int(input[1] % 7)
  if Int(input[0]) % (framings.count + 1) == framings.count {
    let whole = events(of: bytes, pieces: 1 << 16) { $0.lines(longest: 40) }
    precondition(events(of: bytes, pieces: size) { $0.lines(longest: 40) } == whole)
    return
  }
  let framing = framings[Int(input[0]) % (framings.count + 1)]
  let whole = events(of: bytes, pieces: 1 << 16) { $0.messages(framed: framing) }
  precondition(events(of: bytes, pieces: size) { $0.messages(framed: framing) } == whole)
  // A number of variable length can be written in several ways.
  if framing != .varintPrefixed(longest: 300) {
    let encoded = whole.compactMap(\.element).flatMap { framing.encode($0) }
    precondition(bytes.starts(with: encoded))
  }
}

/// Returns the events of a stream of a connection that receives bytes in pieces.
private func events<Element>(
  of bytes: [UInt8], pieces size: Int,
  _ stream: @escaping (Connection) -> EventStream<Element, SocketError>
) -> [StreamEvent<Element, SocketError>] {
  let scheduler = TestScheduler()
  let network = TestNetwork(on: scheduler)
  network.pieceSize = size
  var events: [StreamEvent<Element, SocketError>] = []
  guard let server = try? Listener(.tcp("server", port: 1), on: network) else { return [] }
  let accepting = server.connections.observeNext { connection in
    stream(connection).observe { events.append($0) }
  }
  Connection.connect(to: .tcp("server", port: 1), on: network).observe(
    succeeded: { _ = $0.write(bytes) }, failed: { _ in })
  scheduler.run()
  accepting.dispose()
  return events
}
