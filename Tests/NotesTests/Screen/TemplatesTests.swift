import Runnel
import Testing

@testable import Notes

@MainActor
@Suite struct TemplatesTests {
  /// The note of today begins with the template "Daily", if there is one.
  @Test(arguments: [("Daily.md", "Plan:", ".md"), ("Other.md", "", ".txt")])
  func noteOfTodayBeginsWithDailyTemplate(
    _ name: String, _ text: String, _ ending: String
  ) async throws {
    let folder = try TestFolder()
    try folder.write("templates/\(name)", "Plan:")
    let app = try await TestApp(folder)
    let dates = [LocalTime.now.date]
    app.backend.press("ctrl+t")
    await app.pass(.seconds(2))
    // Midnight may have passed.
    let texts = (dates + [LocalTime.now.date]).map { folder.read("\($0)\(ending)") }
    #expect(texts.contains(text))
    // It is created once.
    app.backend.type(" one")
    app.backend.press("escape")
    app.backend.press("ctrl+t")
    await app.pass(.seconds(2))
    let names = (dates + [LocalTime.now.date]).map { $0 + ending }
    #expect(names.contains { folder.read($0) == text + " one" })
  }

  /// A template that is too large to be read is not offered. Text that is not saved yet is used.
  @Test func readableTemplatesAreOffered() async throws {
    let folder = try TestFolder()
    try folder.write("templates/Huge.txt", String(repeating: "a", count: Note.longest + 1))
    try folder.write("templates/List.txt", "* {{title}}")
    let app = try await TestApp(folder)
    app.type("# ", into: "List")
    app.backend.press("alt+n")
    #expect(app.backend.text.contains("List") && !app.backend.text.contains("Huge ▾"))
    app.backend.press("ctrl+a")
    app.backend.type("New.md")
    app.backend.press("enter")
    await app.pass(.seconds(2))
    #expect(folder.read("New.md") == "# * New")
  }
}
