#if GTK
import Glibc
import RunnelDesk

/// The size of a window in cells, and whether it is maximised. The size of a maximised window is its former one.
struct WindowState: Equatable {
  var size: Size
  var isMaximized = false
}

/// The file with the state of an application's first window, which the next run reads.
struct WindowSizeFile {
  private let folder: String
  private var path: String { "\(folder)/window-size" }

  /// Returns nil if there is no folder for the state of programs.
  init?(identifier: String) {
    guard
      let state = Self.variable("XDG_STATE_HOME")
        ?? Self.variable("HOME").map({ "\($0)/.local/state" })
    else { return nil }
    folder = "\(state)/\(identifier)"
  }

  /// Returns the value of an environment variable that is an absolute path.
  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// Reads the state; nil if there is no size that a window can have.
  func read() -> WindowState? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = Glibc.read(file, &bytes, bytes.count)
    let parts = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
      .split(whereSeparator: \.isWhitespace)
    guard parts.count == 2 || parts.count == 3 && parts[2] == Self.maximized,
      let width = Int(parts[0]), let height = Int(parts[1]),
      (20...2_000).contains(width), (4...1_000).contains(height)
    else { return nil }
    return WindowState(
      size: Size(width: width, height: height), isMaximized: parts.count == 3)
  }

  private static let maximized = "maximized"

  /// Writes the state. Without a place for it, the next window has its usual size.
  func write(_ state: WindowState) {
    var end = folder.startIndex
    while let next = folder[end...].dropFirst().firstIndex(of: "/") {
      mkdir(String(folder[..<next]), 0o700)
      end = next
    }
    mkdir(folder, 0o700)
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    let suffix = state.isMaximized ? " \(Self.maximized)" : ""
    let text = "\(state.size.width) \(state.size.height)\(suffix)\n"
    _ = Glibc.write(file, text, text.utf8.count)
    close(file)
  }
}
#endif
