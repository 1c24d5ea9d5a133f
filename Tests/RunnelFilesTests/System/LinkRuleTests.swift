import Glibc
import RunnelFiles
import RunnelLoop
import TestSupport
import Testing

/// Links that appear between reading and saving.
@Suite struct LinkRuleTests {
  private let folder = TemporaryFolder()
  private var file: SafeFile { SafeFile(folder["a.txt"]) }

  init() {
    folder.write("a.txt", "mine")
    folder.write("secret", "secret")
    chmod(folder["secret"], 0o640)
  }

  private func swapForLink(to target: String = "secret") {
    symlink(target, folder["new"])
    folder.move("new", to: "a.txt")
  }

  private func expectSecretIsSafe() throws {
    #expect(try SafeFile(folder["secret"]).contents().text == "secret")
    #expect(folder.status("secret").st_mode & 0o777 == 0o640)
  }

  @Test(arguments: FaultyCalls.Ability.allCases)
  func newLinkIsNotFollowed(_ ability: FaultyCalls.Ability) throws {
    let file = SafeFile(file.path, calls: FaultyCalls().calls(nil, on: ability))
    let old = try file.contents()
    swapForLink()
    if ability == .replaceOnly {
      // A copy of the link cannot be kept on this file system.
      #expect(throws: FileError.notAFile(file.path)) { try file.save([1], over: old) }
      #expect(try folder.names() == ["a.txt", "secret"])
      return try expectSecretIsSafe()
    }
    #expect(try file.save([1], over: old) == .conflict(folder["a (conflict).txt"]))
    try expectSecretIsSafe()
    #expect(folder.status("a.txt").st_mode == S_IFREG | 0o600)
    #expect(folder.status("a (conflict).txt").st_mode & S_IFMT == S_IFLNK)
    #expect(try file.contents().bytes == [1])
    #expect(try folder.names() == ["a (conflict).txt", "a.txt", "secret"])
  }

  @Test func linkToReadFileIsFollowed() throws {
    folder.write("real", "mine")
    swapForLink(to: "real")
    let old = try file.contents()
    #expect(try file.save([1], over: old) == .saved)
    // A different link to the same file.
    swapForLink(to: "./real")
    #expect(try file.save([2], over: try file.contents()) == .saved)
    #expect(try SafeFile(folder["real"]).contents().bytes == [2])
    #expect(folder.status("a.txt").st_mode & S_IFMT == S_IFLNK)
  }

  @Test func linkWithNewTargetIsNotFollowed() throws {
    folder.write("real", "mine")
    swapForLink(to: "real")
    let old = try file.contents()
    swapForLink()
    #expect(try file.save([1], over: old) == .conflict(folder["a (conflict).txt"]))
    #expect(try SafeFile(folder["real"]).contents().text == "mine")
    try expectSecretIsSafe()
  }

  @Test func editDoesNotFollowNewLink() throws {
    let edit = FileEdit(of: try file.contents())
    #expect(try edit.save("one", to: file) == .saved)
    swapForLink()
    #expect(try edit.save("two", to: file) == .conflict(folder["a (conflict).txt"]))
    #expect(try edit.save("three", to: file) == .saved)
    #expect(try file.contents().text == "three")
    try expectSecretIsSafe()
  }

