import CLinux
import Glibc
import RunnelStreams
import TestSupport
import Testing

@testable import RunnelFiles

@Suite struct OpenFolderTests {
  private let folder = TemporaryFolder()
  private let log = Monitor<[String]>([])
  private var logged: [String] { log.withLock { $0 } }

  private func opened(_ calls: FileCalls = .system) throws -> OpenFolder {
    try OpenFolder(folder.path, calls)
  }

  /// Calls that are logged, some of which fail with an error.
  private func calls(failing errors: [String: Int32] = [:]) -> FileCalls {
    let log = log
    let step: @Sendable (String) throws(SystemError) -> Void = { call throws(SystemError) in
      log.withLock { $0.append(call) }
      if let code = errors[call] { throw SystemError(code) }
    }
    var calls = FileCalls.system
    let system = calls
    calls.close = { file throws(SystemError) in
      try system.close(file)
      try step("close")
    }
    calls.write = { file, buffer throws(SystemError) in
      try step("write")
      return try system.write(file, buffer)
    }
    calls.synchronize = { _ throws(SystemError) in try step("confirm") }
    calls.rename = { folder, name, other, newName, flags throws(SystemError) in
      try step(flags == runnel_no_replace ? "move" : "replace")
      try system.rename(folder, name, other, newName, flags)
    }
    calls.link = { folder, name, other, newName throws(SystemError) in
      try step("link")
      try system.link(folder, name, other, newName)
    }
    calls.unlink = { folder, name throws(SystemError) in
      try step("unlink \(name)")
      try system.unlink(folder, name)
    }
    calls.lock = { folder, operation throws(SystemError) in
      try step("lock")
      try system.lock(folder, operation)
    }
    return calls
  }

  private func text(_ name: String) throws -> String {
    try SafeFile(folder[name]).contents().text
  }

  // MARK: - Opening

