import Runnel
import Testing

@testable import Notes

@Suite struct NoteTests {
  @Test(arguments: [
    ("a.txt", true), ("a.md", true), ("a.markdown", true), ("A.TXT", true), ("a.b.txt", true),
    ("a", false), (".txt", false), (".a.txt", false), ("a.txt~", false), (".a.txt.swp", false),
    ("a.jpg", false), ("txt", false), ("", false), ("a.", false), (".runnel-new-1", false),
  ])
  func notesAreKnownByTheirNames(_ name: String, _ isNote: Bool) {
    #expect(Note.isName(name) == isNote)
  }

  @Test(arguments: [
    ("Milk", "Milk.txt"), ("a/b", "a-b.txt"), ("..", "Untitled.txt"), ("", "Untitled.txt"),
    (" . x", "x.txt"), ("a\nb\0c", "a-b-c.txt"), ("v1.2", "v1.2.txt"), ("notes.md", "notes.md.txt"),
  ])
  func titlesBecomeNames(_ title: String, _ name: String) {
    #expect(Note.name(title) == name)
    #expect(Note.isName(name))
  }

  @Test func namesAreNotTooLong() {
    for letter in ["a", "é", "👩‍👩‍👧‍👦"] {
      let name = Note.name(String(repeating: letter, count: 300))
      #expect(name.utf8.count <= 240 && Note.isName(name))
    }
  }

  @Test func anEndingIsKept() {
    #expect(Note.name("New", like: "Old.markdown") == "New.markdown")
  }

  @Test func theFirstLineSaysSomething() {
    func line(_ text: String) -> Substring {
      Note("a.txt", FileText(Array(text.utf8)), modified: .zero).firstLine
    }
    #expect(line("\n  \n\u{FEFF}one\ntwo").hasSuffix("one"))
    #expect(line("\r\none\r\n") == "one")
    #expect(line(" \n\n") == "")
  }
}
