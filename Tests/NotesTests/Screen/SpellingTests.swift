import RunnelDesk
import Testing

@testable import Notes

/// Misspelled words in the open note.
@MainActor @Suite struct SpellingTests {
  private final class TestDictionary: SpellChecker {
    private(set) var known: Set<String> = ["one", "two"]

    func isCorrect(_ word: String) -> Bool { known.contains(word) }
    func suggestions(for word: String) -> [String] { known.sorted() }
    func learn(_ word: String) { known.insert(word) }
    func ignore(_ word: String) { known.insert(word) }
  }

  private final class Loads { var count = 0 }

  private func app(_ loads: Loads = Loads(), settings: String = "") async throws -> TestApp {
    let folder = try TestFolder()
    try folder.write("a.txt", "one twoo")
    try folder.write(".notes-settings", settings)
    return try await TestApp(folder) { app in
      app.controller.loadDictionary = {
        loads.count += 1
        return TestDictionary()
      }
    }
  }

  private func misspelled(_ app: TestApp) -> String? {
    let editor = app.screen.editor
    return editor.misspelledWord(at: editor.document.end).map { editor.document[$0] }
  }

  @Test func dictionaryIsLoadedWhenNoteIsOpen() async throws {
    let loads = Loads()
    let app = try await app(loads)
    #expect(loads.count == 0 && !app.screen.menu.spelling.isEnabled)
    app.type("", into: "a")
    await app.settle { app.screen.menu.spelling.isEnabled }
    #expect(misspelled(app) == "twoo" && app.screen.menu.spelling.isChecked)
    app.type("", into: "b")
    #expect(loads.count == 1)
  }

  @Test func keyReplacesMisspelledWord() async throws {
    let app = try await app()
    app.type("", into: "a")
    await app.settle { app.screen.menu.misspelled.isEnabled }
    app.backend.press("f7")
    for key in ["down", "enter"] { app.backend.press(key) }
    #expect(app.screen.editor.text == "one two")
    app.backend.press("f7")
    #expect(app.backend.text.contains("No misspelled word here."))
  }

  @Test func spellingIsTurnedOffAndKept() async throws {
    let app = try await app()
    app.type("", into: "a")
    await app.settle { app.screen.menu.spelling.isEnabled }
    app.screen.menu.spelling.activate()
    #expect(misspelled(app) == nil && !app.screen.menu.spelling.isChecked)
    #expect(!app.screen.menu.misspelled.isEnabled && app.screen.menu.spelling.isEnabled)
    await app.folder.settle { app.folder.notes.isSaved }
    #expect(app.folder.read(".notes-settings")?.contains("spelling = off\n") == true)
    app.screen.menu.spelling.activate()
    #expect(misspelled(app) == "twoo")
    await app.folder.settle { app.folder.notes.isSaved }
    #expect(app.folder.read(".notes-settings")?.contains("spelling") == false)
  }

  /// Without a dictionary nothing is marked, and the items cannot be chosen.
  @Test func missingDictionaryIsSilent() async throws {
    let app = try await TestApp()
    app.controller.loadDictionary = { nil }
    app.type("", into: "a")
    for _ in 0..<20 { await Task.yield() }
    #expect(app.screen.editor.spellChecker == nil && app.controller.loadDictionary == nil)
    #expect(!app.screen.menu.spelling.isEnabled && !app.screen.menu.misspelled.isEnabled)
    app.backend.press("f7")
    #expect(app.screen.editor.isFirstResponder)
  }
}
