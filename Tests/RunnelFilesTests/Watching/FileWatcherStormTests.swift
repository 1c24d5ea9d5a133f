import Glibc
import RunnelTesting
import TestSupport
import Testing

/// More changes than fit into one read, while folders are read.
/// The cases run one after the other, because a system has few watchers for a user.
@Suite(.serialized) struct FileWatcherStormTests {
  /// Files are created in new folders. None is missed, and none is reported twice.
  @Test func reportsAllFilesOfNewTree() async {
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

  /// A tree is created, moved and deleted at random while it is watched. At the end, the names
  /// derived from the changes are the existing ones.
  @Test(arguments: seeds(2)) func randomChangesAreComplete(_ seed: Int) async {
    let (reported, existing) = await withLoop { loop -> (Set<String>, Set<String>) in
      let watcher = Watcher(on: loop)
      var random = SeededGenerator(seed: UInt64(seed))
      let churn = Churn(in: watcher.folder)
      for _ in 0..<3_000 { churn.step(&random) }
      let model = NameModel(watcher.changes())
      watcher.dispose()
      return (model.names, churn.names)
    }
    #expect(reported.subtracting(existing) == [], "reported, but missing; seed \(seed)")
    #expect(existing.subtracting(reported) == [], "existing, but not reported; seed \(seed)")
  }

  /// As before, but most operations are done by the observer, between two changes.
  @Test(arguments: seeds(2)) func reentrantChangesAreComplete(_ seed: Int) async {
    let (reported, existing) = await withLoop { loop -> (Set<String>, Set<String>) in
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
      let existing = loop.wait {
        defer { state.value = nil }
        return state.value?.churn.names ?? []
      }
      let model = NameModel(watcher.changes())
      watcher.dispose()
      return (model.names, existing)
    }
    #expect(reported.subtracting(existing) == [], "reported, but missing; seed \(seed)")
    #expect(existing.subtracting(reported) == [], "existing, but not reported; seed \(seed)")
  }

  /// A folder that is read before its notices may have replaced the file that they refer to.
  @Test func movedFileIsDistinguishedFromLaterFolder() async {
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

  @Test func overflowSendsRescan() async {
    await withLoop { loop in
      let watcher = Watcher(on: loop)
      loop.wait {
        watcher.folder.write("a")
        // Each pair of moves causes four notices. The queue of the system is bounded.
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

  /// The notices fill the buffer of one read exactly, so the other half of the move is in the next
  /// one.
  @Test func joinsMoveAcrossTwoReads() async {
    await withLoop { loop in
      let watcher = Watcher(on: loop)
      loop.wait {
        // Notices of short names take 32 bytes each; mkfifo causes one of them.
        for number in 0..<(65_536 / 32 - 1) { mkfifo(watcher.folder["\(number)"], 0o666) }
        watcher.folder.move("0", to: "moved")
      }
      #expect(watcher.changes().last == "0 -> moved")
      watcher.dispose()
    }
  }
}
