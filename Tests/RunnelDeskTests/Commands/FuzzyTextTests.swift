import Testing

@testable import RunnelDesk

@Suite struct FuzzyTextTests {
  private func match(_ query: String, in text: String) -> FuzzyText.Match? {
    var folding = LetterFolding()
    let text = FuzzyText(text, &folding)
    return text.match(folding.letters(of: query))
  }

  @Test(arguments: [
    ("", "Save", []), ("save", "Save", [0, 1, 2, 3]), ("s e", "Save", [0, 3]),
    ("sf", "Save file", [0, 5]), ("ae", "Save", [1, 3]), ("of", "openFile", [0, 4]),
    ("ouvrir", "Öuvrîr", [0, 1, 2, 3, 4, 5]), ("規", "新規 New", [1]), ("😀", "a 😀", [2]),
    // An adjacent match at the beginning of a word is preferred to an earlier one.
    ("line", "Unlimited lines: line", [10, 11, 12, 13]), ("aa", "a-b-aa", [0, 4]),
  ])
  func findsLettersInOrder(query: String, text: String, places: [Int]) {
    #expect(match(query, in: text)?.places == places)
  }

  @Test(arguments: [("x", "Save"), ("evas", "Save"), ("saves", "Save"), ("a", "")])
  func refusesOtherTexts(query: String, text: String) {
    #expect(match(query, in: text) == nil)
  }

  @Test(arguments: [
    ("save", ["Save", "Save all", "Autosave", "Show active"]),
    ("nf", ["New file", "Info"]), ("fi", ["Find", "Profile"]),
  ])
  func betterMatchesScoreHigher(query: String, texts: [String]) {
    let scores = texts.map { match(query, in: $0)?.score ?? .min }
    #expect(scores == scores.sorted(by: >), "\(scores)")
    #expect(scores[0] > scores[1])
  }

  /// Compares the score with that of the best of all ways to match.
  @Test func findsTheBestOfAllWays() {
    let texts = (0..<64).map { bits in
      String((0..<6).map { bits >> $0 & 1 == 0 ? "a" : $0 % 3 == 2 ? " " : "b" })
    }
    for text in texts {
      for query in ["a", "ab", "aa", "ba", "aab", "bab"] {
        let characters = Array(text)
        var best: Int?
        for mask in 0..<64 {
          let places = (0..<6).filter { mask >> $0 & 1 == 1 }
          guard places.map({ String(characters[$0]) }).joined() == query else { continue }
          best = max(best ?? .min, score(places, characters))
        }
        #expect(match(query, in: text)?.score == best, "\(query) in \(text)")
      }
    }
  }

  private func score(_ places: [Int], _ characters: [Character]) -> Int {
    var sum = 0
    for (index, place) in places.enumerated() {
      sum += 1 + (place == 0 ? 11 : characters[place - 1] == " " ? 8 : 0)
      if index > 0 { sum += places[index - 1] == place - 1 ? 8 : -2 }
    }
    return sum
  }

  @Test func longTextsAreCut() {
    let text = String(repeating: "x", count: 100_000) + "y"
    #expect(match("y", in: text) == nil)
    #expect(match(String(repeating: "x", count: 1_000), in: text)?.places.count == 200)
  }
}
