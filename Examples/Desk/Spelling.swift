import RunnelDesk

final class Names: SpellChecker {
  private var known: Set<String> = ["Anna", "Ben", "and"]

  func isCorrect(_ word: String) -> Bool { known.contains(word) }
  func suggestions(for word: String) -> [String] {
    known.filter { $0.first == word.first }.sorted()
  }
  func learn(_ word: String) { known.insert(word) }
  func ignore(_ word: String) { known.insert(word) }
}

let names = Names()
let editor = TextView("Anna and Bne")
editor.spellChecker = names

let backend = HeadlessBackend(Size(width: 24, height: 9))
let application = Application(backend: backend)
application.show(Window(content: editor))
editor.showNextMisspelling()
print(editor.document[editor.selection.range])
// The menu with suggestions is open.
backend.press("enter")
print(editor.text)

// Output:
// Bne
// Anna and Ben
