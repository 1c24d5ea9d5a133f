import Foundation
import FoundationNetworking
import RunnelTesting

/// The server of `server.py`, in a process of its own, and what it says.
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

  /// What the server has at a path.
  func url(_ path: String) -> URL { Self.url(path, port) }

  /// A place on this machine where nobody listens.
  var refusing: URL { Self.url("/", refusingPort) }

  private static func url(_ path: String, _ port: String) -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
      fatalError("\(path) is no path.")
    }
    return url
  }

  /// Waits for the next thing that happens there.
  func nextLine() -> String? { child.readLine() }

  /// The same for those who may not wait.
  func nextLine() async -> String? {
    await ManualContext.onThread { _ in self.nextLine() }
  }

  /// What has happened there, and was not read yet. Its proof is a last request, made by nobody else.
  func remainingLines() -> [String] {
    var lines: [String] = []
    URLSession(configuration: .ephemeral).dataTask(with: url("/status/299")) { _, _, _ in }.resume()
    while let line = nextLine(), line != "GET /status/299" { lines.append(line) }
    return lines
  }
}

/// Runs the body of a test with a server, on a thread that may wait, in a context of its own.
/// Whatever the body does, the server is gone afterwards.
func withServer<Output: Sendable>(
  _ body: @escaping @Sendable (Server, ManualContext) -> Output
) async -> Output {
  await ManualContext.onThread { home in body(Server(), home) }
}

/// Starts a server that is gone when it is let go of.
func startServer() async -> Server {
  await ManualContext.onThread { _ in Server() }
}
