import CLinux
import Glibc
import RunnelFiles
import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@Suite struct FileWatcherTests {
  // MARK: - Changes

  @Test func reportsCreationModificationDeletion() async {
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
  @Test func modificationIsReportedOnClose() async {
    await withLoop { loop in
      let watcher = Watcher(on: loop)
      let descriptor = open(watcher.folder["a"], O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
      for _ in 0..<10 { _ = write(descriptor, "text", 4) }
      #expect(watcher.changes() == ["created a"])
      close(descriptor)
      waitUntilClosed(watcher.folder["a"])
      #expect(watcher.changes(upTo: "later").contains("modified a"))
      watcher.dispose()
    }
  }

  @Test func joinsHalvesOfMove() async {
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

  @Test func moveOutIsDeletionAndMoveInIsCreation() async {
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

  /// Later changes of the same name are reported later, even while the other half of a move is
  /// awaited.
  @Test func moveOutAndRecreationAreInOrder() async {
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

  @Test func namesNeedNotBeUTF8() async {
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

  // MARK: - Watching a file

  @Test func fileStaysWatchedAfterReplacement() async {
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

  @Test func followsNewTargetOfLink() async {
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

  /// The file is not the one that was found when the folder was read.
  @Test func replacementDuringScanIsReported() async {
    await withLoop { loop in
      let isSaved = Monitor(false)
      let watcher = Watcher(on: loop) { folder, change in
        guard change == "created d/c", !isSaved.withLock({ $0 }) else { return }
        isSaved.withLock { $0 = true }
        folder.write("d/new")
        folder.move("d/new", to: "d/c")
      }
      loop.wait {
        watcher.folder.makeFolder("d")
        watcher.folder.write("d/c")
      }
      #expect(watcher.changes().filter { $0 == "created d/c" }.count == 2)
      watcher.dispose()
    }
  }

  // MARK: - Watching a folder

  @Test func nonrecursiveWatchIgnoresSubfolders() async {
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

  @Test func treeStaysWatchedAfterReplacement() async {
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

  @Test func movedFolderIsReportedByNewPath() async {
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

  @Test func linksInTreeAreNotFollowed() async {
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

  // MARK: - Failures and disposal

  @Test func unwatchablePathFails() async {
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

  @Test func unreadableFoldersAreSkipped() async {
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

  /// The watched path itself must not be skipped: no event would follow when it can be read again.
  @Test func recreatedUnreadableFolderFails() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      folder.makeFolder("d")
      chmod(folder.path, 0o755)
      let user = loop.wait { setfsuid(65_534) }
      let watcher = Watcher(folder, at: "d", on: loop)
      folder.delete("d")
      #expect(watcher.log.wait(for: 1) == ["deleted d"])
      mkdir(folder["d"], 0o000)
      #expect(
        watcher.log.wait(for: 2) == [
          "deleted d", "failed: \(FileWatchError.unreadable("…/d"))",
        ])
      loop.wait { _ = setfsuid(UInt32(user)) }
      watcher.dispose()
    }
  }

  @Test func failsAtDescriptorLimit() async {
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

  @Test func errorsNameRemedy() {
    #expect("\(FileWatchError.missing("a/b"))".contains("There is nothing at \"a/b\" to watch."))
    #expect("\(FileWatchError.unreadable("a"))".contains("Change their permissions"))
    #expect("\(FileWatchError.tooManyFolders)".contains("fs.inotify.max_user_watches"))
    #expect("\(FileWatchError.tooManyWatchers)".contains("fs.inotify.max_user_instances"))
    #expect("\(FileWatchError.system(EIO))".contains("errno \(EIO)"))
  }

  @Test func movingParentFolderFails() async {
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

  @Test func disposingInsideNextStopsDelivery() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let log = EventLog<String>()
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

  @Test func closesDescriptors() async {
    await #expect(processExitsWith: .success) {
      await withLoop { loop in
        let folder = TemporaryFolder()
        let before = loop.wait { openDescriptors }
        for _ in 0..<50 { Watcher(folder, on: loop).dispose() }
        // The question is a later job, after the previous one has released its resources. The
        // process opens some descriptors meanwhile, but fewer than one per watcher.
        guard loop.wait(for: { openDescriptors }) - before < 10 else { exit(1) }
      }
    }
  }
}
