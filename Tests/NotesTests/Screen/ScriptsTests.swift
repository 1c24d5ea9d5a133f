import Foundation
import Testing

/// The features of the app, as a person uses them: each is a script in the folder beside, and beside it
/// are the screens that it prints. With `RECORD_SCREENS` set, those are written anew.
@Suite struct ScriptsTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Scripts").path()

  private static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".script") }.sorted()

  @Test func thereAreScripts() {
    #expect(Self.names.count >= 8)
  }

  @Test(arguments: names)
  func everyStepHoldsAndTheScreenIsAsItWas(_ name: String) async throws {
    try await Program.withHome { home in
      try FileManager.default.createDirectory(
        atPath: "\(home)/notes", withIntermediateDirectories: true)
      // What no script can make, to be moved to the notes.
      try FileManager.default.createDirectory(
        atPath: "\(home)/folder", withIntermediateDirectories: true)
      try Data([0x63, 0x61, 0x66, 0xE9, 0x0A]).write(to: URL(fileURLWithPath: "\(home)/latin.txt"))
      let outcome = try await Program.run(
        ["--headless", "--script", "\(Self.folder)/\(name)", "\(home)/notes"],
        environment: ["HOME": home, "TZ": "UTC", "XDG_DATA_HOME": "\(home)/data"])
      #expect(outcome.errors == "")
      #expect(outcome.status == 0)
      let path = "\(Self.folder)/\(name).golden"
      let screens = Self.datesTaken(from: outcome.output)
      if ProcessInfo.processInfo.environment["RECORD_SCREENS"] != nil {
        try Data(screens.utf8).write(to: URL(fileURLWithPath: path))
        Issue.record("\(name): its screens are recorded, and not compared.")
      }
      let expected = try String(contentsOfFile: path, encoding: .utf8)
      #expect(screens == expected)
    }
  }

  /// The screens with one word for each time that is not the same in every run: what a script sets
  /// itself lies in one month.
  private static func datesTaken(from screens: String) -> String {
    screens.replacing(#/\d\d:\d\d {5}│|(?!2026-01)20\d\d-\d\d-\d\d│/#, with: "today     │")
  }
}
