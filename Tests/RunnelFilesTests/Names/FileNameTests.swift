import Testing

@testable import RunnelFiles

@Suite struct FileNameTests {
  @Test(arguments: [
    ("note.txt", "note (conflict 3).txt"), ("note", "note (conflict 3)"),
    (".hidden", ".hidden (conflict 3)"), ("a.b.md", "a.b (conflict 3).md"),
    ("a.", "a (conflict 3)."),
    ("1. Milk and bread for Jim", "1. Milk and bread for Jim (conflict 3)"),
  ])
  func copyNumberPrecedesExtension(_ name: String, _ copy: String) {
    #expect(FileName(name).copy(3).text == copy)
    #expect(FileName(copy).original?.text == name)
    #expect(FileName("work/" + name).copy(1).original?.text == "work/" + name)
    #expect(FileName(copy).copy(afterRenaming: "x/b.md") == "x/b (conflict 3).md")
  }

  @Test(arguments: [
    "a.txt", "a (conflict.txt", "a (conflict 1).txt", "a (conflict x).txt", "a (conflict) b.txt",
    " (conflict).txt",
    "work/ (conflict).txt",
  ])
  func otherNamesAreNoCopies(_ name: FileName) {
    #expect(name.original == nil && name.copy(afterRenaming: "b.txt") == nil)
  }

  @Test(arguments: [
    ("Milk", "Milk.txt"), ("a/b", "a-b.txt"), ("..", "Untitled.txt"), ("", "Untitled.txt"),
    (" . x", "x.txt"), ("a\nb\0c", "a-b-c.txt"), ("v1.2", "v1.2.txt"), ("notes.md", "notes.md.txt"),
    ("\u{1B}[2J\u{202E}x", "-[2J-x.txt"), ("/\u{301}x", "-\u{301}x.txt"),
  ])
  func titleBecomesValidName(_ title: String, _ name: FileName) {
    #expect(FileName(title: title, ending: ".txt") == name)
    #expect(FileName(title: title, number: 2, ending: ".md").text == "\(name.stem) 2.md")
  }

  @Test(arguments: [
    ("notes.md", "notes.md"), ("Notes.MD", "Notes.MD"), ("a.jpg", "a.jpg.txt"), ("a", "a.txt"),
    (".md", "md.txt"), ("a/b.md", "a-b.md"),
  ])
  func typedEndingIsKept(_ title: String, _ name: FileName) {
    #expect(FileName(title: title, ending: ".txt", orTyped: [".txt", ".Md"]) == name)
  }

