import Foundation
import Testing

@testable import Tour

@Suite struct TourTests {
  /// The transcript contains the output documented in the introductions from which the examples are
  /// taken. If the output differs, correct the code and not the transcript.
  @Test(arguments: Chapter.all.map(\.title))
  func chapterPrintsTranscript(_ title: String) throws {
    let chapter = try #require(Chapter.all.first { $0.title == title })
    var printed: [String] = []
    chapter.run { printed.append("\($0)") }
    #expect(printed == (try Self.expectedOutput(title)))
  }

  @Test func transcriptListsChaptersInOrder() throws {
    let titles = try Self.transcript().filter { $0.hasPrefix("== ") }.map { $0.dropFirst(3) }
    #expect(titles.map(String.init) == Chapter.all.map(\.title))
  }

  private static func expectedOutput(_ title: String) throws -> [String] {
    let lines = try transcript()
    let start = try #require(lines.firstIndex(of: "== \(title)"))
    return Array(lines[(start + 1)...].prefix { !$0.isEmpty })
  }

  private static func transcript() throws -> [String] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Transcript.txt")
    return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
  }
}
