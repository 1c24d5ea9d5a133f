import Testing

@testable import Board

/// The places of clients in the posts of several boards.
@Suite struct CursorTests {
  @Test(arguments: [
    ("0", "0"), ("41", "41"), ("a.41-b.7", "a.41-b.7"), ("b.7-a.41", "a.41-b.7"), ("a.0", "0"),
    ("a.3-a.2", "a.3"),
  ])
  func textsAreRead(_ text: String, _ expected: String) {
    #expect(Cursor(text, at: Cursor.alone)?.description == expected)
  }

  @Test(arguments: ["", "x", "-1", "a.b", "a.1-", "a.1.2", "1.", "a.99999999999999999999"])
  func otherTextsAreNone(_ text: String) {
    #expect(Cursor(text, at: Cursor.alone) == nil)
  }

  @Test("A number without a name belongs to the board that is asked")
  func numbersBelongToTheBoard() {
    #expect(Cursor("41", at: "a")?.description == "a.41")
  }

  @Test func postsAreAddedOnce() {
    var cursor = Cursor()
    let posts = [("a", 2), ("a", 2), ("a", 1), ("b", 1)]
    let areNew = posts.map { cursor.add(Origin(board: $0, id: $1)) }
    #expect(areNew == [true, false, false, true])
    #expect(cursor.description == "a.2-b.1")
  }
}