  @Test(arguments: [
    ("a.txt", "", "a.txt", "a", ".txt"), ("work/a.txt", "work", "a.txt", "work/a", ".txt"),
    ("a.b/c", "a.b", "c", "a.b/c", ""), ("x/y/.z", "x/y", ".z", "x/y/.z", ""),
    ("/a", "", "a", "/a", ""),
    ("é/\u{301}a.md", "é", "\u{301}a.md", "é/\u{301}a", ".md"),
  ])
  func partsOfRelativePath(
    _ path: String, _ folder: String, _ last: String, _ stem: String, _ ending: String
  ) {
    let name = FileName(path)
    #expect(name.folder == folder && name.lastComponent.text == last)
    #expect(name.stem == stem && name.ending == ending)
    if path.first != "/" { #expect(name.lastComponent.inside(folder) == name) }
  }

  @Test func copyStaysInFolderAndIsHiddenWithIt() {
    #expect(FileName("work/a.txt").copy(2) == "work/a (conflict 2).txt")
    let long = String(repeating: "x", count: 300)
    #expect(FileName("\(long)/a.txt").copy(1).text == "\(long)/a (conflict).txt")
    let hidden = ["a", "a/b", "a./b", ".a", ".a/b", "a/.b", "a/.b/c"].map { FileName($0).isHidden }
    #expect(hidden == [false, false, false, true, true, true, true])
    #expect(FileName("a/.runnel-new-1").isProvisional && !FileName(".runnel-new-1/a").isProvisional)
  }

  @Test func nameOfTitleIsLimited() {
    for letter in ["a", "é", "👩‍👩‍👧‍👦"] {
      let name = FileName(title: String(repeating: letter, count: 300), ending: ".markdown")
      #expect(name.text.utf8.count <= 240 && name.ending == ".markdown")
    }
  }

  @Test func comparesNamesAsBytes() {
    let names: [FileName] = ["\u{E9}.txt", "e\u{301}.txt"]
    #expect(names[0] != names[1] && Set(names).count == 2)
    #expect(names[0].text == names[1].text)
    #expect(names.sorted() == [names[1], names[0]])
    #expect([names[0]: 1, names[1]: 2][names[1]] == 2)
  }

  @Test(arguments: [
    ("a.txt", "a", ".txt", false), (".a.md", ".a", ".md", true), (".txt", ".txt", "", true),
    ("a", "a", "", false), ("a.", "a", ".", false), ("", "", "", false),
  ])
  func splitsExtension(_ name: FileName, _ stem: String, _ ending: String, _ isHidden: Bool) {
    #expect(name.stem == stem && name.ending == ending && name.isHidden == isHidden)
  }

  @Test(arguments: [
    ("a/b.txt", "b.txt"), ("b.txt", "b.txt"), ("/a/b/", "b"), ("/a/\u{301}b", "\u{301}b"),
  ])
  func takesNameFromPath(_ path: String, _ name: FileName) {
    #expect(FileName(ofPath: path) == name)
  }

  @Test func descriptionIsSafeForTerminal() {
    #expect("\(FileName("a\u{1B}[2J\nb\u{9B}\u{202E}.txt"))" == "a�[2J�b��.txt")
    #expect("\(FileError.missing("a\nb"))".hasPrefix("There is nothing at \"a�b\""))
    #expect(FileError.missing("a\nb").cause == "There is nothing at \"a�b\".")
    #expect(FileError.missing("a").advice == "Check that the folder exists, or create it.")
    #expect("\(FileError.system(5))" == FileError.system(5).cause)
    #expect("é 世界 👩‍👩‍👧‍👦".printable == "é 世界 👩‍👩‍👧‍👦")
  }

  @Test(arguments: [
    ("", #""""#), ("a", #""a""#), (#"a"\b"#, #""a\"\\b""#),
    ("\u{0}\n\u{7F}", #""\u0000\u000a\u007f""#),
    ("\u{2028}\u{202E}", #""\u2028\u202e""#), ("é 👩‍👩‍👧‍👦", #""é 👩‍👩‍👧‍👦""#),
  ])
  func quotingAsJSONEscapesControlCharacters(_ text: String, _ quoted: String) {
    #expect(text.quotedAsJSON == quoted)
  }

  @Test(arguments: ["é", "a", "👩‍👩‍👧‍👦"]) func copyShortensStem(_ letter: String) {
    for count in 1...300 {
      let name = FileName(String(repeating: letter, count: count) + ".txt").copy(1).text
      #expect(name.hasSuffix(" (conflict).txt"))
      #expect(name.utf8.count <= 255 && name.utf8.count > min(200, count))
    }
  }

  @Test func provisionalNameIsRecognized() {
    #expect(ProvisionalName.leftover(ProvisionalName.unfinished()) == .unfinished)
    let (old, new) = (Array("old".utf8), Array("new".utf8))
    let name = ProvisionalName.exchanging(old, for: new, of: "a - b-c.txt")
    let digests = [old, new].map(ProvisionalName.digest)
    #expect(ProvisionalName.leftover(name) == .replaced(digests: digests, name: "a - b-c.txt"))
    #expect(ProvisionalName.leftover("note.txt") == nil)
    let long = ProvisionalName.exchanging(old, for: new, of: String(repeating: "n", count: 255))
    #expect(long.utf8.count == 255)
  }

  /// The whole name is one character.
  @Test func shortensLongCharacter() {
    let name = "e" + String(repeating: "\u{301}", count: 120)
    #expect(name.count == 1)
    let provisional = ProvisionalName.exchanging([], for: [], of: name)
    guard case .replaced(_, let kept) = ProvisionalName.leftover(provisional) else {
      Issue.record("\(provisional)")
      return
    }
    #expect(name.utf8.starts(with: kept.utf8) && kept.utf8.count > 100)
    let copy = FileName(name + name).copy(1).text
    #expect(copy.utf8.count <= 255 && copy.utf8.count > 250)
    #expect(FileName(title: name + name, ending: ".txt").text.utf8.count > 190)
  }

  @Test func digestContainsByteCount() {
    for count in [0, 1, 255, 256, 70_000] {
      let digest = ProvisionalName.digest([UInt8](repeating: 1, count: count))
      #expect(ProvisionalName.byteCount(in: digest) == count)
    }
    for digest in ["", "1234", "x.1", "1.2.3"] {
      #expect(ProvisionalName.byteCount(in: digest) == nil)
    }
  }
}
