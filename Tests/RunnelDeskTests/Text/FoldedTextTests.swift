import RunnelDesk
import RunnelTesting
import Testing

@Suite struct FoldedTextTests {
  @Test(arguments: [
    ("Crème BRÛLÉE", "creme brulee"), ("Straße", "strasse"), ("ΆΛΦΑ ς", "αλφα σ"),
    ("Йод ёж", "иод еж"), ("e\u{301}\u{327}", "e"), ("İstanbul", "istanbul"), ("ﬁn", "fin"),
    ("日本語 한국어", "日本語 한국어"), ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"), ("a\0b", "a\u{1}b"), ("", ""), ("\u{301}", ""),
    ("[`@{", "[`@{"), ("ẞ", "ss"), ("ø", "ø"),
  ])
  func caseAndAccentsDoNotCount(_ text: String, _ folded: String) {
    #expect(String(decoding: FoldedText(text).bytes, as: UTF8.self) == folded)
    #expect(FoldedText(text).isEmpty == folded.isEmpty)
  }

  @Test(arguments: [
    ("Crème brûlée", "BRULE", true), ("Crème brûlée", "e b", true), ("Crème", "cremes", false),
    ("Crème", "", true), ("", "", true), ("", "a", false), ("a\0b", "\0b", true),
  ])
  func partsAreFound(_ text: String, _ part: String, _ isThere: Bool) {
    #expect(FoldedText(text).contains(FoldedText(part)) == isThere)
  }

  @Test func rangesAreThoseOfTheText() {
    let text = "Élan e\u{301}lan ELAN Straße"
    let folded = FoldedText(text)
    let indices = FoldedText.indices(of: text)
    func found(_ part: String) -> [String] {
      folded.ranges(of: FoldedText(part)).map {
        String(text[indices[$0.lowerBound]..<indices[$0.upperBound]])
      }
    }
    #expect(found("elan") == ["Élan", "e\u{301}lan", "ELAN"])
    #expect(found("rasse") == ["raße"])
    #expect(found("") == [])
    #expect(found("x") == [])
    #expect(indices.count == folded.bytes.count + 1)
    #expect(FoldedText.indices(of: "") == ["".startIndex])
  }

  @Test func rangesDoNotOverlap() {
    let ranges = FoldedText("aaaaa").ranges(of: FoldedText("aa"))
    #expect(ranges == [0..<2, 2..<4])
  }

  @Test func theOrderIsThatOfLetters() {
    let words = ["Zebra", "älter", "alt", "Éclair", "b", ""].sorted {
      FoldedText($0) < FoldedText($1)
    }
    #expect(words == ["", "alt", "älter", "b", "Éclair", "Zebra"])
    #expect(FoldedText("Éclair").hasPrefix(FoldedText("ECL")))
    #expect(!FoldedText("Ec").hasPrefix(FoldedText("ecl")))
  }

  /// Traces never say that something is not there which is.
  @Test func agreesWithASlowSearch() {
    let seed: UInt64 = 5
    var random = SeededGenerator(seed: seed)
    func word(_ count: ClosedRange<Int>) -> String {
      let letters = Array("abcäé ß-")
      return String(
        (0..<Int.random(in: count, using: &random)).compactMap { _ in
          letters.randomElement(using: &random)
        })
    }
    for _ in 0..<2_000 {
      let (text, part) = (FoldedText(word(0...30)), FoldedText(word(1...4)))
      let (all, sought) = (Array(text.bytes), Array(part.bytes))
      let slow = all.indices.contains { all[$0...].starts(with: sought) }
      #expect(text.contains(part) == slow, "seed \(seed): \(text.bytes) \(part.bytes)")
    }
  }
}
