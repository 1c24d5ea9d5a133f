import Runnel
import Testing

@testable import Notes

@Suite struct SettingsTests {
  @Test func whatIsWrittenIsRead() {
    var settings = Settings()
    settings.sortKey = .title
    settings.isAscending = true
    settings.pinned = ["a = b.txt", "ü.md", " c.txt", "d\ne.txt", "f\r.txt", "u\u{308}.md"]
    #expect(Settings(Array(settings.text.utf8)) == settings)
    #expect(Settings(Array(Settings().text.utf8)) == Settings())
  }

  @Test func badLinesAreIgnoredAndKept() {
    let text =
      "sort = colour\nnonsense\npinned = a.txt\norder = sideways\nsort=title\npinned = \n=\n"
    var settings = Settings(Array(text.utf8))
    #expect(settings.sortKey == .date && !settings.isAscending && settings.pinned == ["a.txt"])
    settings.sortKey = .title
    let lines = settings.text.split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "sort = title", "order = descending", "pinned = a.txt", "sort = colour", "nonsense",
        "order = sideways", "sort=title", "pinned = ", "=",
      ])
    #expect(Settings(Array(settings.text.utf8)) != Settings(Array(text.utf8)))
  }

  @Test func bytesThatAreNoTextDoNoHarm() {
    #expect(Settings([0xFF, 0x0A, 0x00]).pinned == [])
    #expect(Settings([]) == Settings())
  }

  @Test func theOrderIsAsTheSettingsSay() {
    func note(_ title: String, _ seconds: Int, isPinned: Bool = false) -> Note {
      var note = Note("\(title).txt", FileText([]), modified: .seconds(seconds))
      note.isPinned = isPinned
      return note
    }
    let notes = [note("b", 1), note("Á", 2), note("c", 3), note("d", 0, isPinned: true)]
    func order(_ key: Settings.SortKey, _ isAscending: Bool) -> String {
      var settings = Settings()
      settings.sortKey = key
      settings.isAscending = isAscending
      return notes.sorted(by: settings.areInOrder).map(\.title).joined()
    }
    #expect(order(.title, true) == "dÁbc")
    #expect(order(.title, false) == "dcbÁ")
    #expect(order(.date, true) == "dbÁc")
    #expect(order(.date, false) == "dcÁb")
  }
}
