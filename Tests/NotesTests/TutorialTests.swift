import Foundation
import Testing

/// What the tutorial quotes is what the app is made of, and its pictures are of the app.
@Suite struct TutorialTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path()

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
  }

  /// The text of all source files of the app, without the spaces that lines begin with.
  private static func source() throws -> String {
    let folder = "\(root)/Samples/Notes"
    let files = (FileManager.default.enumerator(atPath: folder)?.allObjects ?? [])
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
    return try files.map { flush(try text("Samples/Notes/\($0)")) }.joined(separator: "\n")
  }

  private static func flush(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.drop { $0 == " " } }.joined(separator: "\n")
  }

  @Test func quotesAreInTheSource() throws {
    let parts = try Self.text("Documentation/Tutorial.md").components(separatedBy: "```")
    let quotes = parts.filter { $0.hasPrefix("swift\n") }.map {
      Self.flush(String($0.dropFirst(6)))
    }
    #expect(quotes.count >= 10)
    let source = try Self.source()
    for quote in quotes { #expect(source.contains(quote), "not in Samples/Notes:\n\(quote)") }
  }

  /// A fence is opened with the name of a language, and closed without.
  @Test func fencesComeInPairs() throws {
    let lines = try Self.text("Documentation/Tutorial.md").split(separator: "\n")
    for (index, fence) in lines.filter({ $0.hasPrefix("```") }).enumerated() {
      #expect((fence == "```") == (index % 2 == 1), "\(fence), the \(index + 1)th one")
    }
  }

  @Test func theScriptHolds() async throws {
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

  @Test func theAppIsSmall() throws {
    let lines = try Self.source().split(separator: "\n").filter { !$0.hasPrefix("//") }
    #expect(lines.count < 1_400)
  }

  @Test func picturesAreOfTheApp() async throws {
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
