import CLibevent
import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting
import Testing

/// Watches a folder of its own on a loop of its own, and keeps what it is told, without the path of
/// the folder.
private final class Watcher: Sendable {
  let folder: TemporaryFolder
  let loop: EventLoop
  let log = Log<String>()
  private let observation = Confined<Disposable?>(nil)

  init(
    _ folder: TemporaryFolder = TemporaryFolder(), at name: String? = nil,
    recursively: Bool = true, on loop: EventLoop,
    reaction: @escaping @Sendable (TemporaryFolder, String) -> Void = { _, _ in }
  ) {
    self.folder = folder
    self.loop = loop
    loop.wait { [log, observation] in
      observation.value = loop.changes(
        at: name.map { folder[$0] } ?? folder.path, recursively: recursively
      ).observe(
        next: { change in
          let text = change.text(below: folder.path)
          log.add(text)
          reaction(folder, text)
        },
        failed: { log.add("failed: \($0)".replacing(folder.path, with: "…")) })
    }
  }

  /// What is told up to and including the making of this file, which ends the test's part.
  func changes(upTo end: String = "end") -> [String] {
    waitFor(end)
    // What left at the end is waited for once more, and each look again is followed by another one if
    // something was found. By then the notices of another file have come.
    for round in 0..<10 {
      let isLater = Log<Void>()
      loop.execute { [loop] in
        _ = loop.schedule(after: .milliseconds(round < 3 ? 10 : 0)) { isLater.add(()) }
      }
      isLater.wait(for: 1)
      waitFor("\(end).\(round)")
    }
    let markers = [end] + (0..<10).map { "\(end).\($0)" }
    let notices = Set(markers.flatMap { ["created \($0)", "modified \($0)"] })
    return log.all.filter { !notices.contains($0) }
  }

  private func waitFor(_ marker: String) {
    folder.write(marker)
    var entries = log.all
    while !entries.contains("modified \(marker)") { entries = log.wait(for: entries.count + 1) }
  }

  func dispose() {
    loop.wait { [observation] in observation.value?.dispose() }
  }
}

extension FileChange {
  fileprivate func text(below folder: String) -> String {
    let text =
      switch self {
      case .created(let path): "created \(path)"
      case .modified(let path): "modified \(path)"
      case .deleted(let path): "deleted \(path)"
      case .moved(let old, let new): "\(old) -> \(new)"
      case .rescan: "rescan"
      }
    return text.replacing(folder + "/", with: "").replacing(folder, with: ".")
  }
}

extension String {
  fileprivate func replacing(_ part: String, with other: String) -> String {
    var rest = self[...]
    var result = ""
    while let range = rest.range(of: part) {
      result += rest[..<range.lowerBound] + other
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}

@Suite struct FileWatcherTests {
  // MARK: - What a change is

  @Test func filesAreCreatedModifiedDeleted() async {
    await withLoop { loop in
      let watcher = Watcher(on: loop)
      watcher.folder.write("a")
      watcher.log.wait(for: 2)
      watcher.folder.write("a", "more")
      watcher.folder.delete("a")
      #expect(watcher.changes() == ["created a", "modified a", "modified a", "deleted a"])
      watcher.dispose()
    }
  }

  /// A file that is being written is not sent until the writer closes it.
  @Test func modifiedMeansClosed() async {
    await withLoop { loop in
      let watcher = Watcher(on: loop)
      let descriptor = open(watcher.folder["a"], O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
      for _ in 0..<10 { _ = write(descriptor, "text", 4) }
      #expect(watcher.changes() == ["created a"])
      close(descriptor)
      watcher.folder.waitUntilClosed("a")
      #expect(watcher.changes(upTo: "later").contains("modified a"))
      watcher.dispose()
    }
  }

  @Test func theHalvesOfAMoveAreJoined() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      folder.makeFolder("one")
      folder.makeFolder("two")
      let watcher = Watcher(folder, on: loop)
      folder.write("one/a")
      folder.move("one/a", to: "two/b")
      folder.move("two/b", to: "two/c")
      #expect(
        watcher.changes() == [
          "created one/a", "modified one/a", "one/a -> two/b", "two/b -> two/c",
        ])
      watcher.dispose()
    }
  }

