import RunnelDesk
import RunnelTesting
import Testing

@Suite struct TextMergeTests {
  private func texts(_ mine: String, _ theirs: String, at index: Int = 0) -> [String] {
    TextMerge.Choice.allCases.map { choice in
      var merge = TextMerge(mine: mine, theirs: theirs)
      merge.differences[index].choice = choice
      return merge.text
    }
  }

  @Test func eachChoiceTakesItsLines() {
    #expect(
      texts("milk\nbread\neggs", "milk\ntea\neggs") == [
        "milk\nbread\neggs", "milk\ntea\neggs", "milk\nbread\ntea\neggs",
      ])
    #expect(texts("", "a\nb") == ["", "a\nb", "a\nb"])
    #expect(texts("a\nb", "b") == ["a\nb", "b", "a\nb"])
    #expect(texts("a", "a\n") == ["a", "a\n", "a\n"])
  }

  @Test func equalTextsHaveNoDifference() {
    for text in ["", "\n", "a\nb"] {
      let merge = TextMerge(mine: text, theirs: text)
      #expect(merge.differences == [] && merge.text == text)
    }
    #expect(TextMerge(mine: "é", theirs: "e\u{301}").differences.count == 1)
  }

  @Test func takingOneSideGivesItsText() {
    let seed: UInt64 = 21
    var random = SeededGenerator(seed: seed)
    for step in 0..<2_000 {
      let mine = RandomText.text(atMost: 12, using: &random)
      let theirs = RandomText.text(atMost: 12, using: &random)
      var merge = TextMerge(mine: mine, theirs: theirs)
      for index in merge.differences.indices { merge.differences[index].choice = .mine }
      #expect(Array(merge.text.utf8) == Array(mine.utf8), "seed \(seed), step \(step)")
      for index in merge.differences.indices { merge.differences[index].choice = .theirs }
      #expect(Array(merge.text.utf8) == Array(theirs.utf8), "seed \(seed), step \(step)")
    }
  }

  @Test("An empty version adds no line to the other one", arguments: [("", "a\nb"), ("a\n", "")])
  func bothOfAnEmptyVersion(_ mine: String, _ theirs: String) {
    var merge = TextMerge(mine: mine, theirs: theirs)
    #expect(merge.differences.allSatisfy { $0.choice == .both })
    #expect(merge.text == mine + theirs)
    merge.differences[0].choice = .mine
    #expect(merge.text == mine)
  }
}
