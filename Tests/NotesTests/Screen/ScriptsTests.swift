import Foundation
import Testing

/// The features of the app, as a person uses them: each is a script in the folder beside.
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
      let outcome = try await Program.run(
        ["--headless", "--script", "\(Self.folder)/\(name)", "\(home)/notes"],
        environment: ["HOME": home, "TZ": "UTC", "XDG_DATA_HOME": "\(home)/data"])
      #expect(outcome.errors == "")
      #expect(outcome.status == 0)
      // What the script prints, if it does.
      let golden = "\(Self.folder)/\(name).golden"
      if let expected = try? String(contentsOfFile: golden, encoding: .utf8) {
        #expect(outcome.output == expected)
      } else {
        #expect(outcome.output == "")
      }
    }
  }
}
