import RunnelTesting
import Testing

@testable import RunnelFiles

@Suite struct LineMergeTests {
  private func merged(_ base: String, _ mine: String, _ theirs: String) -> String? {
    LineMerge.merged(base: Array(base.utf8), mine: Array(mine.utf8), theirs: Array(theirs.utf8))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    ("a\nb\nc", "a!\nb\nc", "a\nb\nc!", "a!\nb\nc!"), ("a\nb\nc\n", "b\nc\n", "a\nb\n", "b\n"),
    ("a\nb\n", "x\na\nb\n", "a\nb\ny\n", "x\na\nb\ny\n"), ("a", "a", "b", "b"),
    ("a", "b", "a", "b"), ("a\nb\nc", "x\nb\nc", "x\nb\nd", "x\nb\nd"), ("", "", "", ""),
    ("a\nb\nc\nd", "b\nc\nd", "a\nb\nc\nd\ne", "b\nc\nd\ne"),
  ])
  func changesOfDifferentLinesAreMerged(
    _ base: String, _ mine: String, _ theirs: String, _ expected: String
  ) {
    #expect(merged(base, mine, theirs) == expected)
    #expect(merged(base, theirs, mine) == expected)
  }

  @Test(arguments: [
    ("a\nb", "a!\nb", "a\nb!", "a!\nb!"), ("milk", "Milk", "milk!", "Milk!"),
    ("äöü", "äxöü", "äöyü", "äxöyü"), ("a\nb\nc", "a\nx\nb\nc", "a\nb!\nc", "a\nx\nb!\nc"),
  ])
  func changesOfAdjacentLinesAreMergedByBytes(
    _ base: String, _ mine: String, _ theirs: String, _ expected: String
  ) {
    #expect(merged(base, mine, theirs) == expected)
    #expect(merged(base, theirs, mine) == expected)
  }

  /// Two programs that type at one place lose nothing.
  @Test(arguments: [
    ("", "a", "b", "ab"), ("a\n", "a\nb\n", "a\nc\n", "a\nb\nc\n"),
    ("milk", "milk one", "milk two", "milk one two"),
  ])
  func insertionsAtOnePlaceFollowEachOther(
    _ base: String, _ mine: String, _ theirs: String, _ expected: String
  ) {
    #expect(merged(base, mine, theirs) == expected)
  }

  @Test(arguments: [
    ("a", "b", "c"), ("a\nb\nc", "", "a\nb\nc!"), ("abc", "ac", "abbc"), ("ä", "ö", "ü"),
    ("a\nb\nc", "c\nb\na", "a\nx\nc"), ("milk\nbread", "bread", "milk!\nbread"),
  ])
  func changesThatTouchAreNotMerged(_ base: String, _ mine: String, _ theirs: String) {
    #expect(merged(base, mine, theirs) == nil)
    #expect(merged(base, theirs, mine) == nil)
  }

  /// Changes lines of two halves of a text, between which one line stays.
  @Test func separateChangesAreBothMade() {
    let seed: UInt64 = 21
    var random = SeededGenerator(seed: seed)
    func changed(_ lines: [String]) -> [String] {
      var lines = lines
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let index = Int.random(in: 0...lines.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where index < lines.count: lines.remove(at: index)
        case 1 where index < lines.count: lines[index] += "!"
        default: lines.insert("new \(Int.random(in: 0..<99, using: &random))", at: index)
        }
      }
      return lines
    }
    for step in 0..<2_000 {
      let (first, last) = ((0..<4).map { "one \($0)" }, (0..<4).map { "two \($0)" })
      let (mine, theirs) = (changed(first), changed(last))
      func text(_ one: [String], _ other: [String]) -> String {
        (one + ["middle"] + other).map { $0 + "\n" }.joined()
      }
      let found = merged(text(first, last), text(mine, last), text(first, theirs))
      #expect(found == text(mine, theirs), "seed \(seed), step \(step)")
    }
  }
}
