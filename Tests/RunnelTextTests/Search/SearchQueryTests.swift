import RunnelTesting
import RunnelText
import Testing

@Suite struct SearchQueryTests {
  @Test(arguments: [
    ("", true), ("  ", true), ("milk", true), ("MILK", true), ("Brulee", true), ("shop milk", true),
    ("milk shop", true), ("milk xyz", false), ("\"two bottles\"", true), ("\"bottles two\"", false),
    ("\"two bottles", true), ("\"\"", true), ("tag:home", true), ("tag:HOME", true),
    ("tag:hom", false), ("tag:home milk", true), ("tag:home xyz", false), ("tag:work", true),
    ("tag:urgent", true), ("tag:shopping", false), ("tag:", true), ("\"tag:home\"", false),
    ("Shopping two", true), ("ping\ntwo", true), ("tag:late", false), ("a\"two b\"of", true),
    ("a\"two c\"of", false),
  ])
  func queryMatchesTitleAndText(_ query: String, _ isFound: Bool) {
    let text = FoldedText(
      """
      two bottles of Milk #home, crème brûlée
      Tags: work, urgent
      too late: see #home-made and a#late
      """)
    #expect(SearchQuery(query).matches(FoldedText("Shopping"), text) == isFound, "\(query)")
  }

  /// The caret can go to each hit, and from it to the next one.
  @Test(arguments: [
    ("👧", "a 👩‍👩‍👧‍👦 b 👧", ["👩‍👩‍👧‍👦", "👧"]), ("🇪", "🇩🇪", ["🇩🇪"]), ("mil milk", "Milk", ["Milk"]),
    ("milk MILK", "milk", ["milk"]), ("\u{301}", "e\u{301}", []), ("tag:a #a", "#a", ["#a", "a"]),
    ("e", "e\u{301}e", ["e\u{301}", "e"]),
  ])
  func hitsAreWholeCharactersWithDifferentStarts(
    _ query: String, _ text: String, _ expected: [String]
  ) {
    #expect(SearchQuery(query).hits(in: text).map { String(text[$0]) } == expected)
    #expect(SearchQuery(phrase: query).hits(in: text).allSatisfy { !$0.isEmpty })
  }

  @Test func hitsAreRangesOfMatchedText() {
    let text = "Crème, creme #new and the CREME of all #newer"
    func hits(_ query: String) -> [String] {
      SearchQuery(query).hits(in: text).map { String(text[$0]) }
    }
    #expect(hits("creme") == ["Crème", "creme", "CREME"])
    #expect(hits("all the") == ["the", "all"])
    #expect(hits("tag:new") == ["new"])
    #expect(hits("\"the creme\"") == ["the CREME"])
    #expect(hits("") == [])
    #expect(hits("\"\" tag:") == [])
    #expect(SearchQuery("x").hits(in: "") == [])
  }

  /// Compares queries with a slow search word by word.
  @Test func matchesAgreeWithSlowSearch() {
    let seed: UInt64 = 3
    var random = SeededGenerator(seed: seed)
    func text(_ count: Int) -> String {
      (0..<count).map { _ in ["ab", "Ä", "c d", "#e", "\n"].randomElement(using: &random) ?? "" }
        .joined()
    }
    for _ in 0..<500 {
      let (note, query) = (text(8), text(2).filter { $0 != "\"" })
      let words = query.lowercased().split(whereSeparator: \.isWhitespace)
      let all = "t\n\(note)".lowercased().map { $0 == "ä" ? "a" : $0 }
      let slow = words.allSatisfy { word in
        String(all).contains(String(word.map { $0 == "ä" ? "a" : $0 }))
      }
      let isFound = SearchQuery(query).matches(FoldedText("t"), FoldedText(note))
      #expect(isFound == slow, "seed \(seed): \(query) in \(note)")
    }
  }

  @Test(arguments: [
    ("link:Milk", "[[milk]]", true), ("link:milk", "buy [[Milk|some]] now", true),
    ("LINK:milk", "[[MILK#Prices]]", true), ("link:milk", "[[Milky]] milk", false),
    ("link:\"Milky Way\" x", "x [[Milky Way]]", true), ("link:\"Milky Way\"", "[[Milky]]", false),
    ("link: \"milk\"", "milk", true), ("link:", "", true), ("link:\"\"", "", true),
    ("\"link:\" \"milk\"", "[[milk]]", false),
  ])
  func links(_ query: String, _ text: String, _ isFound: Bool) {
    #expect(SearchQuery(query).matches(FoldedText("t"), FoldedText(text)) == isFound)
  }

  @Test func tagsAreReturnedAsWritten() {
    let tags = FoldedText.tags(in: "#Björn/Plan x\nTags: Chloé, ab\n#// #1/2 #ab")
    #expect(tags == ["Björn/Plan", "Chloé", "ab", "ab"])
    #expect(FoldedText.tags(in: ["#b #Ä", "", "#B #a-1"]) == ["Ä", "a-1", "b"])
  }

  @Test func queryOfALinkIsNoTitle() {
    #expect(!SearchQuery("link:milk").hasOnlyWords && !SearchQuery("a tag:b").hasOnlyWords)
    #expect(!SearchQuery("a \"b c\"").hasOnlyWords && SearchQuery("link:").hasOnlyWords)
    #expect(SearchQuery("a 5\" pipe").hasOnlyWords && SearchQuery("").hasOnlyWords)
  }

  @Test func hitsOfLinks() {
    let text = "a [[Milk|b]]"
    #expect(SearchQuery("link:milk").hits(in: text).map { text[$0] } == ["[[Milk|"])
  }

  @Test(arguments: [
    ("#Work and #wörk-2 a#no # #", ["work", "work-2"]), ("##x #x_y.", ["x", "x_y"]),
    ("Tags: a, b-c;#d\nno tags: e\ntags:f", ["d", "a", "b-c", "d", "f"]), ("", []), ("#", []),
    ("http://x.y/#frag `#code` #1 #12a x.#y", ["12a"]),
    ("#nested/tag, #open/", ["nested/tag", "open"]),
  ])
  func tagNamesAreThoseThatQueriesFind(_ text: String, _ names: [String]) {
    let folded = FoldedText(text)
    #expect(folded.tagNames == names)
    #expect(names.allSatisfy { SearchQuery("tag:\($0)").matches(folded) })
  }
}
