import CLinux
import Glibc
import RunnelStreams
import TestSupport
import Testing

@testable import RunnelFiles

@Suite struct FolderTests {
  private let folder = TemporaryFolder()

  @Test func createsParentFolders() throws {
    let inner = Folder(folder["a/b/c/"])
    try inner.make(mode: 0o700)
    try inner.make()
    #expect(folder.status("a/b/c").st_mode & 0o777 == 0o700)
    #expect(folder.status("a/b").st_mode & 0o700 == 0o700)
    try inner.file("note.txt").create([1])
    #expect(try inner.names() == ["note.txt"])
    try Folder(".").make()
    try Folder("/").make()
  }

  @Test func namesIncludeSubfolders() throws {
    for path in ["a/b", "a/.c", ".git", "locked"] { try Folder(folder[path]).make() }
    for path in ["x", "a/x", "a/b/.x", "a/.c/x", ".git/x", "locked/x"] { folder.write(path) }
    symlink("a", folder["link"])
    chmod(folder["locked"], 0)
    defer { chmod(folder["locked"], 0o700) }
    let all = try Folder(folder.path).names(recursively: true).map(\.text).sorted()
    let readable = geteuid() == 0 ? ["locked/x"] : []
    #expect(all == (["a/b/.x", "a/x", "link", "x"] + readable).sorted())
    #expect(try Folder(folder.path).names().map(\.text).sorted() == ["link", "x"])
    #expect(try Folder(folder.path).subfolders().map(\.text).sorted() == ["a", "a/b", "locked"])
    #expect(Folder(folder.path).folder(of: "a/b/x").path == folder["a/b"])
    #expect(Folder(folder.path).folder(of: "x").path == folder.path)
    #expect(throws: FileError.missing(folder["none"])) {
      try Folder(folder["none"]).names(recursively: true)
    }
  }

  @Test func aFileIsBeingWrittenWhileAWriterIsOpen() throws {
    folder.write("a")
    let open = try OpenFolder(folder.path, .system)
    let writer = Glibc.open(folder["a"], O_WRONLY | O_CLOEXEC)
    #expect(open.isBeingWritten("a"))
    close(writer)
    #expect(!open.isBeingWritten("a"))
    #expect(!open.isBeingWritten("none"))
  }

  @Test func existingFileThrows() throws {
    folder.write("a")
    symlink("nowhere", folder["link"])
    #expect(throws: FileError.exists(folder["a"])) { try Folder(folder["a"]).make() }
    #expect(throws: FileError.missing(folder["a/b"])) { try Folder(folder["a/b"]).make() }
    #expect(throws: FileError.exists(folder["link"])) { try Folder(folder["link"]).make() }
    #expect(throws: FileError.unusableName("")) { try Folder("").make() }
    #expect(throws: FileError.missing(folder["b"])) { try Folder(folder["b"]).names() }
    #expect(throws: FileError.missing(folder["a"])) { try Folder(folder["a"]).names() }
    #expect(throws: FileError.missing(folder["b"])) { try Folder(folder["b"]).cleanUp() }
  }

  @Test func reportsExistenceAndWritability() throws {
    folder.write("a")
    let here = Folder(folder.path)
    #expect(here.exists && here.isWritable)
    #expect(!Folder(folder["a"]).exists && !Folder(folder["none"]).isWritable)
    chmod(folder.path, 0o755)
    let isWritable = try asNobody { () throws(FileError) in here.isWritable }
    #expect(!isWritable || getuid() != 0)
  }

  @Test func namesExcludeFolders() throws {
    folder.makeFolder("inner")
    folder.write("b")
    folder.write(".c")
    symlink("inner", folder["link"])
    #expect(try Folder(folder.path).names().sorted() == [".c", "b", "link"])
  }

  // MARK: - Leftovers

  @Test func deletesUnfinishedFile() throws {
    folder.write(".runnel-new-1234", "half")
    folder.write("a.txt", "old")
    #expect(try Folder(folder.path).cleanUp() == [])
    #expect(try folder.names() == ["a.txt"])
  }

  /// A process was killed after the exchange. The replaced file is deleted if its contents are
  /// known, and otherwise kept.
  @Test(arguments: ["old", "new", "theirs"])
  func keepsReplacedFileUnlessKnown(_ before: String) throws {
    folder.write("a.txt", before)
    _ = try? SafeFile(folder["a.txt"], calls: failingAfterExchange()).save(
      Array("new".utf8), over: Array("old".utf8))
    #expect(try folder.names().filter { $0.hasPrefix(".runnel-old-") }.count == 1)
    #expect(try SafeFile(folder["a.txt"]).contents().text == "new")
    let copies = try Folder(folder.path).cleanUp()
    let isNews = before == "theirs"
    #expect(copies == (isNews ? [folder["a (conflict).txt"]] : []))
    #expect(try folder.names() == (isNews ? ["a (conflict).txt", "a.txt"] : ["a.txt"]))
    for copy in copies { #expect(try SafeFile(copy).contents().text == before) }
  }

  /// Returns calls that all fail after the exchange.
  private func failingAfterExchange() -> FileCalls {
    let isOver = Monitor(false)
    var calls = FileCalls.system
    calls.rename = { folder, name, other, newName, flags throws(SystemError) in
      if isOver.withLock({ $0 }) { throw SystemError(EIO) }
      try FileCalls.system.rename(folder, name, other, newName, flags)
      if flags == runnel_exchange { isOver.withLock { $0 = true } }
    }
    calls.unlink = { _, _ throws(SystemError) in throw SystemError(EIO) }
    return calls
  }

  @Test func savePreventsCleanUp() throws {
    folder.write(".runnel-new-1234", "of a killed process")
    let path = folder.path
    var calls = FileCalls.system
    calls.write = { file, buffer throws(SystemError) in
      _ = try? Folder(path).cleanUp()
      return try FileCalls.system.write(file, buffer)
    }
    try SafeFile(folder["a.txt"], calls: calls).create([1])
    #expect(try folder.names() == [".runnel-new-1234", "a.txt"])
    try Folder(path).cleanUp()
    #expect(try folder.names() == ["a.txt"])
  }

  /// Another process cleans up during a save: locks may not work, or a process may hang.
  @Test(arguments: SavingFaultTests.Situation.allCases)
  func cleanUpDuringSaveLosesNothing(_ situation: SavingFaultTests.Situation) throws {
    for index in 0..<40 {
      let folder = TemporaryFolder()
      let (path, file) = (folder.path, folder["a.txt"])
      if let before = situation.before { try SafeFile(file).create(before) }
      let count = Monitor(0)
      let calls = withoutLocks {
        let isNow = count.withLock { count in
          count += 1
          return count == index
        }
        if isNow { _ = try? Folder(path).cleanUp() }
      }
      var error: FileError?
      do throws(FileError) { try situation.save(SafeFile(file, calls: calls)) } catch let thrown {
        error = thrown
      }
      let context: Comment = "\(situation), call \(index): \(error.map { "\($0)" } ?? "saved")"
      let now = try? SafeFile(file).contents().bytes
      #expect(now == (error == nil ? SavingFaultTests.new : situation.before), context)
      let names = try folder.names()
      let all = try names.map { try SafeFile(folder[$0]).contents().bytes }
      #expect(names.allSatisfy { !$0.hasPrefix(".") }, context)
      if situation == .changed { #expect(all.contains(SavingFaultTests.theirs), context) }
      #expect(names.count <= (situation == .changed ? 2 : 1), context)
    }
  }

  /// Returns calls without locks, which run an action at every call.
  private func withoutLocks(_ step: @escaping @Sendable () -> Void) -> FileCalls {
    var calls = FileCalls.system
    calls.lock = { _, _ throws(SystemError) in throw SystemError(ENOLCK) }
    calls.open = { folder, name, flags, mode throws(SystemError) in
      step()
      return try FileCalls.system.open(folder, name, flags, mode)
    }
    calls.read = { file, buffer throws(SystemError) in
      step()
      return try FileCalls.system.read(file, buffer)
    }
    calls.write = { file, buffer throws(SystemError) in
      step()
      return try FileCalls.system.write(file, buffer)
    }
    calls.synchronize = { _ throws(SystemError) in step() }
    calls.rename = { folder, name, other, newName, flags throws(SystemError) in
      step()
      try FileCalls.system.rename(folder, name, other, newName, flags)
    }
    calls.unlink = { folder, name throws(SystemError) in
      step()
      try FileCalls.system.unlink(folder, name)
    }
    return calls
  }

  /// A save exchanges two files after the cleanup has examined one of them.
  @Test func deletesOnlyExaminedFile() throws {
    let old = ProvisionalName.exchanging(Array("old".utf8), for: Array("new".utf8), of: "a.txt")
    folder.write(old, "new")
    folder.write("a.txt", "theirs")
    let path = folder.path
    var calls = FileCalls.system
    calls.unlink = { folder, name throws(SystemError) in
      let (one, other) = ("\(path)/\(old)", "\(path)/a.txt")
      _ = runnel_rename(AT_FDCWD, one, AT_FDCWD, other, UInt32(runnel_exchange))
      try FileCalls.system.unlink(folder, name)
    }
    #expect(try Folder(path, calls: calls).cleanUp() == [])
    #expect(try SafeFile(folder["a.txt"]).contents().text == "theirs")
    #expect(try folder.names() == ["a.txt"])
  }

  /// Names that only resemble leftovers.
  @Test func ignoresSimilarNames() throws {
    let names = [".runnel-", ".runnel-old-1-2", "runnel-new-1", ".runnel-old"]
    for name in names { folder.write(name) }
    try Folder(folder.path).cleanUp()
    #expect(try folder.names() == names.sorted())
  }

  /// The order of the entries does not matter.
  @Test func specialFilesDoNotStopCleanUp() throws {
    let names = ["1", "2"].flatMap { [".runnel-new-\($0)", ".runnel-old-1.2-1.2-\($0)-a"] }
    for (index, name) in names.enumerated() {
      folder.makeFolder("\(name)d")
      mkfifo(folder["\(name)f"], 0o666)
      symlink("target", folder["\(name)l"])
      mknod(folder["\(name)s"], S_IFSOCK | 0o666, 0)
      folder.write("\(name)-\(index)", "half")
    }
    folder.write("target")
    let copies = try Folder(folder.path).cleanUp()
    #expect(copies.count == 2)
    let others = names.flatMap { name in ["d", "f", "l", "s"].map { name + $0 } } + ["target"]
    let kept = copies.map { FileName(ofPath: $0).text }
    #expect(try folder.names() == (others + kept).sorted())
  }

  @Test func undeletableLeftoverDoesNotStopCleanUp() throws {
    for name in ["1", "2", "3"] { folder.write(".runnel-new-\(name)") }
    var calls = FileCalls.system
    calls.unlink = { folder, name throws(SystemError) in
      if name == ".runnel-new-2" { throw SystemError(EACCES) }
      try FileCalls.system.unlink(folder, name)
    }
    let broken = Folder(folder.path, calls: calls)
    #expect(throws: FileError.notAllowed(folder.path)) { try broken.cleanUp() }
    #expect(try folder.names() == [".runnel-new-2"])
  }

  /// The name of a leftover may have no room for the name of the file.
  @Test func keepsLeftoverWithoutName() throws {
    folder.write(".runnel-old-1.2-1.2-3-", "theirs")
    #expect(try Folder(folder.path).cleanUp() == [folder["Untitled (conflict)"]])
    #expect(try folder.names() == ["Untitled (conflict)"])
  }

  /// The sparse file occupies no disk space, and is not read.
  @Test func keepsHugeLeftover() throws {
    let old = ProvisionalName.exchanging(Array("old".utf8), for: Array("new".utf8), of: "a.txt")
    folder.write(old, "old")
    let size = 100 << 30
    #expect(truncate(folder[old], size) == 0)
    folder.write(".runnel-new-1")
    #expect(truncate(folder[".runnel-new-1"], size) == 0)
    #expect(try Folder(folder.path).cleanUp() == [folder["a (conflict).txt"]])
    #expect(try folder.names() == ["a (conflict).txt"])
    #expect(folder.status("a (conflict).txt").st_size == size)
  }
}
