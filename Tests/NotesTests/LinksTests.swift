import RunnelDesk
import Testing

@testable import Notes

/// Links between notes: renamed notes, and the way back.
@MainActor @Suite struct LinksTests {
  private func rename(_ app: TestApp, to title: String) {
    app.backend.press("f2")
    app.backend.type(title)
    app.backend.press("enter")
  }

  @Test func renamingChangesLinksAndUndoChangesThemBack() async throws {
    let folder = try TestFolder()
    let texts = [
      "Milk": "see [[milk]]", "Tea": "[[Milk]], [[Milk]] and [[Milky]]", "Milky": "Milk",
    ]
    for (title, text) in texts { try folder.write("\(title).txt", text) }
    let app = try await TestApp(folder)
    app.type("", into: "Milk")
    rename(app, to: "Cheese")
    #expect(app.screen.editor.text == "see [[Cheese]]")
    await app.pass(.seconds(1))
    await app.settle { app.folder.names.contains("Cheese.txt") }
    #expect(folder.read("Tea.txt") == "[[Cheese]], [[Cheese]] and [[Milky]]")
    #expect(folder.read("Milky.txt") == "Milk" && folder.read("Cheese.txt") == "see [[Cheese]]")
    #expect(!app.backend.text.contains("elsewhere"))
    app.backend.press("escape")
    app.backend.press("ctrl+z")
    #expect(app.screen.editor.text == "see [[milk]]")
    await app.pass(.seconds(1))
    await app.settle { app.folder.names.contains("Milk.txt") }
    #expect(folder.read("Tea.txt") == "[[Milk]], [[Milk]] and [[Milky]]")
  }

  /// A link may be in a text that is not saved yet.
  @Test func unsavedLinksAreChanged() async throws {
    let app = try await TestApp()
    app.type("[[a]] ", into: "b")
    app.type("", into: "a")
    rename(app, to: "c")
    await app.pass(.seconds(1))
    #expect(app.folder.read("b.txt") == "[[c]] two")
  }

  @Test func linksToAnotherNoteOfTheTitleStay() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "one")
    try folder.write("sub/a.txt", "two")
    try folder.write("b.txt", "[[a]]")
    let app = try await TestApp(folder)
    try folder.notes.rename("sub/a.txt", to: "c")
    await app.pass(.seconds(1))
    #expect(folder.read("b.txt") == "[[a]]")
  }

  @Test func backAndForwardFollowLinks() async throws {
    let folder = try TestFolder()
    try folder.write("a.txt", "[[b]]")
    try folder.write("b.txt", "[[c]]")
    let app = try await TestApp(folder)
    app.type("", into: "a")
    for _ in 0..<2 {
      app.backend.press("ctrl+home")
      app.backend.press("alt+enter")
    }
    #expect(app.controller.open == "c.txt")
    app.backend.press("alt+left")
    #expect(app.controller.open == "b.txt")
    app.backend.press("alt+left")
    #expect(app.controller.open == "a.txt")
    app.backend.press("alt+left")
    #expect(app.controller.open == "a.txt" && app.backend.text.contains("No more notes"))
    rename(app, to: "d")
    for note in ["b.txt", "c.txt"] {
      app.backend.press("alt+right")
      #expect(app.controller.open?.text == note)
    }
    app.delete()
    app.backend.press("alt+left")
    app.backend.press("alt+left")
    #expect(app.controller.open == "d.txt")
    app.backend.press("alt+right")
    app.backend.press("alt+right")
    #expect(app.controller.open == "b.txt", "A deleted note is left out.")
  }
}
