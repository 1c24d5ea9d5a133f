import Runnel
import Testing

@testable import Notes

@Suite struct SettingsTests {
  @Test func writtenSettingsAreReadBack() {
    var settings = Settings()
    settings.sortKey = .title
    settings.isAscending = true
    settings.checksSpelling = false
    settings.pinned = ["a = b.txt", "ü.md", " c.txt", "d\ne.txt", "f\r.txt", "u\u{308}.md"]
    // A line feed can be part of a character, and so can the character before a name.
    settings.pinned.formUnion(["g\r\nsort = title.txt", "h\n\u{301}.txt", "\u{301}i.txt", "\r\n"])
    settings.pinned.formUnion(["work/a.txt", "work/\nb.txt", "x\n/y\n\nc.txt"])
    #expect(Settings(settings.bytes) == settings)
    #expect(Settings(Settings().bytes) == Settings())
  }

  @Test func badLinesAreIgnoredAndKept() {
    let text =
      "sort = colour\nnonsense\npinned = a.txt\norder = sideways\nsort=title\npinned = \n=\n"
    var settings = Settings(Array(text.utf8))
    #expect(settings.sortKey == .date && !settings.isAscending && settings.pinned == ["a.txt"])
    settings.sortKey = .title
    let lines = String(decoding: settings.bytes, as: UTF8.self).split(separator: "\n").map(
      String.init)
    #expect(
      lines == [
        "sort = title", "order = descending", "pinned = a.txt", "sort = colour", "nonsense",
        "order = sideways", "sort=title", "pinned = ", "=",
      ])
    #expect(Settings(settings.bytes) != Settings(Array(text.utf8)))
  }

  /// The number of lines depends on the number of settings only, and not on the names.
  @Test(arguments: ["\n", "\r\n", "\n\u{301}", "\r\n\r\n"])
  func lineFeedsInPinnedNamesAddNoLines(_ end: String) {
    var settings = Settings()
    settings.pinned = [FileName("a\(end)sort = title\(end)order = ascending.txt")]
    let lines = settings.bytes.split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 3)
    #expect(Settings(settings.bytes) == settings)
    #expect(Settings(settings.bytes).sortKey == .date)
  }

  @Test func linesThatAreNotUTF8AreKept() {
    let line: [UInt8] = [0xFF, 0x20, 0x3D, 0x20, 0xFE]
    #expect(Settings(line).bytes.suffix(6) == line + [0x0A])
  }

  @Test func invalidBytesYieldDefaultSettings() {
    #expect(Settings([0xFF, 0x0A, 0x00]).pinned == [])
    #expect(Settings([]) == Settings())
  }

  @Test func notesAreSortedBySettings() {
    func note(_ title: String, _ seconds: Int, isPinned: Bool = false) -> Note {
      var note = Note("\(title).txt", FileText([]), modified: .seconds(seconds))
      note.isPinned = isPinned
      return note
    }
    var notes = [note("b", 1), note("e", 2), note("Á", 2), note("c", 3)]
    notes.append(note("d", 0, isPinned: true))
    func order(_ key: Settings.SortKey, _ isAscending: Bool) -> String {
      var settings = Settings()
      settings.sortKey = key
      settings.isAscending = isAscending
      return notes.sorted(by: settings.areInOrder).map(\.title).joined()
    }
    #expect(order(.title, true) == "dÁbce")
    #expect(order(.title, false) == "decbÁ")
    #expect(order(.date, true) == "dbÁec")
    #expect(order(.date, false) == "dcÁeb")
  }
}
