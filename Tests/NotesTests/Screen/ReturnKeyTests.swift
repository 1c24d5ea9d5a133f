import RunnelDesk
import Testing

@testable import Notes

/// The notes that Return in the search field opens or creates, and that Esc leaves open.
@MainActor @Suite struct ReturnKeyTests {
  private func withTitles(_ titles: [String]) async throws -> TestApp {
    let folder = try TestFolder()
    for title in titles { try folder.write("\(title).txt", "on \(title)") }
    return try await TestApp(folder)
  }

  @Test func beginningOfTitleCreatesNote() async throws {
    let app = try await withTitles(["Milky Way", "Tea"])
    app.backend.type("Milk")
    #expect(app.screen.search.completion == "Milky Way")
    #expect(app.screen.editor.text == "on Milky Way", "The proposed note is shown.")
    app.backend.press("enter")
    app.backend.type("3 bottles")
    await app.pass(.seconds(1))
    #expect(app.folder.read("Milk.txt") == "3 bottles")
    #expect(app.folder.read("Milky Way.txt") == "on Milky Way")
  }

  @Test(arguments: [["tab"], ["right"], ["end"], ["down"], ["down", "down", "up"]])
  func acceptedTitleIsOpened(_ keys: [String]) async throws {
    let app = try await withTitles(["Milky Way", "Milky Way 2"])
    app.backend.type("Milk")
    for key in keys + ["enter"] { app.backend.press(key) }
    #expect(app.screen.editor.isFirstResponder)
    #expect(app.controller.open?.text.hasPrefix("Milky Way") == true)
    #expect(app.folder.names == ["Milky Way 2.txt", "Milky Way.txt"])
  }

  /// Case and accents make no other title.
  @Test func typedTitleIsOpened() async throws {
    let app = try await withTitles(["Café", "Café au lait"])
    app.backend.type("cafe")
    app.backend.press("enter")
    #expect(app.controller.open == "Café.txt" && app.screen.editor.isFirstResponder)
  }

  @Test(arguments: ["backspace", "delete"])
  func deletionRefusesTheProposedTitle(_ key: String) async throws {
    let app = try await withTitles(["Milky Way"])
    app.backend.type("Milky")
    app.backend.press(key)
    #expect(app.screen.search.completion == nil)
    app.backend.press("enter")
    let title = key == "delete" ? "Milky" : "Milk"
    #expect(app.controller.open?.text == "\(title).txt")
  }

  @Test func escapeShowsTheNoteFromBeforeTheSearch() async throws {
    let app = try await withTitles(["Milk", "Tea"])
    app.type("", into: "Milk")
    app.backend.press("escape")
    app.backend.press("escape")
    #expect(app.controller.open == "Milk.txt", "An empty search closes nothing.")
    app.backend.type("Te")
    #expect(app.controller.open == "Tea.txt")
    app.backend.press("escape")
    #expect(app.controller.open == "Milk.txt" && app.screen.search.text.isEmpty)
    app.backend.type("nothing")
    #expect(app.controller.open == nil && app.backend.text.contains("Select a note with"))
    app.backend.press("escape")
    #expect(app.controller.open == "Milk.txt")
    // Another note that was chosen stays.
    app.backend.type("Te")
    app.backend.press("down")
    app.backend.press("escape")
    #expect(app.controller.open == "Tea.txt")
  }

  @Test func typingInTheListSearches() async throws {
    let app = try await withTitles(["Milk", "Tea"])
    app.screen.window.makeFirstResponder(app.screen.table)
    app.backend.type("te")
    #expect(app.screen.search.text == "te" && app.screen.search.isFirstResponder)
    #expect(app.controller.open == "Tea.txt")
  }

  @Test func renamingBeginsWithTheOldNameSelected() async throws {
    let app = try await withTitles(["Milk"])
    app.type("", into: "Milk")
    app.backend.press("f2")
    app.backend.type("Tea")
    app.backend.press("enter")
    await app.settle { app.folder.names == ["Tea.txt"] }
    #expect(app.folder.names == ["Tea.txt"])
  }

  /// A hit is scrolled to, and the caret stays.
  @Test func hitsDoNotMoveTheCaret() async throws {
    let folder = try TestFolder()
    let lines = (0..<100).map { "line \($0)" }
    try folder.write("a.txt", lines.joined(separator: "\n"))
    try folder.write("b.txt", "two")
    let app = try await TestApp(folder)
    app.type("", into: "a")
    let place = TextSelection(caret: TextPosition(line: 50, offset: 3))
    app.screen.editor.selection = place
    app.backend.press("escape")
    app.backend.type("99")
    app.backend.press("down")
    #expect(app.backend.text.contains("line 99") && app.screen.editor.selection == place)
    app.backend.press("f3")
    #expect(app.screen.editor.selection.head == TextPosition(line: 99, offset: 5))
  }
}
