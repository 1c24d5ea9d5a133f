import RunnelFiles
import Testing

@Suite struct SettingLineTests {
  private func text(_ lines: [SettingLine]) -> String {
    String(decoding: SettingLine.bytes(of: lines), as: UTF8.self)
  }

  @Test(arguments: [
    ("sort = title", "sort", "title"), ("a = b = c", "a", "b = c"), ("a=b", "a=b", ""),
    ("a =", "a =", ""), ("a = ", "a", ""), (" = b", "", "b"), (" = ", "", ""),
  ])
  func lineHasKeyAndValue(_ line: String, _ key: String, _ value: String) throws {
    let read = try #require(SettingLine.lines(of: Array(line.utf8)).first)
    #expect(read.key == key && read.value == value)
    #expect(read.file == (value.isEmpty ? nil : FileName(value)))
    #expect(text([read]) == line + "\n")
  }

  @Test func writtenLinesAreReadBack() {
    let lines = [
      SettingLine("sort", "title"), SettingLine("empty", ""), SettingLine("pinned", "ü = x.txt"),
    ]
    #expect(SettingLine.lines(of: SettingLine.bytes(of: lines)) == lines)
    #expect(text(lines) == "sort = title\nempty = \npinned = ü = x.txt\n")
  }

  /// A line feed can be part of a character.
  @Test(arguments: [
    "a.txt", "\n", "\r\n", "a\n\u{301}b", "x\n/y\n\nc", "u\u{308}", "\u{301}i", "a\nsort = b",
  ])
  func fileNamesAreReadBack(_ name: String) {
    let bytes = SettingLine.bytes(of: [SettingLine("pinned", FileName(name))])
    #expect(bytes.count { $0 == UInt8(ascii: "\n") } == 1)
    #expect(SettingLine.lines(of: bytes).map(\.file) == [FileName(name)])
  }

  @Test func lineFeedsInTextsBecomeSpaces() {
    #expect(text([SettingLine("word", "a\r\nb\nc")]) == "word = a\r b c\n")
  }

  @Test func linesThatAreNotUTF8AreKept() {
    let bytes: [UInt8] = [0xFF, 0x20, 0x3D, 0x20, 0xFE, 0x0A, 0x0A, 0xFD]
    let lines = SettingLine.lines(of: bytes)
    #expect(lines.map(\.key) == ["\u{FFFD}", "\u{FFFD}"])
    #expect(SettingLine.bytes(of: lines) == [0xFF, 0x20, 0x3D, 0x20, 0xFE, 0x0A, 0xFD, 0x0A])
    #expect(SettingLine.lines(of: []) == [])
  }
}
