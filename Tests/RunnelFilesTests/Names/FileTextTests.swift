import RunnelFiles
import RunnelLoop
import RunnelTesting
import Testing

@Suite struct FileTextTests {
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  @Test func textHasPlainLineFeeds() {
    let text = FileText(Self.mark + Array("one\r\ntwo\nthree\rfour".utf8))
    #expect(text.text.utf8.elementsEqual("one\ntwo\nthree\rfour".utf8))
    #expect(text.isValid)
  }

  @Test(arguments: [
    ("\n  \none\ntwo", "one"), ("\r\none \r\n", "one "), (" \n\n", ""), ("", ""), ("a", "a"),
    ("\u{FEFF}\n\u{A0}\u{2003}zwölf\u{2028}x", "zwölf"), ("1234567890", "12345678"), ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦👩"),
  ])
  func firstLineSkipsBlankLinesAndIsCut(_ text: String, _ line: String) {
    #expect(FileText(Array(text.utf8)).firstLine(upTo: 8) == line)
  }

  @Test(arguments: [
    "", "\n", "\r\n", "a", "a\n", "a\r\n", "a\r\nb", "a\nb\r\n", "\r", "\r\r\n", "\n\n\r\n\r\n",
    "a\0b",
  ])
  func unchangedTextKeepsBytes(_ content: String) {
    for bytes in [Array(content.utf8), Self.mark + Array(content.utf8)] {
      let text = FileText(bytes)
      #expect(text.bytes(for: text.text) == bytes)
      #expect(text.isValid)
    }
  }

  @Test(arguments: [
    ("a\r\nb\r\n", "a\nb\nc\n", "a\r\nb\r\nc\r\n"), ("a\nb\n", "x\na\nb\n", "x\na\nb\n"),
    ("a\r\nb\nc\n", "a\nb\nX\nc\n", "a\r\nb\nX\nc\n"),
    ("a\nb\r\nc\r\n", "Y\nb\nc\n", "Y\r\nb\r\nc\r\n"),
    ("a\r\nb", "a\nb\n", "a\r\nb\r\n"), ("a\r\nb\r\n", "", ""), ("", "a\nb", "a\nb"),
    ("a\r\n", "a", "a"), ("a\r\na\r\na\n", "a\na\n", "a\r\na\r\n"),
  ])
  func editedLinesGetCommonLineEnding(_ old: String, _ edited: String, _ new: String) {
    for mark in [[], Self.mark] {
      let bytes = FileText(mark + Array(old.utf8)).bytes(for: edited)
      #expect(String(decoding: bytes.dropFirst(mark.count), as: UTF8.self) == new)
      #expect(bytes.starts(with: mark))
    }
  }

  @Test func invalidUTF8IsNotValid() {
    for bytes: [UInt8] in [[0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF]] {
      #expect(!FileText(bytes).isValid)
      #expect(FileText(bytes).text.contains("\u{FFFD}"))
    }
  }

  /// Letters that look the same may have different bytes.
  @Test func editedAccentKeepsItsBytes() {
    let composed = Array("é\n".utf8)
    #expect(FileText(composed).bytes(for: "e\u{301}\n") == Array("e\u{301}\n".utf8))
  }

  @Test func randomTextsRoundTrip() {
    let seed: UInt64 = 11
    var random = SeededGenerator(seed: seed)
    let pieces: [[UInt8]] = [
      [0x61], [0xC3, 0xA9], [0x0D, 0x0A], [0x0A], [0x0D], Self.mark, [0x20],
    ]
    for round in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).flatMap { _ in
        pieces.randomElement(using: &random) ?? []
      }
      let text = FileText(bytes)
      #expect(text.bytes(for: text.text) == bytes, "seed \(seed), round \(round)")
      // Adding a line at the end changes no bytes before it.
      let longer = text.bytes(for: text.text + "\nend")
      #expect(longer.starts(with: bytes), "seed \(seed), round \(round)")
      #expect(FileText(longer).text.hasSuffix("end"), "seed \(seed), round \(round)")
    }
  }
}
