import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTesting

/// A client in a test network that sends frames as they are given, to a server with a WebSocket at
/// "/".
final class RawClient {
  let pair: Pair
  let server: HTTPServer
  /// The bytes after the head of the response.
  private(set) var bytes: [UInt8] = []
  private(set) var head = ""
  private(set) var hasEnded = false

  static let handshake = """
    GET / HTTP/1.1\r
    Host: a.org\r
    Upgrade: websocket\r
    Connection: Upgrade\r
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
    Sec-WebSocket-Version: 13\r
    \r

    """

  init(
    pieces size: Int = 1 << 16, options: WebSocketOptions = WebSocketOptions(),
    sending frames: [Frame] = [], reads: Bool = true, _ change: (TestNetwork) -> Void = { _ in },
    _ handler: @escaping (WebSocket) -> Void
  ) throws {
    pair = try Pair {
      $0.pieceSize = size
      change($0)
    }
    server = HTTPServer(on: pair.network)
    server.webSocket("/", options: options, handler)
    server.serve(pair.far)
    if reads { read() }
    _ = pair.near.write(Array(Self.handshake.utf8) + frames.bytes)
    advance()
  }

  func read() {
    pair.near.bytes.observe(
      next: { [weak self] in self?.take($0) }, failed: { [weak self] _ in self?.hasEnded = true },
      completed: { [weak self] in self?.hasEnded = true })
  }

  private func take(_ piece: [UInt8]) {
    bytes += piece
    guard head.isEmpty else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { return }
    head = String(text[..<end.lowerBound])
    bytes.removeFirst(head.utf8.count + 4)
  }

  func advance(by duration: Duration = .zero) {
    pair.scheduler.advance(by: duration)
  }

  func send(_ frames: Frame...) {
    _ = pair.near.write(frames.bytes)
    advance()
  }

  /// The events of the frames that the server has sent since the last call.
  func receive() -> [MessageAssembler.Event] {
    let result = assemble(bytes, isMasked: false)
    bytes = []
    return result.error == nil ? result.events : []
  }
}

/// A record of the events of a socket, as texts.
final class SocketLog {
  private(set) var lines: [String] = []

  func observe(_ socket: WebSocket) {
    socket.messages.observe(
      next: { [weak self] message in
        switch message {
        case .text(let text): self?.lines.append(text)
        case .binary(let bytes): self?.lines.append("\(bytes)")
        }
      },
      failed: { [weak self] in self?.lines.append("failed: \($0)") },
      completed: { [weak self] in self?.lines.append("completed") })
    observeEnd(of: socket)
  }

  func observeEnd(of socket: WebSocket) {
    socket.closed.observe { [weak self] in self?.lines.append("closed: \($0)") }
  }

  func add(_ line: String) { lines.append(line) }
}
