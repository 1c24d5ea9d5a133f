import Foundation
import FoundationNetworking
import RunnelTesting

/// The test server `server.py` in a separate process, and its log.
final class Server: Sendable {
  private let child: Child
  private let port: String
  private let refusingPort: String

  fileprivate init() {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "server.py")
    child = Child(["python3", "-I", script.path()])
    guard let port = child.readLine(), let refusingPort = child.readLine() else {
      fatalError("The tests' server does not start. Scripts/setup installs python3.")
    }
    self.port = port
    self.refusingPort = refusingPort
  }

  /// Returns the URL of a path on the server.
  func url(_ path: String) -> URL { Self.url(path, port) }

  /// A URL on this machine whose port refuses connections.
  var refusing: URL { Self.url("/", refusingPort) }

  private static func url(_ path: String, _ port: String) -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
      fatalError("\(path) is no path.")
    }
    return url
  }

  /// Waits for the next line of the log.
  func nextLine() -> String? { child.readLine() }

  /// Waits for the next line of the log without blocking the calling thread.
  func nextLine() async -> String? {
    await ManualContext.onThread { _ in self.nextLine() }
  }

  /// Returns the unread lines of the log, up to a final request that this method sends.
  func remainingLines() -> [String] {
    var lines: [String] = []
    URLSession(configuration: .ephemeral).dataTask(with: url("/status/299")) { _, _, _ in }.resume()
    while let line = nextLine(), line != "GET /status/299" { lines.append(line) }
    return lines
  }
}

/// Runs the body of a test with a server and a context, on a thread that may block. The server ends
/// afterwards.
func withServer<Output: Sendable>(
  _ body: @escaping @Sendable (Server, ManualContext) -> Output
) async -> Output {
  await ManualContext.onThread { home in body(Server(), home) }
}

/// Starts a server that ends when it is released.
func startServer() async -> Server {
  await ManualContext.onThread { _ in Server() }
}
