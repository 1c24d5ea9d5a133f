#if GTK
import Foundation
import RunnelDesk
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

    @Test func picturesHaveTheResolutionOfTheScreen() async throws {
      let sizes = try await ManualContext.onThread { _ in
        Result { try [1, 2].map(Self.sizeOfPicture) }
      }.get()
      #expect(sizes[0].width > 400 && sizes[0].height > 200)
      #expect(sizes[1] == Size(width: 2 * sizes[0].width, height: 2 * sizes[0].height))
    }

    /// Returns the size of a picture of the window on a screen with small pixels.
    private static func sizeOfPicture(scale: Int) throws -> Size {
      let home = FileManager.default.temporaryDirectory.appending(path: "picture-\(UUID())").path()
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: home) }
      let script = "\(home)/script"
      try "type milk\npicture \(home)/picture.png\n"
        .write(toFile: script, atomically: false, encoding: .utf8)
      let (status, errors) = try run(script, scale: scale)
      #expect(status == 0 && errors == "", "\(errors)")
      return try PixelImage(png: Array(Data(contentsOf: URL(filePath: "\(home)/picture.png")))).size
    }

    private static func run(_ script: String, scale: Int = 1) throws -> (Int32, String) {
      let display = try Display(scale: scale)
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
      program.executableURL = URL(fileURLWithPath: NotesProgram.path)
      program.arguments = ["--menu-bar", "--script", script, "\(home)/notes"]
      program.environment = display.environment.merging([
        "HOME": home, "TZ": "UTC", "XDG_DATA_HOME": "\(home)/data", "GDK_SCALE": "\(scale)",
      ]) { $1 }
      program.standardOutput = FileHandle.nullDevice
      program.standardError = errors
      try program.run()
      let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      program.waitUntilExit()
      return (program.terminationStatus, text)
    }
  }
}
#endif
