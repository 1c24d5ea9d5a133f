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
    // An item is inserted before, or after, the one that is ticked.
    (
      "- [ ] bread\n", "- [ ] milk\n- [ ] bread\n", "- [x] bread\n",
      "- [ ] milk\n- [x] bread\n"
    ),
    ("- [ ] bread", "- [ ] bread\n- [ ] milk", "- [x] bread", "- [x] bread\n- [ ] milk"),
    // Empty lines are no reason to match other lines.
    ("\na\n\nb\n\nc\n", "a\n\nb\n\nc\n\n", "\na\n\nb!\n\nc\n", "a\n\nb!\n\nc\n\n"),
    // Without a final newline, or with one that is inserted.
    ("milk", "milk\nbread", "milk 2l", "milk 2l\nbread"), ("a\n", "!a\n", "x\na\n", "x\n!a\n"),
    ("a", "a\n", "a!", "a!\n"),
  ])
  func changesOfAdjacentLinesAndOfOneLineAreMerged(
    _ base: String, _ mine: String, _ theirs: String, _ expected: String
  ) {
    #expect(merged(base, mine, theirs) == expected)
    #expect(merged(base, theirs, mine) == expected)
  }

  /// Two programs that type at one place lose nothing.
  @Test(arguments: [
    ("one", "onea", "oneb", "oneab"), ("a\n", "a\nb\n", "a\nc\n", "a\nb\nc\n"),
    ("milk", "milk one", "milk two", "milk one two"),
  ])
  func insertionsAtOnePlaceFollowEachOther(
    _ base: String, _ mine: String, _ theirs: String, _ expected: String
  ) {
    #expect(merged(base, mine, theirs) == expected)
  }

  @Test(arguments: [
    ("", "a", "b"), ("a", "b", "c"), ("a\nb\nc", "", "a\nb\nc!"), ("abc", "ac", "abbc"),
    ("ä", "ö", "ü"),
    ("a\nb\nc", "c\nb\na", "a\nx\nc"), ("milk\nbread", "bread", "milk!\nbread"),
    // The item is ticked by one program, and replaced with another one by the other program.
    ("- [ ] bread", "- [ ] coffee", "- [x] bread"),
    ("- [ ] tea\n- [ ] tea", "- [ ] jam", "- [ ] tea\n- [x] tea"),
    // Both have inserted one line, with more lines around it.
    ("a", "a\nb\nc", "a\nb\nd"),
  ])
  func changesThatTouchAreNotMerged(_ base: String, _ mine: String, _ theirs: String) {
    #expect(merged(base, mine, theirs) == nil)
    #expect(merged(base, theirs, mine) == nil)
  }

  private static let items = ["", "", "- [ ] milk", "- [ ] bread", "- [ ] tea", "- [ ] coffee"]

  /// One program inserts, removes and moves items, and the other one ticks and adds some. Items and
  /// empty lines may occur several times.
  @Test func noLineIsLostOrTickedForAnother() {
    let seed: UInt64 = 21
    var random = SeededGenerator(seed: seed)
    let count = 20_000
    var declined = 0
    for step in 0..<count {
      func pick(_ most: Int) -> Int { Int.random(in: 0...most, using: &random) }
      func unticked(_ line: String) -> String { line.replacing("[x]", with: "[ ]") }
      var base: [String] = []
      for _ in 0...pick(6) { base.append(Self.items[pick(Self.items.count - 1)]) }
      if pick(2) == 0 { base += [""] }
      var (mine, theirs) = (base, base)
      for number in 0...pick(2) {
        let index = pick(mine.count - 1)
        switch pick(3) {
        case 0 where mine.count > 1: mine.remove(at: index)
        case 1: mine.insert(mine.remove(at: index), at: pick(mine.count))
        case 2: mine.insert("", at: index)
        default: mine.insert("- [ ] mine \(number)", at: pick(mine.count))
        }
      }
      for index in theirs.indices where theirs[index].hasPrefix("- [ ]") && pick(3) == 0 {
        theirs[index].replace("[ ]", with: "[x]")
      }
      for number in 0..<pick(1) { theirs.insert("- [ ] theirs \(number)", at: pick(theirs.count)) }

      let isSwapped = step % 2 == 0
      let (one, other) = isSwapped ? (theirs, mine) : (mine, theirs)
      let texts = [base, one, other].map { $0.joined(separator: "\n") }
      let message = "seed \(seed), step \(step): \(texts)"
      guard let found = merged(texts[0], texts[1], texts[2]) else {
        declined += 1
        continue
      }
      if mine == base || theirs == base { continue }
      let lines = found.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
      // Each line is there as often as both programs want it.
      func number(_ line: String, _ lines: [String]) -> Int { lines.count { $0 == line } }
      for line in Set(base + mine + theirs + lines) {
        let wanted = number(line, mine) + number(line, theirs) - number(line, base)
        #expect(number(line, lines) == wanted, "\(message): \(line) in \(found)")
      }
      // An item that occurs once is at its place, ticked or not.
      let all = [base, mine, theirs].map { $0.map(unticked) }
      func isKnown(_ line: String) -> Bool {
        line != "" && number(line, all[1]) == 1 && all.allSatisfy { number(line, $0) <= 1 }
      }
      #expect(
        lines.map(unticked).filter(isKnown) == mine.filter(isKnown), "\(message): \(found)")
    }
    #expect(declined * 5 < count, "\(declined) of \(count) merges were declined")
  }
}