  @Test func updateDoesNotFollowNewLink() throws {
    let link = file.link
    swapForLink()
    #expect(throws: FileError.notAFile(file.path)) {
      try file.update(upTo: 100, following: link) { $0 + [1] }
    }
    #expect(try folder.names() == ["a.txt", "secret"])
    try expectSecretIsSafe()
    #expect(try file.update(upTo: 100, following: file.link) { $0 + [1] }.last == 1)
    #expect(folder.status("a.txt").st_mode & S_IFMT == S_IFLNK)
  }

  // MARK: - Folders on the path

  /// A file in `inner/deep`, below a folder that is replaced by a link to `outside`.
  private func fileInFolder() throws -> SafeFile {
    folder.makeFolder("inner")
    folder.makeFolder("inner/deep")
    folder.makeFolder("outside")
    folder.makeFolder("outside/deep")
    folder.write("inner/deep/b.txt", "mine")
    folder.write("outside/deep/b.txt", "mine")
    return SafeFile(folder["inner/deep/b.txt"])
  }

  @Test(arguments: ["inner", "inner/deep"])
  func newLinkToFolderIsNotFollowed(_ replaced: String) throws {
    let file = try fileInFolder()
    let old = try file.contents()
    let (edit, link) = (FileEdit(of: old), file.link)
    folder.move(replaced, to: "moved")
    symlink(folder[replaced == "inner" ? "outside" : "outside/deep"], folder[replaced])
    let error = FileError.redirected(folder["inner/deep"])
    #expect(throws: error) { try file.save([1], over: old) }
    #expect(throws: error) { try edit.save("new", to: file) }
    #expect(throws: error) { try file.update(upTo: 100, following: link) { $0 + [1] } }
    #expect(try Folder(folder["outside/deep"]).names() == ["b.txt"])
    #expect(try SafeFile(folder["outside/deep/b.txt"]).contents().text == "mine")
    // Reading again accepts the link.
    #expect(try file.save([1], over: try file.contents()) == .saved)
    #expect(try SafeFile(folder["outside/deep/b.txt"]).contents().bytes == [1])
  }

  @Test func linkToFolderThatWasReadThroughIsFollowed() throws {
    _ = try fileInFolder()
    symlink("inner", folder["link"])
    let file = SafeFile(folder["link/deep/b.txt"])
    let old = try file.contents()
    #expect(try file.save([1], over: old) == .saved)
    #expect(try SafeFile(folder["inner/deep/b.txt"]).contents().bytes == [1])
    // The link has another target now. The text goes where it came from.
    let next = try file.contents()
    unlink(folder["link"])
    symlink("outside", folder["link"])
    #expect(try file.save([2], over: next) == .saved)
    #expect(try SafeFile(folder["inner/deep/b.txt"]).contents().bytes == [2])
    #expect(try SafeFile(folder["outside/deep/b.txt"]).contents().text == "mine")
    // A conflict is reported at the path of the user.
    folder.write("inner/deep/b.txt", "theirs")
    #expect(try file.save([3], over: next) == .conflict(folder["link/deep/b (conflict).txt"]))
  }

  /// A folder that only lets through cannot be opened for reading.
  @Test(.enabled(if: getuid() == 0)) func folderWithoutReadingIsPassed() throws {
    let file = try fileInFolder()
    chmod(folder.path, 0o711)
    chmod(folder["inner"], 0o711)
    chmod(folder["inner/deep"], 0o777)
    chmod(file.path, 0o666)
    let old = try file.contents()
    try asNobody { () throws(FileError) in _ = try file.save([1], over: old) }
    #expect(try file.contents().bytes == [1])
  }

  @Test func newFolderAtThePathIsUsed() throws {
    let file = try fileInFolder()
    let old = try file.contents()
    folder.move("inner", to: "moved")
    folder.move("outside", to: "inner")
    #expect(try file.save([1], over: old) == .saved)
    #expect(try SafeFile(folder["moved/deep/b.txt"]).contents().text == "mine")
  }

  // MARK: - Names that are not UTF-8

  /// Two such names would be equal as texts, and name a third file.
  @Test func namesThatAreNotTextAreLeftOut() throws {
    for byte: UInt8 in [0xFE, 0xFF] {
      let path = Array(folder.path.utf8) + Array("/m".utf8) + [byte, 0]
      close(open(path.map { CChar(bitPattern: $0) }, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
      let subfolder = Array(folder.path.utf8) + Array("/n".utf8) + [byte, 0]
      #expect(mkdir(subfolder.map { CChar(bitPattern: $0) }, 0o700) == 0)
    }
    let all = Folder(folder.path)
    #expect(try Set(all.names()) == ["a.txt", "secret"])
    #expect(try Set(all.names(recursively: true)) == ["a.txt", "secret"])
    folder.write("m\u{FFFD}", "theirs")
    #expect(try Set(all.names()) == ["a.txt", "m\u{FFFD}", "secret"])
  }

  /// Replacing invalid UTF-8 would change the path.
  @Test func linkToInvalidUTF8PathThrows() throws {
    let target = Array(folder.path.utf8) + Array("/x".utf8) + [0xFF]
    let path = (target + [0]).map { CChar(bitPattern: $0) }
    #expect(mkdir(path, 0o777) == 0)
    let inner = (target + Array("/b".utf8) + [0]).map { CChar(bitPattern: $0) }
    close(open(inner, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    symlink(inner, folder["link"])
    folder.makeFolder("x\u{FFFD}")
    let link = SafeFile(folder["link"])
    #expect(try link.contents().bytes == [])
    #expect(throws: FileError.system(EILSEQ)) { try link.save([1], over: []) }
    #expect(try Folder(folder["x\u{FFFD}"]).names() == [])
  }
}
