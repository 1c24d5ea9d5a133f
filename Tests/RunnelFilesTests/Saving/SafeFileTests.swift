import CLinux
import Glibc
import RunnelFiles
import RunnelLoop
import RunnelTesting
import TestSupport
import Testing

@Suite struct SafeFileTests {
  private let folder = TemporaryFolder()
  private var file: SafeFile { SafeFile(folder["a.txt"]) }

  // MARK: - Values

  @Test(arguments: [0, 1, 4_096, 65_535, 65_536, 65_537, 3_000_000])
  func readsSavedContents(_ count: Int) throws {
    var random = SeededGenerator(seed: UInt64(count))
    let old = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    try file.create(old)
    #expect(try file.contents().bytes == old)
    let new = old.reversed() + [1]
    #expect(try file.save(new, over: old) == .saved)
    #expect(try file.contents().bytes == new)
    #expect(try folder.names() == ["a.txt"])
  }

  /// A file that exceeds the disk and the memory is rejected before it is read.
  @Test func fileBeyondLimitThrows() throws {
    folder.write("a.txt", "four")
    #expect(try file.contents(upTo: 4).text == "four")
    #expect(throws: FileError.tooLargeToRead(file.path, limit: 3)) { try file.contents(upTo: 3) }
    truncate(file.path, 1 << 40)
    #expect(throws: FileError.tooLargeToRead(file.path, limit: 1 << 30)) {
      try file.contents(upTo: 1 << 30)
    }
    // A file that reports no size and has no end.
    #expect(throws: FileError.notAFile("/dev/zero")) { try SafeFile("/dev/zero").contents() }
    let status = SafeFile("/proc/self/status")
    #expect(try !status.contents(upTo: 1 << 20).bytes.isEmpty)
    #expect(throws: FileError.tooLargeToRead(status.path, limit: 10)) {
      try status.contents(upTo: 10)
    }
  }

  /// A sparse file that occupies no disk space has replaced the one that was read.
  @Test(arguments: FaultyCalls.Ability.allCases)
  func hugeFileIsKeptWithoutReading(_ ability: FaultyCalls.Ability) throws {
    folder.write("a.txt", "old")
    let size = 100 << 30
    #expect(truncate(file.path, size) == 0)
    let file = SafeFile(file.path, calls: FaultyCalls().calls(nil, on: ability))
    #expect(throws: FileError.tooLargeToRead(file.path, limit: 1_000_000_000)) {
      try file.contents()
    }
    #expect(throws: FileError.tooLargeToRead(file.path, limit: 1_000_000_000)) {
      try file.update { _ in [] }
    }
    if ability == .replaceOnly {
      // A copy could be kept only by reading the file.
      #expect(throws: FileError.tooLarge(file.path)) { try file.save([1], over: [0]) }
      #expect(folder.status("a.txt").st_size == size)
      #expect(try folder.names() == ["a.txt"])
      return
    }
    #expect(try file.save([1], over: [0]) == .conflict(folder["a (conflict).txt"]))
    #expect(folder.status("a (conflict).txt").st_size == size)
    #expect(try file.contents().bytes == [1])
  }

  @Test func contentsIncludeTimeAndWritability() throws {
    try file.create([1])
    var times = [timespec(tv_sec: 1_000, tv_nsec: 5), timespec(tv_sec: 1_000, tv_nsec: 5)]
    utimensat(AT_FDCWD, file.path, &times, 0)
    #expect(try file.contents().modified == .seconds(1_000) + .nanoseconds(5))
    #expect(try file.contents().isWritable)
    chmod(file.path, 0o444)
    chmod(folder.path, 0o755)
    let isWritable = try asNobody { () throws(FileError) in try file.contents().isWritable }
    #expect(!isWritable)
  }

  @Test func keepsModeAndOwner() throws {
    try file.create([1])
    chmod(file.path, 0o640)
    _ = chown(file.path, 12, 34)
    try file.save([2], over: [1])
    let status = folder.status("a.txt")
    #expect(status.st_mode & 0o7777 == 0o640)
    if getuid() == 0 { #expect(status.st_uid == 12 && status.st_gid == 34) }
  }

  /// A process that may write the file of another user, but not change owners.
  @Test(.enabled(if: getuid() == 0)) func unchangeableOwnerIsDropped() throws {
    try file.create([1])
    chmod(file.path, 0o6_666)
    chmod(folder.path, 0o777)
    try asNobody { () throws(FileError) in _ = try file.save([2], over: [1]) }
    let status = folder.status("a.txt")
    #expect(status.st_uid == 65_534)
    #expect(status.st_mode & 0o7777 == 0o666)
  }

  @Test func newFileHasDefaultMode() throws {
    try file.create([1])
    folder.write("other")
    #expect(folder.status("a.txt").st_mode == folder.status("other").st_mode)
  }

  @Test func newFileMayBePrivate() throws {
    try file.create([1], mode: 0o600)
    #expect(folder.status("a.txt").st_mode & 0o777 == 0o600)
  }

  @Test(arguments: [(1, "1 byte"), (999, "999 bytes"), (1_000, "1 kB"), (20_000_000, "20 MB")])
  func errorIncludesLimit(_ limit: Int, _ size: String) {
    #expect("\(FileError.tooLargeToRead("a", limit: limit))".contains("larger than \(size), the"))
  }

  @Test func followsLink() throws {
    folder.makeFolder("real")
    folder.write("real/a", "old")
    symlink("real/a", folder["link"])
    let link = SafeFile(folder["link"])
    #expect(try link.contents().text == "old")
    #expect(try link.save(Array("new".utf8), over: Array("old".utf8)) == .saved)
    #expect(folder.status("link").st_mode & S_IFMT == S_IFLNK)
    #expect(try SafeFile(folder["real/a"]).contents().text == "new")
    let outcome = try link.save(Array("newer".utf8), over: Array("old".utf8))
    #expect(outcome == .conflict(folder["real/a (conflict)"]))
  }

  /// The missing target of a link is created, even if it never existed.
  @Test func followsLinkToMissingFile() throws {
    folder.makeFolder("real")
    symlink("real/a", folder["link"])
    symlink("../round", folder["real/back"])
    symlink("link", folder["round"])
    for name in ["link", "real/back"] {
      #expect(try SafeFile(folder[name]).save([1], over: []) == .saved)
      #expect(try SafeFile(folder["real/a"]).contents().bytes == [1])
      #expect(folder.status(name).st_mode & S_IFMT == S_IFLNK)
      folder.delete("real/a")
    }
    symlink("absent/a", folder["nowhere"])
    symlink("self", folder["self"])
    symlink("real/a/", folder["slash"])
    for name in ["nowhere", "self", "slash"] {
      #expect(throws: FileError.self) { try SafeFile(folder[name]).save([1], over: []) }
    }
  }

  @Test func savesNamesOfAllLengths() throws {
    for count in [1, 100, 200, 251, 255] {
      let name = String(repeating: "é", count: count / 2) + (count % 2 == 0 ? "" : "e")
      let file = SafeFile(folder[name])
      try file.create([1])
      #expect(try file.save([2], over: [1]) == .saved)
      #expect(try file.save([3], over: [1]) != .saved)
      #expect(try file.save([4], over: [1]) != .saved)
    }
    #expect(try folder.names().count == 15)
    let tooLong = SafeFile(folder[String(repeating: "a", count: 256)])
    #expect(throws: FileError.nameTooLong(tooLong.path)) { try tooLong.create([]) }
    #expect(throws: FileError.nameTooLong(tooLong.path)) { try tooLong.save([1], over: []) }
    #expect(try folder.names().count == 15)
  }

  @Test func resolvesRelativePath() throws {
    let name = "runnel-\(getpid())-relative"
    try SafeFile(name).create([1])
    #expect(try SafeFile("./\(name)").save([2], over: [1]) == .saved)
    #expect(try SafeFile("\(name)/").contents().bytes == [2])
    unlink(name)
  }

  // MARK: - Conflicts

  @Test func contentsOfOtherProcessAreKept() throws {
    folder.write("a.txt", "theirs")
    let outcome = try file.save(Array("mine".utf8), over: Array("base".utf8))
    #expect(outcome == .conflict(folder["a (conflict).txt"]))
    #expect(try file.contents().text == "mine")
    #expect(try SafeFile(folder["a (conflict).txt"]).contents().text == "theirs")
    folder.write("a.txt", "theirs again")
    let next = try file.save(Array("mine again".utf8), over: Array("mine".utf8))
    #expect(next == .conflict(folder["a (conflict 2).txt"]))
    #expect(try folder.names() == ["a (conflict 2).txt", "a (conflict).txt", "a.txt"])
  }

  /// Equal contents from both processes are no conflict.
  @Test func equalContentsAreNoConflict() throws {
    folder.write("a.txt", "both")
    #expect(try file.save(Array("both".utf8), over: Array("base".utf8)) == .saved)
    #expect(try folder.names() == ["a.txt"])
  }

  @Test func saveRecreatesDeletedFile() throws {
    #expect(try file.save([1], over: [0]) == .saved)
    #expect(try file.contents().bytes == [1])
    #expect(try folder.names() == ["a.txt"])
  }

  @Test func createThrowsForExistingPath() throws {
    folder.write("a.txt", "theirs")
    #expect(throws: FileError.exists(file.path)) { try file.create([1]) }
    symlink("nowhere", folder["link"])
    #expect(throws: FileError.exists(folder["link"])) { try SafeFile(folder["link"]).create([1]) }
    #expect(try folder.names() == ["a.txt", "link"])
    #expect(try file.contents().text == "theirs")
  }

  /// A process that has opened the file writes after it has been replaced.
  @Test func lateWriteToReplacedFileIsKept() throws {
    folder.write("a.txt", "base")
    let theirs = open(file.path, O_WRONLY | O_APPEND | O_CLOEXEC)
    let outcome = try file.save(Array("mine".utf8), over: Array("base".utf8))
    #expect(outcome == .conflict(folder["a (conflict).txt"]))
    _ = write(theirs, "+theirs", 7)
    close(theirs)
    #expect(try file.contents().text == "mine")
    #expect(try SafeFile(folder["a (conflict).txt"]).contents().text == "base+theirs")
  }

  // MARK: - Moving

  @Test func moveThrowsForExistingPath() throws {
    folder.write("a.txt", "a")
    folder.write("b.txt", "b")
    folder.makeFolder("inner")
    #expect(throws: FileError.exists(folder["b.txt"])) { try file.move(to: folder["b.txt"]) }
    try file.move(to: folder["inner/c.txt"])
    #expect(throws: FileError.missing(file.path)) { try file.move(to: folder["d.txt"]) }
    #expect(try folder.names() == ["b.txt", "inner"])
    #expect(try SafeFile(folder["inner/c.txt"]).contents().text == "a")
  }

  @Test(.enabled(if: otherFileSystem != nil)) func moveToOtherFileSystemThrows() throws {
    folder.write("a.txt")
    let target = "\(otherFileSystem ?? "")/runnel-\(getpid())"
    #expect(throws: FileError.elsewhere(target)) { try file.move(to: target) }
    #expect(try folder.names() == ["a.txt"])
  }

  // MARK: - Failures

  @Test func unusablePathThrows() throws {
    folder.makeFolder("inner")
    mkfifo(folder["pipe"], 0o666)
    symlink("absent/nowhere", folder["dangling"])
    symlink("round", folder["round"])
    let cases: [(String, FileError)] = [
      ("inner", .notAFile(folder["inner"])), ("pipe", .notAFile(folder["pipe"])),
      ("absent/a", .missing(folder["absent"])), ("pipe/a", .missing(folder["pipe"])),
      ("dangling", .missing(folder["dangling"])), ("round", .missing(folder["round"])),
      ("..", .notAFile(folder[".."])), ("a\0b", .unusableName(folder["a\0b"])),
    ]
    for (name, error) in cases {
      #expect(throws: error) { try SafeFile(folder[name]).save([1], over: []) }
    }
    #expect(throws: FileError.unusableName("")) { try SafeFile("").save([1], over: []) }
    #expect(throws: FileError.notAFile("/")) { try SafeFile("/").save([1], over: []) }
    #expect(throws: FileError.missing(folder["absent"])) {
      try SafeFile(folder["absent"]).contents()
    }
    #expect(throws: FileError.notAFile(folder["pipe"])) { try SafeFile(folder["pipe"]).contents() }
    #expect(throws: FileError.notAFile(folder.path)) { try SafeFile(folder.path).contents() }
    mknod(folder["socket"], S_IFSOCK | 0o666, 0)
    let socket = SafeFile(folder["socket"])
    #expect(throws: FileError.notAFile(socket.path)) { try socket.contents() }
    #expect(throws: FileError.notAFile(socket.path)) { try socket.save([1], over: []) }
    folder.delete("socket")
    #expect(try folder.names() == ["dangling", "inner", "pipe", "round"])
  }

  @Test(.enabled(if: getuid() == 0)) func respectsPermissions() throws {
    folder.write("a.txt", "old")
    chmod(folder.path, 0o777)
    chmod(file.path, 0o444)
    try asNobody { () throws(FileError) in
      // The file may not be written, though the folder may.
      #expect(throws: FileError.notAllowed(file.path)) { try file.save([1], over: [0]) }
      chmod(file.path, 0o666)
    }
    chmod(folder.path, 0o555)
    chmod(file.path, 0o600)
    try asNobody { () throws(FileError) in
      #expect(throws: FileError.notAllowed(file.path)) { try file.contents() }
      #expect(throws: FileError.notAllowed(folder["b"])) { try SafeFile(folder["b"]).create([1]) }
    }
    chmod(folder.path, 0o700)
    #expect(try folder.names() == ["a.txt"])
    #expect(try file.contents().text == "old")
  }

  @Test(arguments: [
    FileError.missing("p"), .exists("p"), .notAFile("p"), .notAllowed("p"), .readOnly("p"),
    .full("p"), .tooLarge("p"), .nameTooLong("p"), .unusableName("p"), .damaged("p"),
    .unconfirmed("p"), .elsewhere("p"),
  ])
  func errorNamesPathAndRemedy(_ error: FileError) {
    let sentences = error.description.split(separator: ". ")
    #expect(error.description.contains("\"p\"") && sentences.count >= 2)
  }

  // MARK: - Space

  /// The file size limit of this process simulates a full disk.
  @Test func fileSizeLimitThrows() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      let file = SafeFile(folder["a"])
      try file.create([1])
      var limit = rlimit(rlim_cur: 10_000, rlim_max: 10_000)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      signal(SIGXFSZ, SIG_IGN)
      let error = #expect(throws: FileError.self) {
        try file.save(Array(repeating: 2, count: 20_000), over: [1])
      }
      guard error == .tooLarge(file.path), try file.contents().bytes == [1],
        try folder.names() == ["a"]
      else { exit(2) }
    }
  }
}
