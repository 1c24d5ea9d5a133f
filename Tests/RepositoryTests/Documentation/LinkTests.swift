import Foundation
import Testing

@testable import ExampleFiles

/// The links of the documentation lead to files and headings that exist.
@Suite struct LinkTests {
  private static func pages() throws -> [Page] {
    let names = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
    return try (names + PackageFiles.all(below: "Documentation", ending: ".md")).map(Page.init)
  }

  @Test func linksLeadToFilesAndHeadings() throws {
    let pages = try Self.pages()
    let anchors = Dictionary(uniqueKeysWithValues: pages.map { ($0.path, Set($0.anchors)) })
    var count = 0
    for page in pages {
      for link in page.links {
        count += 1
        let path = PackageFiles.root.appending(path: link.path).path()
        #expect(
          FileManager.default.fileExists(atPath: path), "\(page.path): there is no \(link.path).")
        if let anchor = link.anchor, let known = anchors[link.path] {
          #expect(
            known.contains(anchor), "\(page.path): \(link.path) has no heading for #\(anchor).")
        }
      }
    }
    #expect(count >= 400)
  }

  /// The README leads to each page, directly or by one page between them.
  @Test func pagesAreTwoClicksAway() throws {
    let pages = try Self.pages()
    let links = Dictionary(
      uniqueKeysWithValues: pages.map { ($0.path, Set($0.links.map(\.path))) })
    let first = try #require(links["README.md"])
    let near = first.union(first.flatMap { links[$0] ?? [] })
    #expect(Set(pages.map(\.path)).subtracting(near) == [])
  }

  @Test func tenFirstQuestionsAreAnswered() throws {
    let lines = try PackageFiles.lines(of: "README.md")
    let section = lines.drop { $0 != "## First questions" }.dropFirst()
      .prefix { !$0.hasPrefix("## ") }
    let rows = section.filter { $0.hasPrefix("| ") }.dropFirst()
    #expect(rows.count >= 10)
    for row in rows { #expect(row.contains("](Documentation/"), "No link: \(row)") }
  }

  @Test(arguments: [
    ("First questions", "first-questions"), ("Why Runnel, and when not", "why-runnel-and-when-not"),
    ("C10 Errors are values", "c10-errors-are-values"), ("Delegates and `rx`", "delegates-and-rx"),
    ("JSON (module `RunnelJSON`)", "json-module-runneljson"),
  ])
  func anchorsFollowHeadings(_ heading: String, _ anchor: String) {
    #expect(Page.anchor(of: heading) == anchor)
  }
}

/// A Markdown file, without its fences.
private struct Page {
  let path: String
  private let lines: [String]

  init(_ path: String) throws {
    self.path = path
    var isInFence = false
    lines = try PackageFiles.lines(of: path).filter { line in
      if line.hasPrefix("```") { isInFence.toggle() }
      return !isInFence
    }
  }

  /// The anchors of the headings.
  var anchors: [String] {
    lines.filter { $0.hasPrefix("#") }.map { line in
      Self.anchor(of: line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces))
    }
  }

  /// Returns the anchor by which a link reaches a heading.
  static func anchor(of heading: String) -> String {
    String(
      heading.lowercased().compactMap { character in
        switch character {
        case " ": "-"
        case "-", "_": character
        default: character.isLetter || character.isNumber ? character : nil
        }
      })
  }

  /// The links to files of the package, with paths relative to it.
  var links: [(path: String, anchor: String?)] {
    let folder = URL(filePath: "/\(path)").deletingLastPathComponent()
    return lines.flatMap { line in
      line.matches(of: /\]\(([^)#\s]*)(?:#([^)]*))?\)/)
        .filter { !$0.1.contains("://") }
        .map { match in
          let target = folder.appending(path: String(match.1)).standardized.path().dropFirst()
          return (match.1.isEmpty ? path : String(target), match.2.map { String($0) })
        }
    }
  }
}
