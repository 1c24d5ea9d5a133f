import Glibc
import RunnelStreams
import TestSupport
import Testing

@testable import Board

/// The newest posts in memory.
@Suite struct RecentPostsTests {
  private func post(_ id: Int, _ size: Int = 1_000) -> Post {
    Post(id: id, time: 1, topic: "topic\(id % 7)", text: String(repeating: "a", count: size))
  }

  @Test func sizeIsBounded() {
    var recent = RecentPosts(limit: 20_000)
    for id in 1...100 {
      recent.add(post(2 * id))
      #expect(recent.size <= 20_000 && recent.size > min(id, 8) * 1_000)
      #expect(recent.posts([(2 * id, 0)]) == [post(2 * id)])
    }
    #expect(recent.posts([(2, 0), (200, 0)]).isEmpty)
    #expect(recent.posts([(198, 0), (200, 0)]) == [post(198), post(200)])
    recent.add(post(201, 30_000))
    #expect(recent.size == 0 && recent.posts([(201, 0)]).isEmpty)
  }

  @Test func partIsBounded() {
    var recent = RecentPosts(limit: 1 << 20)
    for id in 1...4 { recent.add(post(id, 40_000)) }
    #expect(recent.posts((1...4).map { ($0, 0) }).map(\.id) == [1])
  }
}

/// The store: publishing, faults of the disk, and reading.
@Suite struct BoardTests {
  // MARK: - Publishing

