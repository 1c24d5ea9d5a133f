import Glibc
import TestSupport
import Testing

/// The program as a process.
enum BoardProgram {
  /// The path. It has the name of the product, or of the target if only some targets are built.
  static let path: String = {
    let path = "\(Fixture.folder)/board"
    return access(path, X_OK) == 0 ? path : "\(Fixture.folder)/Board"
  }()

  /// The number of a free port, outside the range from which the system chooses ports, so that a
  /// server can be started again at it.
  static func freePort() -> UInt16 {
    var random = SystemRandomNumberGenerator()
    while true {
      let port = UInt16.random(in: 10_000..<32_000, using: &random)
      if BoardPeer(port: port) == nil { return port }
    }
  }

  /// Runs a server at a free port, and a body with its port. Blocks.
  static func serve<Output>(
    _ options: [String], _ body: (_ server: Fixture, _ port: UInt16) -> Output
  ) -> Output? {
    // The standard error is read together with the output.
    let command = "exec \"$0\" serve --port 0 \"$@\" 2>&1"
    return withProcessHere(["/bin/sh", "-c", command, path] + options) { server in
      guard let port = port(of: server) else {
        Issue.record("The server does not listen.")
        return nil
      }
      return body(server, port)
    }
  }

  /// Reads lines up to the one that names the port.
  static func port(of server: Fixture) -> UInt16? {
    while let line = server.readLine() {
      guard line.hasPrefix("Board at http://") else { continue }
      return line.dropLast().split(separator: ":").last.flatMap { UInt16($0) }
    }
    return nil
  }
}

/// A connection to the program, with blocking calls.
final class BoardPeer {
  private let socket: Int32
  private var unread: [UInt8] = []

  init?(port: UInt16) {
    guard let socket = loopbackSocket(connect, port) else { return nil }
    self.socket = socket
  }

  deinit {
    close(socket)
  }

  /// The answer to a request.
  struct Answer {
    let status: Int
    let body: String
    let isLast: Bool
    /// The number in a body such as `{"id":7}`.
    var id: Int? { Int(body.filter { $0.isNumber }) }
  }

  /// Publishes a text. Returns nil if the connection ended before the answer.
  func publish(_ text: String, in topic: String = "load", token: String? = nil) -> Answer? {
    let field = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    return answer(
      to: "POST /topics/\(topic) HTTP/1.1\r\nHost: localhost\r\n\(field)"
        + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)")
  }

  /// Sends a request, and reads its answer.
  func answer(to request: String) -> Answer? {
    guard send(request), let head = readHead() else { return nil }
    let lines = head.split(separator: "\r\n")
    let fields = lines.dropFirst().map { $0.lowercased() }
    let count = fields.first { $0.hasPrefix("content-length: ") }.flatMap { Int($0.dropFirst(16)) }
    guard let status = lines.first.flatMap({ Int($0.dropFirst(9).prefix(3)) }),
      let body = read(count ?? 0)
    else { return nil }
    return Answer(status: status, body: body, isLast: fields.contains("connection: close"))
  }

  @discardableResult
  func send(_ text: String) -> Bool {
    Glibc.send(socket, text, text.utf8.count, Int32(MSG_NOSIGNAL)) == text.utf8.count
  }

  /// Reads up to the empty line; returns nil at the end.
  func readHead() -> String? {
    let ending = Array("\r\n\r\n".utf8)
    while true {
      let place = unread.indices.first { unread[$0...].starts(with: ending) }
      if let place {
        defer { unread.removeFirst(place + 4) }
        return String(decoding: unread[..<place], as: UTF8.self)
      }
      guard receive() else { return nil }
    }
  }

  /// Reads until a text has arrived; returns all of it. Returns nil at the end.
  func read(to text: String) -> String? {
    while true {
      let all = String(decoding: unread, as: UTF8.self)
      if all.contains(text) { return all }
      guard receive() else { return nil }
    }
  }

  private func read(_ count: Int) -> String? {
    while unread.count < count { guard receive() else { return nil } }
    defer { unread.removeFirst(count) }
    return String(decoding: unread.prefix(count), as: UTF8.self)
  }

  private func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(socket, &buffer, buffer.count, 0)
    if count > 0 { unread += buffer.prefix(count) }
    return count > 0
  }
}
