import Glibc
import TestSupport
import Testing

/// Moves into folders, out of them, and back.
@Suite struct FileWatcherMoveTests {
  /// Two folders are exchanged in three moves. The contents of each are reported under its new
  /// name.
  @Test func exchangedFoldersAreDistinguished() async {
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

  /// An exchange in one call, as by `mv --exchange`: the system reports two moves, one over the
  /// other.
  @Test(arguments: [
    ("file", "other", ["file -> other", "created file"]),
    ("a", "b", ["a -> b", "created a", "created a/in-b"]),
    ("file", "a", ["file -> a", "created file", "created file/in-a"]),
    ("a", "file", ["a -> file", "created a"]),
  ]) func exchangeInOneCallKeepsBoth(_ one: String, _ other: String, _ changes: [String])
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

  @Test func exchangeWithoutRecursionIsReported() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      for name in ["a", "b"] { folder.makeFolder(name) }
      let watcher = Watcher(folder, recursively: false, on: loop)
      folder.exchange("a", "b")
      #expect(watcher.changes() == ["a -> b", "created a"])
      watcher.dispose()
    }
  }

  @Test(arguments: [false, true]) func folderExchangedWithOutsideFileIsDeleted(
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

  @Test(arguments: [false, true]) func folderExchangedWithOutsideOneIsReplaced(
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

  /// The exchange of an editor that writes a new file in the same folder.
  @Test(arguments: [false, true]) func fileExchangedWithSiblingStaysWatched(
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

  @Test(arguments: [false, true]) func treeExchangedWithSiblingStaysWatched(
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

  @Test func folderMovedOutIsNotWatched() async {
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

  /// A folder leaves the tree, and then a file from it takes its place.
  @Test func fileMovedBackFromOutsideIsCreated() async {
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

  /// The inner folder leaves the tree, and its former parent is moved into it.
  @Test func folderMovedIntoFormerChildIsDeleted() async {
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

  @Test func departuresAreDeletedInnerFirst() async {
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
}