  @Test func postsAreNumberedAndStored() async throws {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      let first = try board.publish(["one"])[0].get()
      #expect(first == Post(id: 1, time: 1_000, topic: "kitchen", text: "one"))
      board.publish(["two"], in: "hall")
      #expect(
        board.use { $0.summaries } == [
          Board.Summary(name: "hall", posts: 1, last: 2),
          Board.Summary(name: "kitchen", posts: 1, last: 1),
        ])
      board.close()
      #expect(try posts(at: folder["posts"]).map(\.text) == ["one", "two"])
      let again = try BoardFixture(on: loop, at: folder["posts"])
      #expect(try again.publish(["three"])[0].get().id == 3)
    }
  }

  @Test("All posts that wait share one confirmation of the disk")
  func confirmationIsShared() async throws {
    let folder = TemporaryFolder()
    let confirmations = EventLog<Int>()
    var calls = DiskCalls()
    calls.synchronize = {
      confirmations.add(1)
      return fdatasync($0)
    }
    try await onLoop { [calls] loop in
      let board = try BoardFixture(on: loop, at: folder["posts"], calls: calls)
      let before = confirmations.count
      let ids = try board.publish((1...100).map { "post \($0)" }).map { try $0.get().id }
      #expect(ids == Array(1...100))
      // The first post, and then all others.
      #expect(confirmations.count - before == 2)
    }
  }

  @Test func unsuitablePostsAreRefused() async throws {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      board.use { $0.limits = Board.Limits(postSize: 4, topicCount: 1) }
      func refusal(_ text: String, in topic: String = "kitchen") -> BoardError? {
        if case .failure(let error) = board.publish([text], in: topic)[0] { error } else { nil }
      }
      #expect(refusal("") == .empty)
      #expect(refusal("12345") == .tooLong(limit: 4))
      #expect(refusal("a\u{1B}") == .controlCharacters)
      for topic in ["", ".", "a b", "a/b", "a\n", "\u{301}a", "\u{FE0F}", "a\u{200D}b"]
        + [String(repeating: "a", count: 65)]
      {
        #expect(refusal("a", in: topic) == .invalidTopic)
      }
      #expect(refusal("1\n\t4") == nil)
      #expect(refusal("a", in: "other") == .tooManyTopics(limit: 1))
    }
  }

  @Test func waitingTopicsCountForLimit() async throws {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      board.use { $0.limits.topicCount = 2 }
      let results = EventLog<String>()
      board.use { board in
        for topic in ["a", "b", "c", "a", "d"] {
          board.publish("text", in: topic).observe(
            succeeded: { results.add($0.topic) }, failed: { results.add("\($0)") })
        }
      }
      let refusal = "\(BoardError.tooManyTopics(limit: 2))"
      #expect(results.wait(for: 5).sorted() == [refusal, refusal, "a", "a", "b"])
    }
  }

  @Test("Short posts that wait count with their memory; the rest is refused")
  func shortPostsFillQueue() async throws {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      let refused = Confined(0)
      let count = board.use { board in
        for _ in 1...70_000 {
          board.publish("a", in: "a").observe(failed: { if $0 == .busy { refused.value += 1 } })
        }
        return refused.value
      }
      #expect((1_000...10_000).contains(count))
    }
  }

  @Test func refusedTopicIsForgotten() async throws {
    let folder = TemporaryFolder()
    let isFull = Confined(true)
    var calls = DiskCalls()
    calls.write = { file, bytes, offset in
      if !isFull.value || offset == 0 {
        return pwrite(file, bytes.baseAddress, bytes.count, off_t(offset))
      }
      errno = ENOSPC
      return -1
    }
    try await onLoop { [calls] loop in
      let board = try BoardFixture(on: loop, at: folder["posts"], calls: calls)
      board.use { $0.limits.topicCount = 1 }
      #expect(board.publish(["a"], in: "a") == [.failure(.file(.unwritten(board.path, ENOSPC)))])
      loop.wait { isFull.value = false }
      #expect(try board.publish(["b"], in: "b")[0].get().id == 1)
    }
  }

  @Test(arguments: ["\u{301}", "\u{FE0F}", "\u{200D}", "\u{1F3FD}", "\u{93E}"])
  func combiningCharacterSurvivesRestart(_ start: String) async throws {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      board.publish([start + "one", "two"], in: "हिन्दी")
      board.close()
      let again = try BoardFixture(on: loop, at: folder["posts"])
      #expect(again.follow("हिन्दी").wait(for: 2).map(\.text) == [start + "one", "two"])
    }
  }

  // MARK: - Faults

  @Test("A full disk refuses posts and loses none; afterwards it goes on", arguments: [0, 1, 20])
  func fullDiskRefusesPosts(_ written: Int) async throws {
    let folder = TemporaryFolder()
    let isFull = Confined(false)
    var calls = DiskCalls()
    calls.write = { file, bytes, offset in
      guard isFull.value else { return pwrite(file, bytes.baseAddress, bytes.count, off_t(offset)) }
      // A part is written, and then nothing.
      if written > 0 && bytes.count > written {
        return pwrite(file, bytes.baseAddress, written, off_t(offset))
      }
      errno = ENOSPC
      return -1
    }
    try await onLoop { [calls] loop in
      let board = try BoardFixture(on: loop, at: folder["posts"], calls: calls)
      board.publish(["one"])
      loop.wait { isFull.value = true }
      let results = board.publish(["two, which is longer", "three, which is longer"])
      let refusal = BoardError.file(.unwritten(folder["posts"], ENOSPC))
      #expect(results == [.failure(refusal), .failure(refusal)])
      loop.wait { isFull.value = false }
      #expect(try board.publish(["four"])[0].get().id == 2)
      board.close()
      #expect(try posts(at: folder["posts"]).map(\.text) == ["one", "four"])
    }
  }

  @Test("After a failed confirmation no post is accepted until the file is opened again")
  func failedConfirmationStopsPublishing() async throws {
    let folder = TemporaryFolder()
    let isBroken = Confined(false)
    var calls = DiskCalls()
    calls.synchronize = { file in
      if !isBroken.value { return fdatasync(file) }
      errno = EIO
      return -1
    }
    try await onLoop { [calls] loop in
      let board = try BoardFixture(on: loop, at: folder["posts"], calls: calls)
      board.publish(["one"])
      loop.wait { isBroken.value = true }
      let refusal = Result<Post, BoardError>.failure(.file(.unconfirmed(folder["posts"], EIO)))
      #expect(board.publish(["two", "three"]) == [refusal, refusal])
      loop.wait { isBroken.value = false }
      #expect(board.publish(["four"]) == [refusal])
      #expect(board.use { $0.failure } == .unconfirmed(folder["posts"], EIO))
      #expect(board.use { $0.isIdle.value })
    }
  }

  // MARK: - Reading

  @Test("Stored and new posts arrive once and in order, from the file and from memory")
  func replayGoesOnWithNewPosts() async throws {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: folder["posts"], memory: 30_000)
      board.publish((1...700).map { "post \($0)" })
      board.publish(["other"], in: "hall")
      let all = board.follow()
      let some = board.follow(after: 650)
      let new = board.follow(after: 701)
      board.publish((1...300).map { "later \($0)" })
      let ids = Array(1...700) + Array(702...1_001)
      #expect(all.wait(for: 1_000).map(\.id) == ids)
      #expect(some.wait(for: 350).map(\.id) == Array(ids[650...]))
      #expect(new.wait(for: 300).map(\.text) == (1...300).map { "later \($0)" })
      #expect(board.use { $0.subscriberCount } == 3)
      #expect(board.use { $0.id(beforeNewest: 2, in: "kitchen") } == 999)
      #expect(board.use { $0.id(beforeNewest: 5, in: "hall") } == 0)
    }
  }

  @Test func silentTopicCanBeFollowed() async throws {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      let seen = EventLog<String>()
      board.use { board in
        let following = board.posts(in: "kitchen", after: 0).observe(next: { seen.add($0.text) })
        let disposed = board.posts(in: "kitchen", after: 0).observe(next: { _ in seen.add("no") })
        disposed.dispose()
        board.posts(in: "kitchen", after: 0).take(1).observe(next: { seen.add("first \($0.text)") })
        _ = following
      }
      board.publish(["one"])
      board.publish(["two"])
      #expect(Set(seen.wait(for: 3)) == ["one", "two", "first one"])
      #expect(board.use { $0.subscriberCount } == 1)
    }
  }

  @Test func changesAreSharedByViewers() async throws {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      for topic in ["a", "b"] { board.publish(["text"], in: topic) }
      let isShared = board.use { board in
        var sets: [Board.Changes] = []
        for _ in 1...2 { board.changes().take(1).observe(next: { sets.append($0) }) }
        return sets.count == 2 && sets[0] === sets[1]
      }
      #expect(isShared)
    }
  }

  @Test func changesBringAllTopicsThenNewPosts() async throws {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      board.publish(["one"], in: "a")
      let changes = EventLog<Board.Summary>()
      board.use { board in
        _ = board.changes().observe(next: { $0.topics.forEach { changes.add($0) } })
      }
      changes.wait(for: 1)
      board.publish(["two", "three"], in: "b")
      let last = changes.wait(for: 2)
      #expect(last.first == Board.Summary(name: "a", posts: 1, last: 1))
      #expect(last.last?.name == "b")
    }
  }

  // MARK: - Damage

  @Test("A line that is damaged while the board runs is skipped, counted, and reported once")
  func damageWhileRunning() async throws {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      // No post is kept in memory.
      let board = try BoardFixture(on: loop, at: folder["posts"], memory: 0)
      let reports = EventLog<Set<Int>>()
      board.use { _ = $0.damage.observeNext { reports.add($0) } }
      let texts = (1...300).map { "post \($0)" }
      let ids = try board.publish(texts).map { try $0.get().id }
      let file = open(folder["posts"], O_WRONLY | O_CLOEXEC)
      let place = places(in: folder["posts"]).first { $0.post.id == 50 }?.offset ?? 0
      pwrite(file, "X", 1, off_t(place + 4))
      close(file)
      let readers = (0..<5).map { _ in board.follow() }
      let expected = ids.filter { $0 != 50 }
      for reader in readers { #expect(reader.wait(for: 299).map(\.id) == expected) }
      #expect(reports.all == [[50]])
      #expect(board.use { [$0.damagedCount, $0.postCount] } == [1, 299])
      let next = try board.publish(["more"])[0].get()
      for reader in readers { #expect(reader.wait(for: 300).last == next) }
    }
  }

  @Test("Nothing can be read from the disk: readers skip, and get what is in memory")
  func unreadableDisk() async throws {
    let folder = TemporaryFolder()
    let isBroken = Confined(false)
    var calls = DiskCalls()
    calls.read = { descriptor, bytes, offset in
      if !isBroken.value { return pread(descriptor, bytes.baseAddress, bytes.count, off_t(offset)) }
      errno = EIO
      return -1
    }
    try await onLoop { [calls] loop in
      let board = try BoardFixture(on: loop, at: folder["posts"], calls: calls, memory: 30_000)
      let count = board.publish((1...700).map { "post \($0)" }).count
      loop.wait { isBroken.value = true }
      let readers = (0..<3).map { _ in board.follow() }
      for reader in readers { #expect(reader.wait(for: 1)[0].id > 1) }
      let next = try board.publish(["more"])[0].get()
      for reader in readers { reader.wait { $0.last == next } }
      let (damaged, left) = board.use { ($0.damagedCount, $0.postCount) }
      #expect(damaged > 0 && damaged + left == count + 1)
      #expect(readers.allSatisfy { $0.count == left })
    }
  }

  @Test("No number is used twice after a damaged end")
  func numbersAreNotUsedAgain() async throws {
    let folder = TemporaryFolder()
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: folder["posts"])
      let ids = try board.publish((1...40).map { "\($0)" }).map { try $0.get().id }
      let size = board.use { $0.size }
      board.close()
      let file = open(folder["posts"], O_WRONLY | O_CLOEXEC)
      let zeros = [UInt8](repeating: 0, count: 500)
      pwrite(file, zeros, zeros.count, off_t(size - 500))
      close(file)
      let again = try BoardFixture(on: loop, at: folder["posts"])
      #expect(again.use { $0.movedEnd?.count ?? 0 } >= 500)
      again.close()
      // Nothing was published in between.
      let third = try BoardFixture(on: loop, at: folder["posts"])
      #expect(try third.publish(["new"])[0].get().id > ids.last ?? 0)
    }
  }

  @Test(
    "A file that is moved stops the board, and goes on when it is back", arguments: [false, true])
  func movedFile(_ isReplaced: Bool) async throws {
    let folder = TemporaryFolder()
    let path = folder["posts"]
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: path)
      let faults = EventLog<PostFileError>()
      board.use { _ = $0.faults.observeNext { faults.add($0) } }
      board.publish(["one"])
      rename(path, folder["moved"])
      if isReplaced { folder.write("posts", "another file") }
      let refusal = Result<Post, BoardError>.failure(.file(.gone(path)))
      #expect(board.publish(["two", "three"]) == [refusal, refusal])
      #expect(board.publish(["four"]) == [refusal])
      #expect(!board.use { $0.checkFile() })
      #expect(board.use { $0.failure } == .gone(path))
      #expect(faults.all == [.gone(path)])
      rename(folder["moved"], path)
      #expect(board.use { $0.checkFile() })
      #expect(try board.publish(["five"])[0].get().id == 2)
      board.close()
      #expect(try posts(at: path).map(\.text) == ["one", "five"])
    }
  }

  @Test func truncatedFile() async throws {
    let folder = TemporaryFolder()
    let path = folder["posts"]
    try await onLoop { loop in
      let board = try BoardFixture(on: loop, at: path)
      board.publish(["one", "two"])
      truncate(path, 20)
      #expect(board.publish(["three"]) == [.failure(.file(.changed(path)))])
      #expect(!board.use { $0.checkFile() })
      #expect(board.use { $0.failure } == .changed(path))
      #expect(bytes(at: path).count == 20)
    }
  }
}
