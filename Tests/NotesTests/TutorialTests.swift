import Foundation
import Testing

/// The code in the tutorial is that of the app, and its pictures show the app.
@Suite struct TutorialTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path()

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }

  /// Returns the text of all source files of the app, without indentation.
  private static func source() throws -> String {
    let folder = "\(root)/Samples/Notes"
    let files = (FileManager.default.enumerator(atPath: folder)?.allObjects ?? [])
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
    return try files.map { withoutIndentation(try text("Samples/Notes/\($0)")) }.joined(
      separator: "\n")
  }

  private static func withoutIndentation(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.drop { $0 == " " } }.joined(separator: "\n")
  }

  @Test func quotedCodeIsInSource() throws {
    let parts = try Self.text("Documentation/Tutorial.md").components(separatedBy: "```")
    let quotes = parts.filter { $0.hasPrefix("swift\n") }.map {
      Self.withoutIndentation(String($0.dropFirst(6)))
    }
    #expect(quotes.count >= 10)
    let source = try Self.source()
    for quote in quotes { #expect(source.contains(quote), "not in Samples/Notes:\n\(quote)") }
  }

  /// An opening fence names a language, and a closing fence does not.
  @Test func fencesArePaired() throws {
    let lines = try Self.text("Documentation/Tutorial.md").split(separator: "\n")
    for (index, fence) in lines.filter({ $0.hasPrefix("```") }).enumerated() {
      #expect((fence == "```") == (index % 2 == 1), "\(fence), number \(index + 1)")
    }
  }

  @Test func scriptInTutorialSucceeds() async throws {
    let parts = try Self.text("Documentation/Tutorial.md").components(separatedBy: "```text\n")
    let script = try #require(parts.dropFirst().first?.components(separatedBy: "```").first)
    try await Program.withHome { home in
      try FileManager.default.createDirectory(
        atPath: "\(home)/notes", withIntermediateDirectories: true)
      try script.write(toFile: "\(home)/script", atomically: true, encoding: .utf8)
      let outcome = try await Program.run(
        ["--headless", "--script", "\(home)/script", "\(home)/notes"],
        environment: ["HOME": home, "TZ": "UTC"])
      #expect(outcome == Program.Outcome(status: 0, output: "", errors: ""))
    }
  }

  @Test func appHasFewerThan2200Lines() throws {
    let lines = try Self.source().split(separator: "\n").filter { !$0.hasPrefix("//") }
    #expect(lines.count < 2_200)
  }

  @Test func picturesMatchApp() async throws {
    try await Program.withHome { home in
      try FileManager.default.createDirectory(
        atPath: "\(home)/notes", withIntermediateDirectories: true)
      let outcome = try await Program.run(
        [
          "--headless", "--script", "\(Self.root)/Documentation/Pictures/tutorial.script",
          "\(home)/notes",
        ], environment: ["HOME": home, "TZ": "UTC"])
      #expect(outcome == Program.Outcome(status: 0, output: "", errors: ""))
      let names = try FileManager.default.contentsOfDirectory(atPath: home)
        .filter { $0.hasSuffix(".svg") }
      #expect(names.count >= 5)
      for name in names {
        let picture = try String(contentsOfFile: "\(home)/\(name)", encoding: .utf8)
        let kept = try Self.text("Documentation/Pictures/\(name)")
        #expect(kept == picture, "\(name): run Scripts/pictures")
      }
    }
  }
}
