import Foundation
import Testing

/// Scripts for each feature of the app. The screens that they print are compared with golden files.
/// Set `RECORD_SCREENS` to record the golden files.
@Suite struct ScriptsTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Scripts").path()

  private static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".script") }.sorted()

  @Test func scriptFolderIsNotEmpty() {
    #expect(Self.names.count >= 8)
  }

  @Test(arguments: names)
  func scriptSucceedsAndPrintsGoldenScreens(_ name: String) async throws {
    try await Program.withHome { home in
      try FileManager.default.createDirectory(
        atPath: "\(home)/notes", withIntermediateDirectories: true)
      // Files that a script cannot create. Scripts move them to the notes.
      try FileManager.default.createDirectory(
        atPath: "\(home)/folder", withIntermediateDirectories: true)
      try Data([0x63, 0x61, 0x66, 0xE9, 0x0A]).write(to: URL(fileURLWithPath: "\(home)/latin.txt"))
      let outcome = try await Program.run(
        ["--headless", "--script", "\(Self.folder)/\(name)", "\(home)/notes"],
        environment: ["HOME": home, "TZ": "UTC", "XDG_DATA_HOME": "\(home)/data"])
      #expect(outcome.errors == "")
      #expect(outcome.status == 0)
      let path = "\(Self.folder)/\(name).golden"
      let screens = Self.withoutDates(in: outcome.output)
      if ProcessInfo.processInfo.environment["RECORD_SCREENS"] != nil {
        try Data(screens.utf8).write(to: URL(fileURLWithPath: path))
        Issue.record("\(name): recorded its screens instead of comparing them.")
      }
      let expected = try String(contentsOfFile: path, encoding: .utf8)
      #expect(screens == expected)
    }
  }

  /// Returns the screens with times that differ from run to run replaced by one word. The dates
  /// that scripts set are all in January 2026.
  private static func withoutDates(in screens: String) -> String {
    screens.replacing(#/\d\d:\d\d {5}│|(?!2026-01)20\d\d-\d\d-\d\d│/#, with: "today     │")
  }
}
