import Testing

@testable import RunnelDesk

@Suite struct SpelledWordsTests {
  private func words(_ line: String) -> [String] {
    SpelledWords.ranges(in: line).map { String(line[$0]) }
  }

  @Test(arguments: [
    ("two bottles", ["two", "bottles"]), ("", []), ("  ", []),
    (
      "Don't, o’clock 'quoted' x'",
      ["Don't", "o’clock", "quoted", "x"]
    ),
    ("well-known", ["well", "known"]), ("e\u{301}te\u{301} été", ["e\u{301}te\u{301}", "été"]),
    ("Straße Пиво", ["Straße", "Пиво"]),
    ("*very* **bold** _it_", ["very", "bold", "_it_"].dropLast()),
    ("**x**y", ["x", "y"]),
  ])
  func wordsAreFound(_ line: String, _ expected: [String]) {
    #expect(words(line) == expected)
  }

  @Test(arguments: [
    "`code`", "`` a ` b ``", "https://a.b/word", "ftp://x word@home.org www.page.com",
    "/usr/bin/env",
    "~/Notes/list", "[[Some title]]", "#shopping", "x86 2nd v2 a_b 3", "NATO EU", "<b>", "牛乳",
    "(https://x.y/z)", "![](some/picture.png)", "- [ ] 1. *** ---", "`a``b`",
  ])
  func otherPartsAreLeftOut(_ line: String) {
    #expect(words(line) == [])
  }

  @Test(arguments: [
    ("see [text](page.html) more", ["see", "text", "more"]), ("a `b` c", ["a", "c"]),
    ("[[x]] y [[z", ["y", "z"]), ("open ` tick", ["open", "tick"]), ("a < b", ["a", "b"]),
    ("and/or", ["and", "or"]), ("# Heading #tag end", ["Heading", "end"]),
    ("(aside) \"quote\"", ["aside", "quote"]), ("[a](b", ["a", "b"]),
  ])
  func wordsAroundThemAreFound(_ line: String, _ expected: [String]) {
    #expect(words(line) == expected)
  }

  /// Every range is one of whole characters in order, whatever the text is.
  @Test func rangesAreOrderedAndNotEmpty() {
    let parts = ["`", "[", "]", "(", ")", "<", ">", "a", "é", "'", " ", "#", "1", "/", "@", "👩‍👧"]
    for first in parts {
      for second in parts {
        for third in parts {
          let line = first + second + third + "x"
          let ranges = SpelledWords.ranges(in: line)
          #expect(ranges.allSatisfy { !$0.isEmpty }, "\(line)")
          #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
        }
      }
    }
  }
}
