import RunnelTesting
import RunnelText
import Testing

@Suite struct FoldedTextTests {
  @Test(arguments: [
    ("Crème BRÛLÉE", "creme brulee"), ("Straße", "strasse"), ("ΆΛΦΑ ς", "αλφα σ"),
    ("Йод ёж", "иод еж"), ("e\u{301}\u{327}", "e"), ("İstanbul", "istanbul"), ("ﬁn", "fin"),
    ("日本語 한국어", "日本語 한국어"), ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"), ("a\0B", "a\0b"), ("", ""), ("\u{301}", ""),
    ("[`@{", "[`@{"), ("ẞ", "ss"), ("ø", "ø"),
  ])
  func foldingIgnoresCaseAndAccents(_ text: String, _ folded: String) {
    #expect(String(decoding: FoldedText(text).bytes, as: UTF8.self) == folded)
    #expect(FoldedText(text).isEmpty == folded.isEmpty)
  }

  @Test(arguments: [
    ("Crème brûlée", "BRULE", true), ("Crème brûlée", "e b", true), ("Crème", "cremes", false),
    ("Crème", "", true), ("", "", true), ("", "a", false), ("a\0b", "\0b", true),
  ])
  func containsFindsFoldedParts(_ text: String, _ part: String, _ isThere: Bool) {
    #expect(FoldedText(text).contains(FoldedText(part)) == isThere)
  }

  /// Returns the characters of a text that contain the parts.
  private func characters(_ parts: String..., in text: String) -> [String] {
    let ranges = parts.flatMap { FoldedText(text).ranges(of: FoldedText($0)) }
    return FoldedText.characters(ranges, of: text).map { String(text[$0]) }
  }

  @Test func rangesMapToTheOriginalText() {
    let text = "Élan e\u{301}lan ELAN Straße"
    #expect(characters("elan", in: text) == ["Élan", "e\u{301}lan", "ELAN"])
    #expect(characters("rasse", in: text) == ["raße"])
    #expect(characters("", in: text) == [])
    #expect(characters("x", in: text) == [])
    #expect(characters("x", in: "") == [])
    #expect(FoldedText.characters([0..<0], of: text) == [])
  }

  /// Ranges that overlap stay separate, unless they begin at the same place.
  @Test func charactersAreInOrder() {
    #expect(characters("way", "milk", "il", in: "Milky Way") == ["Milk", "il", "Way"])
    #expect(characters("mi", "milk", in: "Milky") == ["Milk"])
  }

  /// A part of a character means the whole one: "s" finds "ß", and a letter its separate accents.
  @Test func charactersAreWhole() {
    #expect(characters("as", in: "Maß") == ["aß"])
    #expect(characters("e", in: "le\u{301}\u{327}a") == ["e\u{301}\u{327}"])
    #expect(characters("s", in: "ß") == ["ß"])
  }

  @Test func rangesDoNotOverlap() {
    let ranges = FoldedText("aaaaa").ranges(of: FoldedText("aa"))
    #expect(ranges == [0..<2, 2..<4])
  }

  @Test func foldedTextsSortByLetters() {
    let words = ["Zebra", "älter", "alt", "Éclair", "b", ""].sorted {
      FoldedText($0) < FoldedText($1)
    }
    #expect(words == ["", "alt", "älter", "b", "Éclair", "Zebra"])
    #expect(FoldedText("Éclair").hasPrefix(FoldedText("ECL")))
    #expect(!FoldedText("Ec").hasPrefix(FoldedText("ecl")))
  }

  /// Covers searches that compare many positions at a time, and the last positions of such a step.
  @Test func searchAgreesWithASlowModel() {
    let seed: UInt64 = 5
    var random = SeededGenerator(seed: seed)
    func word(_ letters: String, _ count: ClosedRange<Int>) -> String {
      let letters = Array(letters)
      return String(
        (0..<Int.random(in: count, using: &random)).compactMap { _ in
          letters.randomElement(using: &random)
        })
    }
    for turn in 0..<4_000 {
      let letters = ["abcäé ß-", "ab", "aAbBZ@[`{\u{0}", "мирУР日本"][turn % 4]
      let text = FoldedText(word(letters, 0...(turn % 3 == 0 ? 30 : 300)))
      let part = FoldedText(word(letters, 1...(turn % 5 == 0 ? 70 : 8)).uppercased())
      let (all, sought) = (Array(text.bytes), Array(part.bytes))
      let places = all.indices.filter { all[$0...].starts(with: sought) }
      let first = text.ranges(of: part).first?.lowerBound
      #expect(first == places.first, "seed \(seed): \(all) \(sought)")
      #expect(text.contains(part) == (first != nil))
      let end = String(decoding: all, as: UTF8.self).unicodeScalars.suffix(sought.count)
      let last = FoldedText(String(end))
      #expect(text.contains(last), "seed \(seed): \(all)")
    }
  }

  /// A part is found at its first position and at the position from which it was taken.
  @Test(arguments: [127, 128, 255, 256, 4_095, 140_000])
  func partsOfLongTextsAreFound(_ count: Int) {
    let seed: UInt64 = 6
    var random = SeededGenerator(seed: seed)
    let letters = Array("etaoin shrdlu".utf8)
    let bytes = (0..<count).map { _ in letters.randomElement(using: &random) ?? 0 }
    let text = FoldedText(String(decoding: bytes, as: UTF8.self))
    for turn in 0..<18 {
      let length = turn % 6 + 2
      let place = turn == 0 ? count - length : Int.random(in: 0...count - length, using: &random)
      let sought = Array(bytes[place..<place + length])
      let part = FoldedText(String(decoding: sought, as: UTF8.self))
      let first = (0...place).first { bytes[$0..<$0 + length].elementsEqual(sought) }
      let ranges = text.ranges(of: part)
      #expect(ranges.first?.lowerBound == first, "seed \(seed): \(sought)")
      #expect(ranges.allSatisfy { bytes[$0].elementsEqual(sought) })
      #expect(ranges.contains { $0.contains(place) }, "seed \(seed): \(sought) at \(place)")
      #expect(text.contains(part))
    }
    #expect(!text.contains(FoldedText("x")))
    #expect(!text.contains(FoldedText("texas")))
  }

  /// Small and capital letters are sought in turns, in parts of the text.
  @Test("Hits may be far apart, in either case", arguments: [0, 1, 16_383, 16_384, 16_385, 40_000])
  func hitsAreFoundInEitherCase(_ distance: Int) {
    let filling = String(repeating: ".", count: distance)
    for (one, other) in [("Ziel", "zIEL"), ("zIEL", "Ziel"), ("ZIEL", "ZIEL"), ("ziel", "ziel")] {
      let text = FoldedText(one + filling + other + filling)
      let ranges = text.ranges(of: FoldedText("ziel"))
      #expect(ranges == [0..<4, 4 + distance..<8 + distance])
    }
    let many = FoldedText(String(repeating: "E", count: distance))
    #expect(many.ranges(of: FoldedText("e")).count == distance)
  }
}