  @Test func linkIsFollowedUnlessExcluded() throws {
    folder.makeFolder("inner")
    folder.write("inner/a")
    symlink("inner", folder["link"])
    let parent = try opened()
    #expect(try OpenFolder(folder["link"], .system).status(of: "a") != nil)
    #expect(try OpenFolder("inner", in: parent).status(of: "a") != nil)
    #expect(throws: SystemError(ELOOP)) {
      try OpenFolder(folder["link"], .system, following: false)
    }
    #expect(throws: SystemError(ELOOP)) { try OpenFolder("link", in: parent) }
  }

  @Test("Only a link that is not followed is reported as a link")
  func otherErrorsAreKept() throws {
    folder.write("file")
    symlink("file", folder["link"])
    symlink("nowhere", folder["dangling"])
    for (name, follows, code) in [
      ("none", false, ENOENT), ("file", false, ENOTDIR), ("file", true, ENOTDIR),
      ("link", true, ENOTDIR), ("link", false, ELOOP), ("dangling", true, ENOENT),
      ("dangling", false, ELOOP),
    ] {
      #expect(throws: SystemError(code), "\(name), following: \(follows)") {
        try OpenFolder(folder[name], .system, following: follows)
      }
    }
  }

  @Test("The lock ends with the object, although another process has inherited the descriptor")
  func releaseEndsInheritedLock() throws {
    let copies = Monitor<[Int32]>([])
    var calls = FileCalls.system
    calls.open = { folder, name, flags, mode throws(SystemError) in
      let file = try FileCalls.system.open(folder, name, flags, mode)
      copies.withLock { $0.append(fcntl(file, F_DUPFD_CLOEXEC, 0)) }
      return file
    }
    do {
      let locked = try opened(calls)
      #expect(locked.isQuiet())
      #expect(try !opened().isQuiet())
      withExtendedLifetime(locked) {}
    }
    #expect(try opened().isQuiet())
    for copy in copies.withLock({ $0 }) { close(copy) }
  }

  // MARK: - Reading

  @Test func missingEntryIsToldFromAnError() throws {
    folder.write("a")
    let open = try opened()
    #expect(try (open.status(of: "a")?.st_mode).map { $0 & S_IFMT } == S_IFREG)
    #expect(try open.status(of: "none") == nil)
    #expect(throws: SystemError(ENOTDIR)) { try open.status(of: "a/b") }
    #expect(!open.isGone("a") && open.isGone("none") && !open.isGone("a/b"))
  }

  @Test(.enabled(if: getuid() == 0)) func folderOfOtherUserIsNotOwn() throws {
    #expect(try opened().isOwn)
    #expect(chown(folder.path, 65_534, 65_534) == 0)
    #expect(try !opened().isOwn)
  }

  @Test func lookingForWritersClosesTheFile() throws {
    folder.write("a")
    let file = folder.status("a")
    #expect(try !opened().isBeingWritten("a"))
    let descriptors = (0..<4_096 as Range<Int32>).filter { descriptor in
      var status = stat()
      return fstat(descriptor, &status) == 0 && status.st_ino == file.st_ino
        && status.st_dev == file.st_dev
    }
    #expect(descriptors.isEmpty)
  }

  // MARK: - New entries

  @Test func existingFolderIsKept() throws {
    let open = try opened()
    try open.makeFolder("a")
    folder.write("a/b")
    try open.makeFolder("a")
    #expect(folder.status("a").st_mode & 0o777 == 0o700)
    #expect(try Folder(folder["a"]).names() == ["b"])
    #expect(throws: SystemError(ENOENT)) { try open.makeFolder("none/a") }
  }

  @Test func newFileIsConfirmedAndClosedOnce() throws {
    try opened(calls()).makeFile("a", [65], like: nil)
    #expect(logged == ["write", "confirm", "close"])
    #expect(try text("a") == "A")
  }

  @Test(arguments: ["write", "confirm", "close"])
  func failedFileIsClosedOnceAndRemoved(_ call: String) throws {
    #expect(throws: SystemError(EIO)) {
      try opened(calls(failing: [call: EIO])).makeFile("a", [65], like: nil)
    }
    #expect(logged.count { $0 == "close" } == 1 && logged.last == "unlink a")
    #expect(try folder.names() == [])
  }

  @Test func interruptedCloseIsNotRepeated() throws {
    try opened(calls(failing: ["close": EINTR])).makeFile("a", [65], like: nil)
    #expect(logged == ["write", "confirm", "close"])
    #expect(try text("a") == "A")
  }

  // MARK: - Moves

  @Test("A file system without the flag moves by a link", arguments: [EINVAL, ENOSYS, EOPNOTSUPP])
  func moveUsesLink(_ code: Int32) throws {
    folder.write("a")
    try opened(calls(failing: ["move": code])).move("a", to: "b")
    #expect(logged == ["move", "link", "unlink a"])
    #expect(try folder.names() == ["b"])
  }

  @Test(
    "A file system without links moves by a rename, but replaces nothing",
    arguments: [EPERM, EMLINK, EINVAL, ENOSYS, EOPNOTSUPP])
  func moveWithoutLinks(_ code: Int32) throws {
    folder.write("a", "mine")
    folder.write("b", "theirs")
    let open = try opened(calls(failing: ["move": EINVAL, "link": code]))
    #expect(throws: SystemError(EEXIST)) { try open.move("a", to: "b") }
    #expect(try text("a") == "mine" && text("b") == "theirs")
    try open.move("a", to: "c")
    #expect(logged == ["move", "link", "move", "link", "replace"])
    #expect(try folder.names() == ["b", "c"])
  }

  @Test(arguments: ["move", "link"])
  func otherErrorEndsMove(_ call: String) throws {
    folder.write("a")
    var errors = ["move": EINVAL]
    errors[call] = EIO
    #expect(throws: SystemError(EIO)) { try opened(calls(failing: errors)).move("a", to: "b") }
    #expect(logged.last == call)
    #expect(try folder.names() == ["a"])
  }

  @Test func fileThatReplacesMovedOneStays() throws {
    folder.write("a", "mine")
    folder.write("new", "theirs")
    var calls = calls(failing: ["move": EINVAL])
    let (link, path) = (calls.link, folder.path)
    calls.link = { folder, name, other, newName throws(SystemError) in
      try link(folder, name, other, newName)
      _ = rename("\(path)/new", "\(path)/a")
    }
    try opened(calls).move("a", to: "b")
    #expect(try folder.names() == ["a", "b"])
    #expect(try text("a") == "theirs" && text("b") == "mine")
  }

  @Test func failedMoveLeavesOneName() throws {
    folder.write("a")
    let open = try opened(calls(failing: ["move": EINVAL, "unlink a": EIO]))
    #expect(throws: SystemError(EIO)) { try open.move("a", to: "b") }
    #expect(logged == ["move", "link", "unlink a", "unlink b"])
    #expect(try folder.names() == ["a"])
  }

  // MARK: - Confirmation and locks

  @Test(arguments: [EINVAL, ENOSYS, EOPNOTSUPP])
  func confirmationMayBeUnsupported(_ code: Int32) throws {
    try opened(calls(failing: ["confirm": code])).synchronize()
    #expect(logged == ["confirm"])
  }

  @Test func failedConfirmationThrows() throws {
    let open = try opened(calls(failing: ["confirm": EIO]))
    #expect(throws: SystemError(EIO)) { try open.synchronize() }
  }

  @Test("Several processes may save, but only one may update")
  func locksExclude() throws {
    let (first, second, third) = (try opened(calls()), try opened(calls()), try opened())
    first.announceSaving()
    second.announceSaving()
    #expect(logged == ["lock", "lock"] && !third.isQuiet())
    let folder = TemporaryFolder()
    let updating = try OpenFolder(folder.path, .system)
    updating.announceUpdating()
    let lock = FileCalls.system.lock
    let other = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #expect(throws: SystemError(EWOULDBLOCK)) { try lock(other, LOCK_SH | LOCK_NB) }
    close(other)
    withExtendedLifetime((first, second, updating)) {}
  }

  @Test func unsupportedLockIsNotRepeated() throws {
    try opened(calls(failing: ["lock": ENOLCK])).announceUpdating()
    #expect(logged == ["lock"])
  }

  @Test func heldLockIsTriedAgainAfterAWait() throws {
    var calls = calls()
    let (log, lock) = (log, calls.lock)
    calls.lock = { folder, operation throws(SystemError) in
      try lock(folder, operation)
      if log.withLock({ $0.count }) < 3 { throw SystemError(EWOULDBLOCK) }
    }
    let open = try opened(calls)
    let time = ContinuousClock().measure { open.announceUpdating() }
    #expect(logged == ["lock", "lock", "lock"])
    // At least one millisecond passes between two attempts.
    #expect(time >= .milliseconds(2))
  }
}
