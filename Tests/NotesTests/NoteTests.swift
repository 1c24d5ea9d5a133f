import Runnel
import Testing

@testable import Notes

@Suite struct NoteTests {
  @Test(arguments: [
    ("a.txt", true), ("a.md", true), ("a.markdown", true), ("A.TXT", true), ("a.b.txt", true),
    ("a", false), (".txt", false), (".a.txt", false), ("a.txt~", false), (".a.txt.swp", false),
    ("a.jpg", false), ("txt", false), ("", false), ("a.", false), (".runnel-new-1", false),
  ])
  func fileNameDecidesWhatIsANote(_ name: String, _ isNote: Bool) {
    #expect(Note.isName(FileName(name)) == isNote)
  }

  /// A title that looks like a placeholder is not replaced again.
  @Test(arguments: [
    ("# {{title}}\n{{date}} {{time}}", "# {{date}}\n\(noon.date) \(noon.time.prefix(5))"), ("", ""),
    ("{{Title}} {{other}} {{title}", "{{Title}} {{other}} {{title}"),
    ("{{{title}}}", "{{{date}}}"), ("{{title}}{{title}}", "{{date}}{{date}}"),
  ])
  func templateReplacesPlaceholders(_ template: String, _ text: String) {
    #expect(template.filled(title: "{{date}}", at: Self.noon) == text)
  }

  private static let noon = LocalTime(.seconds(1_767_614_400))
}
