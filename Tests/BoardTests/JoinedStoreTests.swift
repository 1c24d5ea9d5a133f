import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@testable import Board

/// Boards that store the posts of each other.
@Suite struct JoinedStoreTests {
  /// Gives a board all posts of another one that it does not have.
  private func copy(_ source: BoardFixture, to target: BoardFixture) {
    let name = source.use(\.name)
    if name == target.use(\.name) { return }
    while true {
      let known = target.use { $0.acceptedID(of: name) }
      if source.use(\.lastOwnID) <= known { return }
      let read = EventLog<[Post]>()
      source.use { board in
        _ = board.ownPosts(after: known).observe(
          next: { read.add($0) }, failed: { Issue.record("\($0)") })
      }
      for post in read.wait(for: 1)[0] {
        let previous = source.use { $0.ownID(before: post.id) }
        target.use { board in
          let copy = Post(
            id: 0, time: post.time, topic: post.topic, text: post.text,
            origin: Origin(board: name, id: post.id))
          #expect(board.accept(copy, after: previous))
        }
      }
    }
  }

  @Test("A client that goes from board to board sees each post once", arguments: seeds(8))
  func clientsHopWithoutGap(_ seed: Int) async throws {
    try await onLoop { loop in
      let folder = TemporaryFolder()
      var random = SeededGenerator(seed: UInt64(seed))
      let boards = try ["a", "b", "c"].map {
        try BoardFixture(on: loop, at: folder[$0], named: $0)
      }
      let seen = EventLog<(text: String, cursor: String)>()
      var cursor = "0"
      var count = 0
      var texts: [String] = []
      for _ in 0..<60 {
        let board = boards.randomElement(using: &random)!
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          count += 1
          let isFollowed = Bool.random(using: &random)
          board.publish(["\(count)"], in: isFollowed ? "kitchen" : "hall")
          if isFollowed { texts.append("\(count)") }
        case 1: copy(boards.randomElement(using: &random)!, to: board)
        default:
          // It stays for a number of posts, or until there are no more.
          let length = Int.random(in: 1..<4, using: &random)
          let start = cursor
          let end = Confined(Disposable.none)
          let before = seen.count
          board.use { board in
            end.value = board.posts(in: "kitchen", after: Cursor(start, at: "a")!).take(length)
              .observe(
                next: { seen.add(($0.post.text, "\($0.cursor)")) },
                failed: { Issue.record("\($0)") })
          }
          // A further turn, after the posts that need none.
          board.use { _ in }
          board.use { _ in end.value.dispose() }
          if seen.count > before { cursor = seen.all.last!.cursor }
        }
      }
      boards[0].publish(["end"])
      copy(boards[1], to: boards[0])
      copy(boards[2], to: boards[0])
      let start = cursor
      boards[0].use { board in
        _ = board.posts(in: "kitchen", after: Cursor(start, at: "a")!).observe(
          next: { seen.add(($0.post.text, "\($0.cursor)")) }, failed: { Issue.record("\($0)") })
      }
      let all = seen.wait(for: texts.count + 1).map(\.text)
      #expect(all.sorted() == (texts + ["end"]).sorted(), "seed \(seed)")
      let stored = boards[0].follow().wait(for: texts.count + 1).map(\.text)
      #expect(stored.sorted() == (texts + ["end"]).sorted())
    }
  }

  @Test("Copies keep their origin over a restart, and are accepted once and without a gap")
  func copiesSurvive() async throws {
    try await onLoop { loop in
      let folder = TemporaryFolder()
      let first = try BoardFixture(on: loop, at: folder["a"], named: "a")
      let second = try BoardFixture(on: loop, at: folder["b"], named: "b")
      first.publish(["one", "two", "three"])
      second.publish(["own"])
      copy(first, to: second)
      let read = EventLog<String>()
      second.use { board in
        // The end of the observation lets the board be released.
        _ = board.posts(in: "kitchen", after: 0).take(4).observe(
          next: { read.add($0.text) }, failed: { Issue.record("\($0)") })
      }
      #expect(read.wait(for: 4) == ["own", "one", "two", "three"])
      second.close()
      let again = try BoardFixture(on: loop, at: folder["b"], named: "b")
      #expect(again.use { $0.acceptedID(of: "a") } == 3)
      #expect(again.use(\.lastOwnID) == 1)
      let origin = Origin(board: "a", id: 3)
      #expect(again.follow().wait(for: 4).last?.origin == origin)
      again.use { board in
        func post(_ id: Int) -> Post {
          Post(
            id: 0, time: 1, topic: "kitchen", text: "\(id)", origin: Origin(board: "a", id: id))
        }
        // A copy twice, a gap, and the next one.
        #expect(board.accept(post(3), after: 2) && !board.accept(post(5), after: 4))
        #expect(board.acceptedID(of: "a") == 3)
        #expect(board.accept(post(4), after: 3) && board.accept(post(5), after: 4))
      }
      #expect(again.follow().wait(for: 6).map(\.text).suffix(2) == ["4", "5"])
    }
  }

  @Test("Numbers that the file could not store are no copy")
  func numbersAreChecked() {
    func isCopy(id: Int = 5, after previous: Int = 4, time: Int = 1) -> Bool {
      let origin = Origin(board: "3f09ac51", id: id)
      return Board.isCopy(
        Post(id: 0, time: time, topic: "a", text: "b", origin: origin), after: previous)
    }
    #expect(isCopy() && isCopy(after: 0) && isCopy(id: Post.largestID) && isCopy(time: 0))
    #expect(!isCopy(id: 0, after: 0) && !isCopy(id: -1) && !isCopy(id: .max))
    #expect(!isCopy(after: 5) && !isCopy(after: -1) && !isCopy(time: -1) && !isCopy(time: .max))
    #expect(!Board.isCopy(Post(id: 1, time: 1, topic: "a", text: "b"), after: 0))
    let names = ["", "3f09ac5", "3f09ac511", "3f09ac5g", "3F09AC51", "3f09ac5\n", "a b"]
    #expect(BoardName.isName("3f09ac51") && !names.contains(where: BoardName.isName))
  }

  @Test("A board keeps its name while its posts are there, and gets another one with a new file")
  func namesBelongToPosts() throws {
    let folder = TemporaryFolder()
    func name() throws -> String { try BoardName(beside: PostFile(folder["posts"])).text }
    let first = try name()
    folder.write("posts", "board 1\n")
    folder.write("posts.last", "")
    #expect(try name() != first)
    let file = try PostFile(folder["posts"])
    _ = try file.recover { _ in }
    file.note(last: 3)
    let second = try BoardName(beside: file).text
    #expect(try BoardName(beside: file).text == second)
    folder.write("posts.name", "\(second)\n")
    #expect(try BoardName(beside: file).text == second)
    for damaged in ["\(second.dropLast())", "\(second)0", "\(second.uppercased())G", "\n"] {
      folder.write("posts.name", damaged)
      #expect(throws: PostFileError.foreignName(folder["posts.name"])) {
        try BoardName(beside: file)
      }
    }
  }
}
