#if GTK
import Foundation
import RunnelTesting
import Testing

private enum AssistiveTechnology {
  static let isInstalled: Bool =
    ["/usr/bin/Xvfb", "/usr/bin/dbus-run-session", "/usr/libexec/at-spi-bus-launcher"]
    .allSatisfy(NotesProgram.isExecutable) && canImport

  /// True if Python has the library that the script imports.
  private static var canImport: Bool {
    let python = Process()
    python.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    python.arguments = ["-c", "import gi; gi.require_version('Atspi', '2.0')"]
    python.standardError = FileHandle.nullDevice
    guard (try? python.run()) != nil else { return false }
    python.waitUntilExit()
    return python.terminationStatus == 0
  }
}

extension GTKTests {
  /// Notes is used by assistive technology alone.
  @Suite(.enabled(if: AssistiveTechnology.isInstalled, "AT-SPI is missing."))
  struct AccessibilityTests {
    private static let script = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Support/notes-by-accessibility.py").path()

    @Test("Notes is usable by assistive technology", arguments: [false, true])
    func notesIsUsableByAssistiveTechnology(_ hasHeaderBar: Bool) async throws {
      try await Self.run(hasHeaderBar: hasHeaderBar) { files in
        #expect(files["Morello.txt"] == "dark and sweet")
        #expect(files["Apple.txt"] == nil && files["Cherry.txt"] == nil)
        #expect(files.keys.count { $0.hasSuffix(".txt") || $0.hasSuffix(".md") } == 3)
      }
    }

    @Test("A listener hears rows, edits and dialogs", .enabled(if: NotesProgram.canSendEvents))
    func listenersHearRowsAndEdits() async throws {
      try await Self.run("events", hasHeaderBar: true) { files in
        #expect(files["Banana.txt"] == "xyyellow")
      }
    }

    /// Runs a part of the script in a session with Notes, and checks the files afterwards.
    private static func run(
      _ part: String = "", hasHeaderBar: Bool,
      _ check: @escaping @Sendable ([String: String]) -> Void
    ) async throws {
      try await ManualContext.onThread { _ in
        Result {
          // Notes ends by its menu or a key, unless the script fails.
          let shell = """
            "$@" & notes=$!
            /usr/bin/python3 '\(script)' \(part); status=$?
            [ $status = 0 ] || kill $notes
            wait $notes
            exit $status
            """
          let notes = try NotesProgram(
            ["Apple.txt": "red", "Banana.txt": "yellow", "Cherry.txt": "dark"],
            launcher: ["/usr/bin/dbus-run-session", "--", "/bin/sh", "-c", shell, "sh"],
            accessibility: "atspi", hasHeaderBar: hasHeaderBar)
          defer { notes.end() }
          let (status, errors) = try notes.waitForExit()
          let output = try notes.output
          try #require(status == 0, "\(output)\(errors)")
          #expect(!errors.contains("Gtk-") && !errors.contains("Fatal"), "\(errors)")
          #expect(output.hasSuffix("done\n"))
          check(try notes.files())
        }
      }.get()
    }
  }
}

#endif