  @Test func whatIsMovedAwayIsDeletedAndWhatIsMovedHereIsCreated() async {
    await withLoop { loop in
      let other = TemporaryFolder()
      other.write("in")
      let watcher = Watcher(on: loop)
      watcher.folder.write("out")
      #expect(rename(watcher.folder["out"], other["out"]) == 0)
      #expect(watcher.log.wait(for: 3) == ["created out", "modified out", "deleted out"])
      #expect(rename(other["in"], watcher.folder["in"]) == 0)
      #expect(watcher.log.wait(for: 4).last == "created in")
      watcher.dispose()
    }
  }

  /// What comes after in the same place is told after, however long the other half is waited for.
  @Test func whatIsMovedAwayAndMadeAnewIsToldInOrder() async {
    await withLoop { loop in
      let other = TemporaryFolder()
      let watcher = Watcher(on: loop)
      loop.wait {
        watcher.folder.makeFolder("d")
        rename(watcher.folder["d"], other["d"])
        watcher.folder.makeFolder("d")
        watcher.folder.write("d/x")
        watcher.folder.write("a")
        rename(watcher.folder["a"], other["a"])
        watcher.folder.write("a")
      }
      let changes = watcher.changes()
      #expect(NameModel(changes).names == ["a", "d", "d/x"])
      #expect(
        changes.suffix(5) == [
          "created a", "modified a", "deleted a", "created a", "modified a",
        ])
      watcher.dispose()
    }
  }

  @Test func namesNeedNotBeText() async {
    await withLoop { loop in
      let watcher = Watcher(on: loop)
      let name = Array(watcher.folder.path.utf8) + [UInt8(ascii: "/"), 0xFF, 0xFE]
      let path = (name + [0]).map { CChar(bitPattern: $0) }
      #expect(mkdir(path, 0o777) == 0)
      #expect(watcher.log.wait(for: 1) == ["created \u{FFFD}\u{FFFD}"])
      let inner = (name + Array("/a".utf8) + [0]).map { CChar(bitPattern: $0) }
      close(open(inner, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666))
      #expect(
        watcher.log.wait(for: 3).dropFirst() == [
          "created \u{FFFD}\u{FFFD}/a", "modified \u{FFFD}\u{FFFD}/a",
        ])
      watcher.dispose()
    }
  }

  // MARK: - A file

  @Test func aFileIsWatchedThroughDeletionAndReplacement() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      folder.write("a")
      folder.write("b")
      let watcher = Watcher(folder, at: "a", recursively: false, on: loop)
      folder.write("b")
      folder.delete("a")
      folder.write("a")
      folder.write("a.new")
      folder.move("a.new", to: "a")
      folder.write("a", "end")
      #expect(
        watcher.log.wait(for: 5) == [
          "deleted a", "created a", "modified a", "created a", "modified a",
        ])
      folder.move("a", to: "b")
      #expect(watcher.log.wait(for: 6).last == "deleted a")
      watcher.dispose()
    }
  }

  @Test func aLinkIsFollowedWhereverItLeads() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      folder.makeFolder("one")
      folder.makeFolder("two")
      folder.write("one/a")
      folder.write("two/a")
      symlink("one/a", folder["link"])
      let watcher = Watcher(folder, at: "link", recursively: false, on: loop)
      folder.write("one/a")
      folder.write("two/a")
      symlink("two/a", folder["new"])
      folder.move("new", to: "link")
      #expect(watcher.log.wait(for: 2) == ["modified link", "rescan"])
      folder.write("one/a")
      folder.write("two/a")
      folder.delete("link")
      #expect(watcher.log.wait(for: 4) == ["modified link", "rescan", "modified link", "rescan"])
      symlink("one/a", folder["link"])
      #expect(watcher.log.wait(for: 6).suffix(2) == ["created link", "rescan"])
      folder.write("one/a")
      #expect(watcher.log.wait(for: 7).last == "modified link")
      watcher.dispose()
    }
  }

  // MARK: - A folder

  @Test func aFolderAloneIsWatchedWithoutThoseBelow() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      folder.makeFolder("old")
      let watcher = Watcher(folder, recursively: false, on: loop)
      folder.makeFolder("new")
      folder.write("old/a")
      folder.write("new/a")
      folder.move("old", to: "older")
      folder.write("older/b")
      #expect(watcher.changes() == ["created new", "old -> older"])
      watcher.dispose()
    }
  }

  @Test func aTreeIsWatchedThroughDeletionAndReplacement() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      folder.makeFolder("top")
      folder.makeFolder("top/inner")
      let watcher = Watcher(folder, at: "top", on: loop)
      folder.delete("top/inner")
      folder.delete("top")
      #expect(watcher.log.wait(for: 2) == ["deleted top/inner", "deleted top"])
      folder.makeFolder("next")
      folder.makeFolder("next/inner")
      folder.move("next", to: "top")
      #expect(watcher.log.wait(for: 4).suffix(2) == ["created top", "created top/inner"])
      folder.write("top/inner/a")
      #expect(
        watcher.log.wait(for: 6).suffix(2) == ["created top/inner/a", "modified top/inner/a"])
      watcher.dispose()
    }
  }

  @Test func aMovedFolderIsWatchedUnderItsNewPath() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      for name in ["a", "a/b", "a/b/c", "z"] { folder.makeFolder(name) }
      let watcher = Watcher(folder, on: loop)
      folder.move("a/b", to: "z/y")
      folder.write("z/y/c/file")
      folder.move("z", to: "x")
      folder.write("x/y/c/file")
      #expect(
        watcher.changes() == [
          "a/b -> z/y", "created z/y/c/file", "modified z/y/c/file", "z -> x",
          "modified x/y/c/file",
        ])
      watcher.dispose()
    }
  }

  /// Two folders change places; what is in each is told under its new name.
  @Test func foldersThatAreExchangedAreNotConfused() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      for name in ["a", "b", "a/in", "b/in"] { folder.makeFolder(name) }
      let watcher = Watcher(folder, on: loop)
      loop.wait {
        folder.move("a", to: "t")
        folder.move("b", to: "a")
        folder.move("t", to: "b")
        folder.makeFolder("a/in/was-b")
        folder.makeFolder("b/in/was-a")
      }
      folder.write("a/in/was-b/1")
      folder.write("b/in/was-a/2")
      let changes = watcher.changes()
      #expect(changes.starts(with: ["a -> t", "b -> a", "t -> b"]))
      #expect(Set(changes).isSuperset(of: ["created a/in/was-b/1", "created b/in/was-a/2"]))
      watcher.dispose()
    }
  }

  /// In one call, as `mv --exchange` does it: the system tells of two moves, one over the other.
  @Test(arguments: [
    ("file", "other", ["file -> other", "created file"]),
    ("a", "b", ["a -> b", "created a", "created a/in-b"]),
    ("file", "a", ["file -> a", "created file", "created file/in-a"]),
    ("a", "file", ["a -> file", "created a"]),
  ]) func whatIsExchangedInOneCallIsStillThere(_ one: String, _ other: String, _ changes: [String])
    async
  {
    await withLoop { loop in
      let folder = TemporaryFolder()
      for name in ["a", "b"] { folder.makeFolder(name) }
      for name in ["a/in-a", "b/in-b", "file", "other"] { folder.write(name) }
      let watcher = Watcher(folder, on: loop)
      folder.exchange(one, other)
      #expect(watcher.changes() == changes)
      watcher.dispose()
    }
  }

  @Test func foldersThatAreExchangedAreToldWithoutThoseBelow() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      for name in ["a", "b"] { folder.makeFolder(name) }
      let watcher = Watcher(folder, recursively: false, on: loop)
      folder.exchange("a", "b")
      #expect(watcher.changes() == ["a -> b", "created a"])
      watcher.dispose()
    }
  }

  @Test(arguments: [false, true]) func aFolderThatIsExchangedWithAFileFromElsewhereIsEmpty(
    _ isFirst: Bool
  ) async {
    await withLoop { loop in
      let (folder, other) = (TemporaryFolder(), TemporaryFolder())
      folder.makeFolder("a")
      folder.write("a/old")
      other.write("file")
      let watcher = Watcher(folder, on: loop)
      if isFirst { folder.exchange("a", with: other["file"]) }
      if !isFirst { other.exchange("file", with: folder["a"]) }
      #expect(watcher.changes() == ["deleted a", "created a"])
      watcher.dispose()
    }
  }

  @Test(arguments: [false, true]) func whatIsExchangedWithSomethingFromElsewhereIsReplaced(
    _ isFirst: Bool
  ) async {
    await withLoop { loop in
      let (folder, other) = (TemporaryFolder(), TemporaryFolder())
      for (folder, name) in [(folder, "a/old"), (other, "a/new")] {
        folder.makeFolder("a")
        folder.write(name)
      }
      let watcher = Watcher(folder, on: loop)
      if isFirst { folder.exchange("a", with: other["a"]) }
      if !isFirst { other.exchange("a", with: folder["a"]) }
      folder.write("a/later")
      let before = ["created a", "created a/old"]
      #expect(NameModel(before + watcher.changes()).names == ["a", "a/new", "a/later"])
      folder.write("a/later")
      #expect(watcher.changes(upTo: "last").last == "modified a/later")
      watcher.dispose()
    }
  }

  /// As one saves who first writes beside a file.
  @Test(arguments: [false, true]) func aFileThatIsExchangedWithOneBesideItIsThere(
    _ isFirst: Bool
  ) async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      for name in ["a", "new"] { folder.write(name) }
      let watcher = Watcher(folder, at: "a", recursively: false, on: loop)
      folder.exchange(isFirst ? "a" : "new", isFirst ? "new" : "a")
      folder.delete("new")
      folder.write("a")
      #expect(
        watcher.log.wait(for: isFirst ? 3 : 2)
          == (isFirst ? ["deleted a"] : []) + ["created a", "modified a"])
      watcher.dispose()
    }
  }

  @Test(arguments: [false, true]) func aTreeThatIsExchangedWithOneBesideItIsWatched(
    _ isFirst: Bool
  ) async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      for name in ["a", "new"] { folder.makeFolder(name) }
      folder.write("new/file")
      let watcher = Watcher(folder, at: "a", on: loop)
      folder.exchange(isFirst ? "a" : "new", isFirst ? "new" : "a")
      #expect(watcher.log.wait(for: 3) == ["deleted a", "created a", "created a/file"])
      folder.write("a/file")
      #expect(watcher.log.wait(for: 4).last == "modified a/file")
      watcher.dispose()
    }
  }

  @Test func aFolderThatLeftIsNotWatchedAnyMore() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let other = TemporaryFolder()
      folder.makeFolder("a")
      folder.makeFolder("a/b")
      let watcher = Watcher(folder, on: loop)
      rename(folder["a"], other["a"])
      #expect(watcher.log.wait(for: 1) == ["deleted a"])
      other.write("a/b/file")
      rename(other["a"], folder["c"])
      #expect(
        Set(watcher.changes()) == ["deleted a", "created c", "created c/b", "created c/b/file"])
      folder.write("c/b/file")
      #expect(watcher.changes(upTo: "last").last == "modified c/b/file")
      watcher.dispose()
    }
  }

  /// A folder leaves what is watched, and then what was in it comes back in its place.
  @Test func aFileThatComesBackFromAFolderThatLeftIsCreated() async {
    await withLoop { loop in
      let (folder, other) = (TemporaryFolder(), TemporaryFolder())
      folder.makeFolder("a")
      folder.write("a/file")
      let watcher = Watcher(folder, on: loop)
      loop.wait {
        rename(folder["a"], other["a"])
        rename(other["a/file"], folder["a"])
      }
      #expect(watcher.changes() == ["deleted a/file", "deleted a", "created a"])
      watcher.dispose()
    }
  }

  /// The inner folder leaves what is watched, and the one that it was in is moved into it.
  @Test func aFolderThatEndsUpInOneThatLeftItIsDeleted() async {
    await withLoop { loop in
      let (folder, other) = (TemporaryFolder(), TemporaryFolder())
      folder.makeFolder("a")
      folder.makeFolder("a/b")
      let watcher = Watcher(folder, on: loop)
      loop.wait {
        rename(folder["a/b"], other["b"])
        rename(folder["a"], other["b/a"])
      }
      other.write("b/a/file")
      #expect(watcher.changes() == ["deleted a/b", "deleted a"])
      watcher.dispose()
    }
  }

  @Test func whatLeavesIsDeletedFromTheInsideOut() async {
    await withLoop { loop in
      let (folder, other) = (TemporaryFolder(), TemporaryFolder())
      folder.makeFolder("a")
      folder.makeFolder("a/b")
      let watcher = Watcher(folder, on: loop)
      loop.wait {
        rename(folder["a"], other["a"])
        rename(other["a/b"], other["b"])
      }
      #expect(watcher.changes() == ["deleted a/b", "deleted a"])
      watcher.dispose()
    }
  }

  @Test func linksBelowAreNotFollowed() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      folder.makeFolder("a")
      symlink("..", folder["a/up"])
      let watcher = Watcher(folder, on: loop)
      symlink("..", folder["a/up2"])
      folder.write("a/file")
      #expect(watcher.changes() == ["created a/up2", "created a/file", "modified a/file"])
      watcher.dispose()
    }
  }

  // MARK: - Many

  /// Files are made in folders that are made at the same time: none is missed, none is told twice.
  @Test func nothingIsLostInAFreshTree() async {
    await withLoop { loop in
      let watcher = Watcher(on: loop)
      var expected: Set<String> = []
      var folder = ""
      for depth in 0..<50 {
        folder += depth == 0 ? "d" : "/d"
        watcher.folder.makeFolder(folder)
        expected.insert("created \(folder)")
        for number in 0..<100 {
          watcher.folder.write("\(folder)/\(number)")
          expected.insert("created \(folder)/\(number)")
        }
      }
      let created = watcher.changes().filter { $0.hasPrefix("created") }
      #expect(created.count == expected.count)
      #expect(Set(created) == expected)
      watcher.dispose()
    }
  }

  /// Trees are made, moved and deleted at random while they are watched. In the end those who went by
  /// the changes have the names that are there.
  @Test(arguments: 0..<10) func theChangesAddUp(_ seed: Int) async {
    let (told, there) = await withLoop { loop -> (Set<String>, Set<String>) in
      let watcher = Watcher(on: loop)
      var random = SeededGenerator(seed: UInt64(seed))
      let churn = Churn(in: watcher.folder)
      for _ in 0..<3_000 { churn.step(&random) }
      let model = NameModel(watcher.changes())
      watcher.dispose()
      return (model.names, churn.names)
    }
    #expect(told.subtracting(there) == [], "told, and not there; seed \(seed)")
    #expect(there.subtracting(told) == [], "there, and not told; seed \(seed)")
  }

  /// As before, but most of it is done by the observer, between two changes that it is told of.
  @Test(arguments: 0..<10) func whatIsDoneWhileOthersAreToldAddsUp(_ seed: Int) async {
    let (told, there) = await withLoop { loop -> (Set<String>, Set<String>) in
      let state = Confined<(churn: Churn, random: SeededGenerator)?>(nil)
      let steps = Confined(0)
      let watcher = Watcher(on: loop) { _, _ in
        guard steps.value < 3_000 else { return }
        steps.value += 2
        for _ in 0..<2 { state.value?.churn.step(&state.value!.random) }
      }
      loop.wait {
        state.value = (Churn(in: watcher.folder), SeededGenerator(seed: UInt64(seed)))
      }
      for _ in 0..<300 {
        loop.wait {
          for _ in 0..<5 { state.value?.churn.step(&state.value!.random) }
        }
      }
      let there = loop.wait {
        defer { state.value = nil }
        return state.value?.churn.names ?? []
      }
      let model = NameModel(watcher.changes())
      watcher.dispose()
      return (model.names, there)
    }
    #expect(told.subtracting(there) == [], "told, and not there; seed \(seed)")
    #expect(there.subtracting(told) == [], "there, and not told; seed \(seed)")
  }

  /// What is looked into ahead of the notices may have taken the place of what they tell of.
  @Test func aMovedFileIsNotTakenForTheFolderThatFollowedIt() async {
    await withLoop { loop in
      let watcher = Watcher(on: loop) { folder, change in
        guard change == "created top" else { return }
        folder.write("top/b")
        folder.write("top/a")
        folder.delete("top/b")
        folder.move("top/a", to: "top/b")
        folder.makeFolder("top/a")
        folder.write("top/a/inner")
      }
      watcher.folder.makeFolder("top")
      let names = NameModel(watcher.changes()).names
      #expect(names == ["top", "top/a", "top/a/inner", "top/b"])
      watcher.dispose()
    }
  }

  @Test func anOverflowIsARescan() async {
    await withLoop { loop in
      let watcher = Watcher(on: loop)
      loop.wait {
        watcher.folder.write("a")
        // Two notices each; what the system remembers is bounded.
        for _ in 0...Self.longestQueue / 4 {
          watcher.folder.move("a", to: "b")
          watcher.folder.move("b", to: "a")
        }
        watcher.folder.makeFolder("late")
      }
      var entries = watcher.log.all
      while entries.last != "rescan" { entries = watcher.log.wait(for: entries.count + 1) }
      watcher.folder.write("late/file")
      #expect(watcher.changes().suffix(2) == ["created late/file", "modified late/file"])
      watcher.dispose()
    }
  }

  private static var longestQueue: Int {
    let descriptor = open("/proc/sys/fs/inotify/max_queued_events", O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 32)
    let count = read(descriptor, &buffer, buffer.count)
    return Int(String(decoding: buffer.prefix(max(count - 1, 0)), as: UTF8.self)) ?? 1 << 14
  }

  /// Enough notices to fill the buffer of one read to the last byte, and then the other half.
  @Test func theHalvesOfAMoveMayComeInTwoReads() async {
    await withLoop { loop in
      let watcher = Watcher(on: loop)
      loop.wait {
        // Notices of short names take 32 bytes each; mkfifo makes one of them.
        for number in 0..<(65_536 / 32 - 1) { mkfifo(watcher.folder["\(number)"], 0o666) }
        watcher.folder.move("0", to: "moved")
      }
      #expect(watcher.changes().last == "0 -> moved")
      watcher.dispose()
    }
  }

  // MARK: - Failures and ends

  @Test func whatCannotBeWatchedIsATypedError() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      folder.makeFolder("closed")
      folder.makeFolder("closed/inner")
      folder.write("closed/file")
      chmod(folder.path, 0o755)
      chmod(folder["closed"], 0o000)
      let errors = loop.wait {
        // Without the rights of the superuser, on this thread only.
        let user = setfsuid(65_534)
        defer { _ = setfsuid(UInt32(user)) }
        return ["absent", "absent/file", "closed", "closed/inner", "closed/file", "a\0b", ""].map {
          name in
          var outcome: FileWatchError?
          loop.changes(at: name.isEmpty ? "" : folder[name], recursively: true).observe(
            failed: { outcome = $0 })
          return outcome
        }
      }
      chmod(folder["closed"], 0o700)
      #expect(
        errors == [
          .missing(folder["absent"]), .missing(folder["absent/file"]),
          .unreadable(folder["closed"]), .unreadable(folder["closed/inner"]),
          .unreadable(folder["closed/file"]), .missing(folder["a\0b"]), .missing(""),
        ])
    }
  }

  @Test func unreadableFoldersAreLeftOut() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      folder.makeFolder("closed")
      folder.makeFolder("open")
      chmod(folder.path, 0o755)
      chmod(folder["closed"], 0o000)
      let user = loop.wait { setfsuid(65_534) }
      let watcher = Watcher(folder, on: loop)
      loop.wait { _ = setfsuid(UInt32(user)) }
      folder.write("open/a")
      #expect(watcher.changes() == ["created open/a", "modified open/a"])
      watcher.dispose()
    }
  }

  @Test func tooManyDescriptorsIsATypedError() async {
    await #expect(processExitsWith: .success) {
      await withLoop { loop in
        let error = loop.wait { () -> FileWatchError? in
          var limit = rlimit(rlim_cur: 0, rlim_max: 1_024)
          setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
          var outcome: FileWatchError?
          loop.changes(at: "/").observe(failed: { outcome = $0 })
          // A sanitizer opens files when the process ends.
          limit.rlim_cur = 1_024
          setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
          return outcome
        }
        guard error == .tooManyWatchers else { exit(1) }
      }
    }
  }

  @Test func theErrorsSayWhatToDo() {
    #expect("\(FileWatchError.missing("a/b"))".contains("There is nothing at \"a/b\" to watch."))
    #expect("\(FileWatchError.unreadable("a"))".contains("Change their permissions"))
    #expect("\(FileWatchError.tooManyFolders)".contains("fs.inotify.max_user_watches"))
    #expect("\(FileWatchError.tooManyWatchers)".contains("fs.inotify.max_user_instances"))
    #expect("\(FileWatchError.system(EIO))".contains("errno \(EIO)"))
  }

  @Test func theFolderThatThePathIsInMustStay() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      folder.makeFolder("a")
      folder.write("a/file")
      let watcher = Watcher(folder, at: "a/file", recursively: false, on: loop)
      folder.move("a", to: "b")
      #expect(
        watcher.log.wait(for: 1) == ["failed: \(FileWatchError.missing("…/a/file"))"])
    }
  }

  @Test func disposedFromWithinIsOver() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let log = Log<String>()
      loop.wait {
        let observation = Confined<Disposable?>(nil)
        observation.value = loop.changes(at: folder.path, recursively: true).observeNext { change in
          log.add(change.text(below: folder.path))
          if log.count == 3 { observation.value?.dispose() }
        }
        for number in 0..<10 { folder.makeFolder("\(number)") }
      }
      let watcher = Watcher(folder, on: loop)
      _ = watcher.changes()
      #expect(log.all == ["created 0", "created 1", "created 2"])
      watcher.dispose()
    }
  }

  @Test func noDescriptorStaysOpen() async {
    await #expect(processExitsWith: .success) {
      await withLoop { loop in
        let folder = TemporaryFolder()
        let before = loop.wait { openDescriptors }
        for _ in 0..<50 { Watcher(folder, on: loop).dispose() }
        // A job later, when the one before has let go of what it used. The process opens some of
        // its own meanwhile, but not one for each.
        guard loop.wait(for: { openDescriptors }) - before < 10 else { exit(1) }
      }
    }
  }
}
