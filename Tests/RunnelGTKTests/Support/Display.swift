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

  /// The display of the tests that use GTK in this process.
  @MainActor static let shared: Display? = {
    guard let display = try? Display() else { return nil }
    displayInUse = display
    atexit { displayInUse?.end() }
    setenv("DISPLAY", display.name, 1)
    unsetenv("WAYLAND_DISPLAY")
    setenv("GDK_BACKEND", "x11", 1)
    setenv("GSK_RENDERER", "cairo", 1)
    // Assistive technology has tests of its own.
    setenv("GTK_A11Y", "none", 1)
    // A bus that GTK starts would outlive the tests.
    setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1)
    setenv("GSETTINGS_BACKEND", "memory", 1)
    Warnings.areIssues
    return display
  }()
}
#endif
