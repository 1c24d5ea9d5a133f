#if GTK
import Foundation

/// The display of this process, for the function that ends it at exit.
nonisolated(unsafe) private var displayInUse: Display?

/// An X server without a screen. It ends with this object, or with the process that tests.
final class Display: Sendable {
  /// The name of the display, such as ":1".
  let name: String
  private let server: pid_t

  /// Starts a server on a free display. A larger scale has more pixels for the same windows.
  init(scale: Int = 1) throws {
    let (server, output) = (Process(), Pipe())
    server.executableURL = URL(fileURLWithPath: "/usr/bin/Xvfb")
    server.arguments = [
      "-displayfd", "1", "-screen", "0", "\(1400 * scale)x\(1000 * scale)x24", "-nolisten", "tcp",
      // Seconds, because a service may have come and gone before the program that is tested is there.
      "-terminate", "60",
    ]
    server.standardOutput = output
    server.standardError = FileHandle.nullDevice
    try server.run()
    self.server = server.processIdentifier
    var number = ""
    while !number.hasSuffix("\n") {
      let piece = output.fileHandleForReading.availableData
      if piece.isEmpty { throw NoServer() }
      number += String(decoding: piece, as: UTF8.self)
    }
    name = ":" + number.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private struct NoServer: Error {}

  /// Ends the server. It also ends itself a minute after its last client has, but a process of tests may
  /// block the signal that asks for an end.
  func end() { kill(server, SIGKILL) }

  /// The environment of a program that shows its windows here.
  var environment: [String: String] {
    [
      "DISPLAY": name, "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GSETTINGS_BACKEND": "memory",
      // Assistive technology has tests of its own.
      "GTK_A11Y": "none",
      // A bus that GTK starts would outlive the tests.
      "DBUS_SESSION_BUS_ADDRESS": "disabled:",
      "ASAN_OPTIONS": ProcessInfo.processInfo.environment["ASAN_OPTIONS"] ?? "",
    ]
  }

  /// The display of the tests that use GTK in this process.
  @MainActor static let shared: Display? = {
    guard let display = try? Display() else { return nil }
    displayInUse = display
    atexit { displayInUse?.end() }
    unsetenv("WAYLAND_DISPLAY")
    for (name, value) in display.environment { setenv(name, value, 1) }
    Warnings.areIssues
    return display
  }()
}
#endif
