import Glibc
import RunnelTesting
import TestSupport
import Testing

/// More changes at a time than are read at once, while folders are looked into.
@Suite struct FileWatcherStormTests {
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
}
