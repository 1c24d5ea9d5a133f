#if GTK
import Glibc
import RunnelDesk

/// A file with something that an application remembers about its windows for the next run.
struct StateFile {
  private let folder: String
  private let name: String
  private var path: String { "\(folder)/\(name)" }

  /// Returns nil if there is no folder for the state of programs.
  init?(_ name: String, of identifier: String) {
    guard
      let state = Self.variable("XDG_STATE_HOME")
        ?? Self.variable("HOME").map({ "\($0)/.local/state" })
    else { return nil }
    folder = "\(state)/\(identifier)"
    self.name = name
  }

  /// Returns the value of an environment variable that is an absolute path.
  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  private static let maximumLength = 200

  /// Reads the first line; nil if there is none that a run may have written.
  func read() -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Self.maximumLength + 1)
    let count = Glibc.read(file, &bytes, bytes.count)
    guard (1...Self.maximumLength).contains(count) else { return nil }
    return String(
      validating: bytes.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// Writes a line, or removes the file for nil. Without a place for it, the next run does not know it.
  func write(_ line: String?) {
    guard let line, line.utf8.count < Self.maximumLength else {
      unlink(path)
      return
    }
    var end = folder.startIndex
    while let next = folder[end...].dropFirst().firstIndex(of: "/") {
      mkdir(String(folder[..<next]), 0o700)
      end = next
    }
    mkdir(folder, 0o700)
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    let text = line + "\n"
    _ = Glibc.write(file, text, text.utf8.count)
    close(file)
  }
}

/// The size of a window in cells, and whether it is maximised. The size of a maximised window is its former one.
struct WindowState: Equatable {
  var size: Size
  var isMaximized = false
}

extension WindowState {
  private static let maximized = "maximized"

  /// Reads a line such as "80 24" or "80 24 maximized"; nil if no window can have the size.
  init?(line: String) {
    let parts = line.split(whereSeparator: \.isWhitespace)
    guard parts.count == 2 || parts.count == 3 && parts[2] == Self.maximized,
      let width = Int(parts[0]), let height = Int(parts[1]),
      (20...2_000).contains(width), (4...1_000).contains(height)
    else { return nil }
    self.init(size: Size(width: width, height: height), isMaximized: parts.count == 3)
  }

  var line: String {
    "\(size.width) \(size.height)" + (isMaximized ? " \(Self.maximized)" : "")
  }
}
#endif
