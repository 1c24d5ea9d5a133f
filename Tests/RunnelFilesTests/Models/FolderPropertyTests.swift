import CLinux
import Foundation
import RunnelCollections
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@testable import RunnelFiles

/// The item counts and failures in order, and the progress of scans with the item counts at the
/// time.
private final class Log {
  var events: [String] = []
  var progress: [Double?] = []
  var counts: [Int] = []
}

/// The texts of the files of a folder, on a private loop.
// Safety: the property is used on the loop only.
private final class Texts: @unchecked Sendable {
  let path: String
  let loop = EventLoop(name: "files")
  private var files: FolderProperty<String>?
  fileprivate let log = Log()

  init(_ prepared: [String: String] = [:], isMade: Bool = true) throws {
    path = FileManager.default.temporaryDirectory.appending(path: "runnel-\(UUID())/files").path()
    if isMade {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    for (name, text) in prepared { try write(name, text) }
  }

  /// Releases the property and the loop. Call this at the end of a test, on its thread.
  func close() {
    wait { [self] _ in files = nil }
    loop.stop()
    loop.join()
    let around = URL(fileURLWithPath: path).deletingLastPathComponent()
    try? FileManager.default.removeItem(at: around)
  }

  typealias Changes = EventStream<FileChange, FileWatchError>

  /// Opens the folder. A test may transform the changes of the loop.
  func open(
    recursively: Bool = false,
    _ setUp: @escaping @Sendable (FolderProperty<String>) -> Void = { _ in },
    changes: @escaping @Sendable (Changes) -> Changes = { $0 }
  ) {
    wait { [self] _ in
      let watched = changes(loop.changes(at: path, recursively: recursively))
      let files = FolderProperty<String>(
        path + "/", recursively: recursively, on: loop, changes: watched
      ) { name, folder in
        guard name.ending == ".txt" else { return nil }
        return (try? folder.file(name).contents().bytes).map { String(decoding: $0, as: UTF8.self) }
      }
      self.files = files
      let log = log
      files.items.observe { log.events.append("\($0.collection.count)") }
      files.failures.observeNext { log.events.append("\($0)") }
      files.progress.observeNext { [items = files.items] in
        log.progress.append($0)
        log.counts.append(items.value.count)
      }
      setUp(files)
      files.open()
    }
    settle { _ in self.log.progress.count > 1 && self.log.progress.last == .some(nil) }
  }

  /// True while a scan of the folder runs. Call this on the loop.
  var isScanning: Bool? { files.map { $0.progress.value != nil } }

  /// Runs a closure on the loop.
  @discardableResult
  func wait<Output: Sendable>(
    _ body: @escaping @Sendable (FolderProperty<String>?) -> Output
  ) -> Output {
    loop.wait { [self] in body(files) }
  }

  /// Waits until a condition holds.
  func settle(
    sourceLocation: Testing.SourceLocation = #_sourceLocation,
    _ condition: @escaping @Sendable (FolderProperty<String>) -> Bool
  ) {
    poll(until: { wait { $0.map(condition) ?? false } }, sourceLocation: sourceLocation)
  }

  func settle(
    _ texts: [String: String], sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) {
    settle(sourceLocation: sourceLocation) {
      Dictionary(uniqueKeysWithValues: $0.items.value.map { ($0.key.text, $0.value) }) == texts
    }
  }

  var events: [String] { wait { _ in self.log.events } }
  var steps: [Double?] { wait { _ in self.log.progress } }
  var counts: [Int] { wait { _ in self.log.counts } }

  // MARK: - Other processes

  /// Writes a file in one step, so that no partial contents are visible.
  func write(_ name: String, _ text: String) throws {
    try replaceFile("\(path)/\(name)", text)
  }

  func read(_ name: String) -> String? {
    (try? Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}

/// An object that runs an action when it is released.
private final class ReleaseProbe {
  private let action: () -> Void

  init(_ action: @escaping () -> Void) { self.action = action }

  deinit { action() }
}

@Suite struct FolderPropertyTests {
  /// Runs the body of a test on a thread that may block.
  private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await ManualContext.onThread { _ in Result { try body() } }.get()
  }

  @Test func readsExistingFiles() async throws {
    try await onThread {
      let prepared = Dictionary(uniqueKeysWithValues: (0..<450).map { ("\($0).txt", "\($0)") })
      let texts = try Texts(prepared.merging(["other.jpg": "no"]) { one, _ in one })
      defer { texts.close() }
      try FileManager.default.createDirectory(
        atPath: texts.path + "/folder.txt", withIntermediateDirectories: false)
      texts.open()
      texts.settle(prepared)
      #expect(texts.steps.first == .some(nil))
      let steps = texts.steps.compactMap { $0.map { ($0 * 451).rounded() } }
      #expect(steps == [0, 100, 300, 451])
      // The last files that were read are not items yet.
      #expect(texts.counts.prefix(2) == [0, 0] && texts.counts.last == 450)
      for (count, step) in zip(texts.counts.dropFirst().dropLast(), [0, 0, 100, 300]) {
        #expect((step - 1...step).contains(count))
      }
    }
  }

  @Test func followsSubfolders() async throws {
    try await onThread {
      let texts = try Texts()
      defer { texts.close() }
      for path in ["work/deep", ".git"] {
        try FileManager.default.createDirectory(
          atPath: "\(texts.path)/\(path)", withIntermediateDirectories: true)
      }
      try texts.write("a.txt", "a")
      try texts.write("work/b.txt", "b")
      try texts.write("work/deep/c.txt", "c")
      try texts.write(".git/d.txt", "d")
      let renames = Monitor<[String]>([])
      texts.open(recursively: true) { files in
        files.renames.observeNext { rename in
          renames.withLock { $0.append("\(rename.old) \(rename.new)") }
        }
      }
      texts.settle(["a.txt": "a", "work/b.txt": "b", "work/deep/c.txt": "c"])
      // Files of a new subfolder, and of a hidden one.
      try texts.write(".git/e.txt", "e")
      try texts.write("work/b.txt", "B")
      try FileManager.default.createDirectory(
        atPath: texts.path + "/new", withIntermediateDirectories: true)
      try texts.write("new/f.txt", "f")
      texts.settle(["a.txt": "a", "work/b.txt": "B", "work/deep/c.txt": "c", "new/f.txt": "f"])
      func move(_ old: String, _ new: String) throws {
        try FileManager.default.moveItem(
          atPath: "\(texts.path)/\(old)", toPath: "\(texts.path)/\(new)")
      }
      try move("a.txt", "work/deep/a.txt")
      texts.settle { $0.items["work/deep/a.txt"] == "a" && $0.items["a.txt"] == nil }
      try move("work", "job")
      let moved = ["job/b.txt": "B", "job/deep/a.txt": "a", "job/deep/c.txt": "c"]
      texts.settle(moved.merging(["new/f.txt": "f"]) { one, _ in one })
      #expect(
        renames.withLock { $0.sorted() } == [
          "a.txt work/deep/a.txt", "work/b.txt job/b.txt", "work/deep/a.txt job/deep/a.txt",
          "work/deep/c.txt job/deep/c.txt",
        ])
      // A folder becomes hidden, and another one visible.
      try move("job", ".job")
      texts.settle(["new/f.txt": "f"])
      try move(".git", "git")
      texts.settle(["new/f.txt": "f", "git/d.txt": "d", "git/e.txt": "e"])
      try FileManager.default.removeItem(atPath: texts.path + "/git")
      texts.settle(["new/f.txt": "f"])
      #expect(texts.events.allSatisfy { Int($0) != nil }, "\(texts.events)")
    }
  }

  @Test(arguments: [false, true]) func ignoresSubfoldersByDefault(_ isPath: Bool) async throws {
    try await onThread {
      let files = try OnLoop { path, loop in
        isPath
          ? FolderProperty(path, on: loop) { _, _ in true }
          : FolderProperty(Folder(path), on: loop) { _, _ in true }
      }
      defer { files.close() }
      try FileManager.default.createDirectory(
        atPath: files.path + "/inner", withIntermediateDirectories: false)
      try files.write("inner/a.txt", "a")
      try files.write("b.txt", "b")
      files { $0.open() }
      files.settle { $0.items["b.txt"] == true && $0.progress.value == nil }
      #expect(files { $0.items.value.map(\.key.text) } == ["b.txt"])
    }
  }

  @Test func nameOfAPathBeginsAtTheFolder() async throws {
    try await onThread {
      for (folder, isRecursive, name) in [
        ("/", true, "one/two"), ("/", false, "two"), ("/one", true, "two"), ("/on", true, "two"),
      ] {
        let files = try OnLoop { _, loop in
          FolderProperty(folder, recursively: isRecursive, on: loop) { _, _ in true }
        }
        #expect(files { $0.name(ofPath: "/one/two").text } == name)
        files.close()
      }
    }
  }

  /// Releasing a replaced closure may access the property again.
  @Test func replacedClosureMayReenterInDeinit() async throws {
    try await onThread {
      let texts = try Texts(["a.txt": "one"])
      defer { texts.close() }
      let ends = Monitor<[String]>([])
      texts.open { files in
        let onHold = ReleaseProbe { ends.withLock { $0.append("hold \(files.isHeld("a"))") } }
        files.isHeld = { [onHold] _ in withExtendedLifetime(onHold) { true } }
        let preparing = ReleaseProbe {
          files.prepare = { $0 += "!" }
          ends.withLock { $0.append("prepare") }
        }
        files.prepare = { [preparing] _ in withExtendedLifetime(preparing) {} }
      }
      texts.wait { files in
        files?.isHeld = { _ in false }
        files?.prepare = { $0 += "?" }
      }
      #expect(ends.withLock { $0 } == ["hold false", "prepare"])
      texts.wait { $0?.reload("a.txt") }
      texts.settle(["a.txt": "one!"])
    }
  }

  @Test func createsMissingFolder() async throws {
    try await onThread {
      let texts = try Texts(isMade: false)
      defer { texts.close() }
      texts.open()
      try texts.write("a.txt", "one")
      texts.settle(["a.txt": "one"])
    }
  }

  @Test func followsChanges() async throws {
    try await onThread {
      let texts = try Texts(["a.txt": "one"])
      defer { texts.close() }
      texts.open()
      try texts.write("b.txt", "two")
      texts.settle(["a.txt": "one", "b.txt": "two"])
      try texts.write("a.txt", "three")
      texts.settle(["a.txt": "three", "b.txt": "two"])
      rename("\(texts.path)/a.txt", "\(texts.path)/c.txt")
      texts.settle(["b.txt": "two", "c.txt": "three"])
      rename("\(texts.path)/b.txt", "\(texts.path)/b")
      unlink("\(texts.path)/c.txt")
      texts.settle([:])
    }
  }

  @Test func sendsRenames() async throws {
    try await onThread {
      let texts = try Texts(["a.txt": "one", "b.txt": "two", "c.txt": "three"])
      defer { texts.close() }
      let reported = Monitor<[String]>([])
      texts.open { files in
        files.isHeld = { $0 == "c.txt" }
        files.renames.observeNext { rename in
          // The item of the old name still exists.
          let item = files.items[rename.old] ?? "none"
          reported.withLock { $0.append("\(rename.old) \(rename.new) \(item)") }
        }
        files.put("three", as: "c.txt")
      }
      rename("\(texts.path)/a.txt", "\(texts.path)/d.txt")
      texts.settle(["d.txt": "one", "b.txt": "two", "c.txt": "three"])
      // Over an existing file.
      rename("\(texts.path)/d.txt", "\(texts.path)/b.txt")
      texts.settle(["b.txt": "one", "c.txt": "three"])
      #expect(reported.withLock { $0 } == ["a.txt d.txt one", "d.txt b.txt one"])
      // Over a file that is held, to a name without an item, and of a file that was saved before.
      rename("\(texts.path)/b.txt", "\(texts.path)/c.txt")
      texts.settle(["c.txt": "three"])
      try texts.write("e.txt", "four")
      texts.settle(["c.txt": "three", "e.txt": "four"])
      #expect(try SafeFile("\(texts.path)/e.txt").save([], over: Array("four".utf8)) == .saved)
      texts.settle(["c.txt": "three", "e.txt": ""])
      rename("\(texts.path)/e.txt", "\(texts.path)/e.txt~")
      texts.settle(["c.txt": "three"])
      #expect(reported.withLock { $0.count } == 2)
    }
  }

  /// A move by this process is reported by the watcher too.
  @Test(arguments: ["a.txt", "b.txt", "c.txt"])
  func renameOfAFileThatIsChangingIsNotSent(_ changing: FileName) async throws {
    try await onThread {
      let texts = try Texts(["a.txt": "one"])
      defer { texts.close() }
      let source = texts.loop.wait { Confined(Subject<FileChange, FileWatchError>()) }
      let reported = Monitor<[FileName]>([])
      texts.open { files in
        files.renames.observeNext { rename in reported.withLock { $0.append(rename.old) } }
      } changes: { _ in
        source.value.stream
      }
      rename("\(texts.path)/a.txt", "\(texts.path)/b.txt")
      let path = texts.path
      texts.wait { files in
        source.value.next(.moved(from: "\(path)/a.txt", to: "\(path)/b.txt"))
        files?.perform(changing: [changing]) { _ in }
      }
      texts.settle(["b.txt": "one"])
      #expect(reported.withLock { $0 } == (changing == "c.txt" ? ["a.txt"] : []))
    }
  }

  @Test func provisionalFileHasNoItem() async throws {
    try await onThread {
      let texts = try Texts()
      defer { texts.close() }
      let name: FileName = ".runnel-old-1.2-1.2-3-a.txt"
      let isRead = Monitor(false)
      texts.open { files in
        files.readings.observeNext { if $0 == name { isRead.withLock { $0 = true } } }
      }
      try texts.write(name.text, "half")
      texts.wait { $0?.reload(name) }
      texts.settle { _ in isRead.withLock { $0 } }
      #expect(texts.wait { $0?.items.count } == 0)
    }
  }

  @Test func linkIsKnownWhileThereIsAnItem() async throws {
    try await onThread {
      let texts = try Texts(["a.txt": "one", "b.jpg": "none"])
      defer { texts.close() }
      texts.open()
      #expect(texts.wait { $0?.link(of: "a.txt") != LinkRule.none })
      #expect(texts.wait { $0?.link(of: "b.jpg") == LinkRule.none })
      unlink("\(texts.path)/a.txt")
      texts.settle([:])
      #expect(texts.wait { $0?.link(of: "a.txt") == LinkRule.none })
    }
  }

  @Test func sendsAllReadings() async throws {
    try await onThread {
      let texts = try Texts(["a.txt": "one"])
      defer { texts.close() }
      let read = Monitor<Set<FileName>>([])
      texts.open { files in
        files.readings.observeNext { name in _ = read.withLock { $0.insert(name) } }
      }
      try texts.write("other", "no item")
      texts.settle { _ in read.withLock { $0.isSuperset(of: ["a.txt", "other"]) } }
    }
  }

  /// The names are different bytes, but equal strings.
  @Test func equalStringsWithDifferentBytesAreTwoItems() async throws {
    try await onThread {
      let texts = try Texts()
      defer { texts.close() }
      try texts.write("\u{E9}.txt", "one")
      try texts.write("e\u{301}.txt", "two")
      texts.open()
      texts.settle { $0.items["\u{E9}.txt"] == "one" && $0.items["e\u{301}.txt"] == "two" }
    }
  }

  /// A save exchanges two files. The changes look as if one of them was removed.
  @Test func exchangedFilesKeepTheirItems() async throws {
    try await onThread {
      let texts = try Texts(["a.txt": "one"])
      defer { texts.close() }
      texts.open()
      var known = Array("one".utf8)
      for number in 0..<20 {
        let new = Array("\(number)".utf8)
        try SafeFile("\(texts.path)/a.txt").save(new, over: known)
        known = new
        texts.settle(["a.txt": "\(number)"])
      }
      try texts.write("end.txt", "")
      texts.settle(["a.txt": "19", "end.txt": ""])
      // There is one file at all times, and then two.
      #expect(Set(texts.events) == ["0", "1", "2"] && texts.events.last == "2")
      #expect(texts.events.drop { $0 == "0" }.filter { $0 == "0" } == [])
    }
  }

  /// A reading that equals the item sends no event.
  @Test func equalReadingSendsNoEvent() async throws {
    try await onThread {
      let texts = try Texts(["a.txt": "one"])
      defer { texts.close() }
      texts.open()
      let before = texts.events
      for _ in 0..<5 { try texts.write("a.txt", "one") }
      texts.wait { $0?.reload("a.txt") }
      try texts.write("b.txt", "two")
      texts.settle(["a.txt": "one", "b.txt": "two"])
      #expect(texts.events.count == before.count + 1)
    }
  }

  @Test func followsRecreatedFolder() async throws {
    try await onThread {
      let texts = try Texts(["a.txt": "one"])
      defer { texts.close() }
      texts.open()
      try FileManager.default.removeItem(atPath: texts.path)
      texts.settle([:])
      try FileManager.default.createDirectory(
        atPath: texts.path, withIntermediateDirectories: false)
      try texts.write("b.txt", "two")
      texts.settle(["b.txt": "two"])
      try texts.write("b.txt", "three")
      texts.settle(["b.txt": "three"])
    }
  }

  /// A file that is created between watching and scanning becomes an item once.
  @Test func watchesBeforeScanning() async throws {
    try await onThread {
      let texts = try Texts(["a.txt": "one"])
      defer { texts.close() }
      texts.open(changes: { [texts] changes in
        .deferred {
          // No scan has begun: a file that one of the two misses is found by the other.
          #expect(texts.isScanning == false)
          try? texts.write("b.txt", "two")
          return changes
        }
      })
      texts.settle(["a.txt": "one", "b.txt": "two"])
      try texts.write("end.txt", "")
      texts.settle(["a.txt": "one", "b.txt": "two", "end.txt": ""])
      #expect(texts.events.filter { $0 != "1" } == ["0", "2", "3"])
    }
  }

  /// The folder is read nevertheless, and followed when watching succeeds.
  @Test func unwatchableFolderIsReadAndRetried() async throws {
    try await onThread {
      let texts = try Texts(["a.txt": "one"])
      defer { texts.close() }
      let tries = Monitor(0)
      texts.open(changes: { changes in
        .deferred {
          let count = tries.withLock { tries in
            tries += 1
            return tries
          }
          return count == 1 ? .failed(.tooManyWatchers) : changes
        }
      })
      texts.settle(["a.txt": "one"])
      #expect(texts.events.contains("\(FileWatchError.tooManyWatchers)"))
      while tries.withLock({ $0 }) == 1 { sched_yield() }
      try texts.write("b.txt", "two")
      texts.settle(["a.txt": "one", "b.txt": "two"])
      try texts.write("b.txt", "three")
      texts.settle(["a.txt": "one", "b.txt": "three"])
      #expect(tries.withLock { $0 } == 2)
    }
  }

  @Test func folderThatCannotBeWatchedIsRead() async throws {
    try await onThread {
      let texts = try Texts(["a.txt": "one"])
      defer { texts.close() }
      texts.open(changes: { _ in .failed(.tooManyWatchers) })
      texts.settle(["a.txt": "one"])
      #expect(texts.events.contains("\(FileWatchError.tooManyWatchers)"))
    }
  }

  /// The items are kept, and the scan is repeated.
  @Test(.enabled(if: getuid() == 0)) func failedScanIsRepeated() async throws {
    try await onThread {
      let texts = try Texts(["a.txt": "one"])
      defer { texts.close() }
      let mayScan = Monitor(false)
      texts.open(changes: { _ in
        EventStream.interval(.milliseconds(1)).filter { _ in mayScan.withLock { $0 } }.take(1)
          .map { _ in .rescan }.failing(with: FileWatchError.self)
      })
      texts.settle(["a.txt": "one"])
      chmod(texts.path, 0o700)
      // Without the rights of the superuser, on the worker thread that reads.
      texts.wait { $0?.perform { _ in _ = setfsuid(65_534) } }
      mayScan.withLock { $0 = true }
      let failure = "\(FileError.notAllowed(texts.path))"
      texts.settle { _ in texts.log.events.contains(failure) }
      texts.settle(["a.txt": "one"])
      try texts.write("b.txt", "two")
      texts.wait { $0?.perform { _ in _ = setfsuid(0) } }
      texts.settle(["a.txt": "one", "b.txt": "two"])
      #expect(!texts.events.dropFirst().contains("0"))
    }
  }

  @Test func openCleansUpLeftovers() async throws {
    try await onThread {
      let texts = try Texts([".runnel-new-12": "half"])
      defer { texts.close() }
      texts.open()
      #expect(texts.read(".runnel-new-12") == nil)
    }
  }

  @Test(arguments: [false, true])
  func openCleansUpSubfoldersThatItReads(_ isRecursive: Bool) async throws {
    try await onThread {
      let texts = try Texts()
      defer { texts.close() }
      try FileManager.default.createDirectory(
        atPath: texts.path + "/inner", withIntermediateDirectories: false)
      try texts.write("inner/.runnel-new-12", "half")
      texts.open(recursively: isRecursive)
      #expect(texts.read("inner/.runnel-new-12") == (isRecursive ? nil : "half"))
    }
  }

  // MARK: - Working on files

  @Test func idleCompletesAfterTheChangedFilesAreRead() async throws {
    try await onThread {
      let texts = try Texts()
      defer { texts.close() }
      texts.open()
      let found = Monitor<[String]>([])
      texts.wait { files in
        guard let files else { return }
        files.perform(changing: ["a.txt"]) { folder throws(FileError) in
          try folder.file("a.txt").create(Array("one".utf8))
        }
        files.idle().observe(completed: {
          found.withLock { $0.append(files.items["a.txt"] ?? "none") }
        })
      }
      texts.settle { _ in found.withLock { !$0.isEmpty } }
      #expect(found.withLock { $0 } == ["one"])
    }
  }

  @Test func performsWorkInOrder() async throws {
    try await onThread {
      let texts = try Texts()
      defer { texts.close() }
      texts.open()
      texts.wait { files in
        for number in 0..<10 {
          files?.perform(changing: ["a.txt"]) { folder throws(FileError) in
            let old = (try? folder.file("a.txt").contents().bytes) ?? []
            try folder.file("a.txt").save(old + Array("\(number)".utf8), over: old)
          }
        }
        #expect(files?.isChanging == true)
      }
      texts.settle(["a.txt": "0123456789"])
      texts.settle { !$0.isChanging }
    }
  }

  /// Readings from before a pending change are ignored.
  @Test func readingBeforeChangeIsIgnored() async throws {
    try await onThread {
      let texts = try Texts(["a.txt": "one"])
      defer { texts.close() }
      texts.open()
      let count = texts.wait { files -> Int in
        files?.reload("a.txt")
        files?.put(nil, as: "a.txt")
        files?.perform(changing: ["a.txt"]) { folder throws(FileError) in
          unlink(folder.file("a.txt").path)
        }
        return files?.items.count ?? -1
      }
      #expect(count == 0)
      texts.wait { files in files?.reload("a.txt") }
      texts.settle([:])
      #expect(texts.events == ["0", "1", "0"])
    }
  }

  @Test func failedChangeIsReadAgain() async throws {
    try await onThread {
      let texts = try Texts(["a.txt": "one"])
      defer { texts.close() }
      texts.open()
      let failures = Monitor<[FileError]>([])
      texts.wait { files in
        files?.put(nil, as: "a.txt")
        files?.perform(changing: ["a.txt"]) { _ throws(FileError) in
          throw FileError.full("a.txt")
        } then: { outcome in
          if case .failure(let error) = outcome { failures.withLock { $0.append(error) } }
        }
      }
      texts.settle(["a.txt": "one"])
      #expect(failures.withLock { $0 } == [.full("a.txt")])
    }
  }

  @Test func heldItemIsNotReplaced() async throws {
    try await onThread {
      let texts = try Texts(["a.txt": "one"])
      defer { texts.close() }
      texts.open { files in files.isHeld = { $0 == "a.txt" } }
      texts.wait { $0?.put("mine", as: "a.txt") }
      try texts.write("a.txt", "theirs")
      try texts.write("b.txt", "two")
      texts.settle(["a.txt": "mine", "b.txt": "two"])
      unlink("\(texts.path)/a.txt")
      unlink("\(texts.path)/b.txt")
      texts.settle(["a.txt": "mine"])
    }
  }

  @Test func preparesItemsBeforeInsertion() async throws {
    try await onThread {
      let texts = try Texts(["a.txt": "one"])
      defer { texts.close() }
      texts.open { files in files.prepare = { $0 += "!" } }
      try texts.write("b.txt", "two")
      texts.settle(["a.txt": "one!", "b.txt": "two!"])
    }
  }
}
