import Testing

@testable import RunnelLoop

@Suite struct FileNameTests {
  @Test(arguments: [
    ("note.txt", "note (conflict 3).txt"), ("note", "note (conflict 3)"),
    (".hidden", ".hidden (conflict 3)"), ("a.b.md", "a.b (conflict 3).md"),
    ("a.", "a (conflict 3)."),
    ("1. Milk and bread for Jim", "1. Milk and bread for Jim (conflict 3)"),
  ])
  func copiesAreNumberedBeforeTheEnding(_ name: String, _ copy: String) {
    #expect(FileName(name).conflict(3) == copy)
  }

  @Test(arguments: ["é", "a", "👩‍👩‍👧‍👦"]) func theStemGivesWay(_ letter: String) {
    for count in 1...300 {
      let name = FileName(String(repeating: letter, count: count) + ".txt").conflict(1)
      #expect(name.hasSuffix(" (conflict).txt"))
      #expect(name.utf8.count <= 255 && name.utf8.count > min(200, count))
    }
  }

  @Test func provisionalNamesTellWhatTheyAre() {
    #expect(ProvisionalName.leftover(ProvisionalName.unfinished()) == .unfinished)
    let (old, new) = (Array("old".utf8), Array("new".utf8))
    let name = ProvisionalName.exchanging(old, for: new, of: "a - b-c.txt")
    let digests = [old, new].map(ProvisionalName.digest)
    #expect(ProvisionalName.leftover(name) == .replaced(digests: digests, name: "a - b-c.txt"))
    #expect(ProvisionalName.leftover("note.txt") == nil)
    let long = ProvisionalName.exchanging(old, for: new, of: String(repeating: "n", count: 255))
    #expect(long.utf8.count == 255)
  }
}
