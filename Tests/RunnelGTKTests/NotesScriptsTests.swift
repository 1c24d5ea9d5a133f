#if GTK
import Foundation
import RunnelTesting
import Testing

extension GTKTests {
  /// The scripts of Notes, in a window. What they expect on the screen is what the widgets show.
  @Suite struct NotesScriptsTests {
    private static let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "NotesTests/Scripts").path()

    private static let names =
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { $0.hasSuffix(".script") }.sorted()

    @Test func scriptFolderIsNotEmpty() { #expect(Self.names.count >= 8) }

    @Test(arguments: names)
    func scriptSucceeds(_ name: String) async throws {
      let script = "\(Self.folder)/\(name)"
      let (status, errors) = try await ManualContext.onThread { _ in
        Result { try Self.run(script) }
      }.get()
      #expect(errors == "")
      #expect(status == 0)
    }

    private static func run(_ script: String) throws -> (Int32, String) {
      let display = try Display()
      defer { display.end() }
      let home = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID())").path()
      let files = FileManager.default
      for folder in ["notes", "folder"] {
        try files.createDirectory(
          atPath: "\(home)/\(folder)", withIntermediateDirectories: true)
      }
      defer { try? files.removeItem(atPath: home) }
      try Data([0x63, 0x61, 0x66, 0xE9, 0x0A]).write(to: URL(fileURLWithPath: "\(home)/latin.txt"))
      let (program, errors) = (Process(), Pipe())
      program.executableURL = URL(fileURLWithPath: notes)
      program.arguments = ["--window", "--script", script, "\(home)/notes"]
      program.environment = [
        "HOME": home, "TZ": "UTC", "XDG_DATA_HOME": "\(home)/data", "DISPLAY": display.name,
        "GSK_RENDERER": "cairo", "GTK_A11Y": "none", "GDK_BACKEND": "x11",
        "DBUS_SESSION_BUS_ADDRESS": "disabled:", "GSETTINGS_BACKEND": "memory",
      ]
      program.standardOutput = FileHandle.nullDevice
      program.standardError = errors
      try program.run()
      let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      program.waitUntilExit()
      return (program.terminationStatus, text)
    }

    private static var notes: String {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        .map {
          URL(fileURLWithPath: $0).deletingLastPathComponent().appending(path: "Notes").path()
        }
        ?? ""
    }
  }
}
#endif
