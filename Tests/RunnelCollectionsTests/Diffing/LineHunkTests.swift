import RunnelCollections
import RunnelTesting
import Testing

@Suite struct LineHunkTests {
  private func hunks(_ old: String, _ new: String) -> [String] {
    let lines = [old, new].map { $0.split(separator: " ", omittingEmptySubsequences: false) }
    return LineHunk.hunks(from: lines[0], to: lines[1]).map { hunk in
      [lines[0][hunk.old], lines[1][hunk.new]].map { $0.joined(separator: " ") }
        .joined(separator: ">") + " at \(hunk.old.lowerBound)"
    }
  }

  @Test func uniqueLinesAreAnchors() {
    #expect(hunks("a b c", "a b c").isEmpty)
    #expect(hunks("a b c", "x a y c") == [">x at 0", "b>y at 1"])
    // The empty lines of a list are no reason to match its items with each other.
    #expect(
      hunks("- milk - bread - tea", "milk - bread - teas") == ["-> at 0", "tea>teas at 5"])
    // Lines that are unique between two anchors.
    #expect(
      hunks("x a y m x b y", "a y x m x y b") == ["x> at 0", ">x at 3", ">y at 5", "y> at 6"])
    // No line is unique, so nothing is known between the equal ends.
    #expect(hunks("a b b a a c", "a c c a a b") == ["b b a a c>c c a a b at 1"])
  }

  @Test func movedLinesAreInsertedAndRemoved() {
    #expect(hunks("a b c d", "d a b c") == [">d at 0", "d> at 3"])
    #expect(hunks("a b", "b a").count == 2)
  }

  /// Replacing the old lines of each hunk makes the new text, and a line stays between two hunks.
  @Test func hunksMakeTheNewText() {
    let seed: UInt64 = 3
    var random = SeededGenerator(seed: seed)
    for step in 0..<20_000 {
      let kinds = [2, 4, 20][step % 3]
      func lines() -> [Int] {
        (0..<Int.random(in: 0...8, using: &random)).map { _ in
          Int.random(in: 0..<kinds, using: &random)
        }
      }
      let (old, new) = (lines(), lines())
      var made: [Int] = []
      var place = 0
      var isFirst = true
      for hunk in LineHunk.hunks(from: old, to: new) {
        #expect(isFirst || hunk.old.lowerBound > place, "seed \(seed), step \(step)")
        isFirst = false
        made += old[place..<hunk.old.lowerBound] + new[hunk.new]
        place = hunk.old.upperBound
      }
      #expect(made + old[place...] == new, "seed \(seed), step \(step): \(old) \(new)")
    }
  }

  /// Each split leaves a text with one more unique line, so it would take quadratic time to find all.
  @Test func nestedTextsAreComparedInTime() {
    let count = 20_000
    let old = Array(0..<count) + Array((0..<count).reversed())
    let new = old.map { $0 % 2 == 0 ? $0 : -$0 }
    let hunks = LineHunk.hunks(from: old, to: new)
    #expect(!hunks.isEmpty)
  }
}
