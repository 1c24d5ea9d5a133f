import CLinux
import Glibc
import TestSupport
import Testing

@testable import RunnelFiles

@Suite struct TrashTests {
  private let folder = TemporaryFolder()
  private var home: Trash { Trash(dataHome: folder["data"]) }

  private func text(_ path: String) throws -> String { try SafeFile(path).contents().text }

  @Test func putMovesFileAndRecordsIt() throws {
    folder.write("Müsli & Milk.txt", "two")
    let file = try home.put(folder["Müsli & Milk.txt"])
    let real = Self.realPath(folder.path)
    #expect(file.originalPath == "\(real)/Müsli & Milk.txt")
    #expect(file.path == folder["data/Trash/files/Müsli & Milk.txt"])
    #expect(file.infoPath == folder["data/Trash/info/Müsli & Milk.txt.trashinfo"])
    #expect(try text(file.path) == "two")
    #expect(try folder.names() == ["data"])
    let lines = try text(file.infoPath).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0] == "[Trash Info]")
    #expect(lines[1] == "Path=\(real)/M%C3%BCsli%20%26%20Milk.txt")
    let date = lines[2].wholeMatch(of: /DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)
    #expect(date != nil, "\(lines[2])")
    for name in ["data/Trash", "data/Trash/files", "data/Trash/info"] {
      #expect(folder.status(name).st_mode & 0o777 == 0o700)
    }
  }

  @Test func restoreMovesFileBack() throws {
    folder.write("a.txt", "one")
    let file = try home.put(folder["a.txt"])
    try home.restore(file)
    #expect(try text(folder["a.txt"]) == "one")
    #expect(access(file.infoPath, F_OK) != 0)
    #expect(throws: FileError.missing(file.path)) { try home.restore(file) }
  }

  @Test func restoreThrowsForExistingPath() throws {
    folder.write("a.txt", "one")
    let file = try home.put(folder["a.txt"])
    folder.write("a.txt", "two")
    #expect(throws: FileError.exists(file.originalPath)) { try home.restore(file) }
    #expect(try text(folder["a.txt"]) == "two")
    #expect(try text(file.path) == "one")
    #expect(access(file.infoPath, F_OK) == 0)
  }

  @Test func equalNamesGetNumbers() throws {
    var files: [TrashedFile] = []
    for number in 1...3 {
      folder.write("a.txt", "\(number)")
      files.append(try home.put(folder["a.txt"]))
    }
    let names = files.map { $0.path.split(separator: "/").last.map(String.init) ?? "" }
    #expect(names == ["a.txt", "a 2.txt", "a 3.txt"])
    try home.restore(files[1])
    #expect(try text(folder["a.txt"]) == "2")
  }

  /// A file in the trash without a record, and a record without a file.
  @Test func existingTrashFilesAreKept() throws {
    try Folder(folder["data/Trash/files"]).make()
    try Folder(folder["data/Trash/info"]).make()
    folder.write("data/Trash/files/a.txt", "theirs")
    folder.write("data/Trash/info/a 2.txt.trashinfo", "theirs")
    chmod(folder["data/Trash"], 0o700)
    folder.write("a.txt", "mine")
    let file = try home.put(folder["a.txt"])
    #expect(file.path.hasSuffix("/a 3.txt"))
    #expect(try text(folder["data/Trash/files/a.txt"]) == "theirs")
    #expect(access(folder["data/Trash/info/a.txt.trashinfo"], F_OK) != 0)
  }

  @Test func putsFoldersLinksAndLongNames() throws {
    folder.makeFolder("inner")
    folder.write("inner/a")
    symlink("inner", folder["link"])
    let link = try home.put(folder["link"])
    #expect(folder.status("inner").st_mode & S_IFMT == S_IFDIR)
    try home.restore(link)
    let inner = try home.put(folder["inner/"])
    #expect(try text("\(inner.path)/a") == "text")
    let long = String(repeating: "é", count: 125) + ".txt"
    folder.write(long)
    let file = try home.put(folder[long])
    #expect(file.path.hasSuffix("é.txt"))
    try home.restore(file)
    #expect(try folder.names() == ["data", "link", long].sorted())
  }

  @Test func unusablePathThrows() throws {
    #expect(throws: FileError.missing(folder["a"])) { try home.put(folder["a"]) }
    #expect(throws: FileError.missing(folder["b"])) { try home.put(folder["b/a"]) }
    #expect(throws: FileError.notAllowed("/")) { try home.put("/") }
    #expect(throws: FileError.notAllowed(folder[".."])) { try home.put(folder[".."]) }
    #expect(throws: FileError.unusableName("")) { try home.put("") }
    #expect(throws: FileError.unusableName("a\0")) { try home.put("a\0") }
    folder.write("data")
    folder.write("a")
    #expect(throws: FileError.missing(folder["data/Trash"])) { try home.put(folder["a"]) }
    #expect(try text(folder["a"]) == "text")
  }

  @Test(.enabled(if: getuid() == 0)) func unmovableFileIsUnchanged() throws {
    folder.makeFolder("closed")
    folder.write("closed/a")
    chmod(folder.path, 0o777)
    chmod(folder["closed"], 0o755)
    let trash = home
    try asNobody { () throws(FileError) in
      let error = #expect(throws: FileError.self) { try trash.put(folder["closed/a"]) }
      if case .notAllowed = error {} else { Issue.record("\(String(describing: error))") }
    }
    #expect(try text(folder["closed/a"]) == "text")
    let infos = try? Folder(folder["data/Trash/info"]).names()
    #expect(infos ?? [] == [])
  }

  // MARK: - Other volumes

  private static func realPath(_ path: String) -> String {
    let real = realpath(path, nil)
    defer { free(real) }
    return real.map { String(cString: $0) } ?? path
  }

  /// Returns a trash that treats a folder of the test as a separate volume.
  private func trash(withVolume name: String) -> Trash {
    let top = PathBytes(Self.realPath(folder[name]))
    return Trash(dataHome: folder["data"]) { _, _ in top }
  }

  private func put(_ trash: Trash) throws -> TrashedFile {
    folder.write("disk/a.txt", "one")
    return try trash.put(folder["disk/a.txt"])
  }

  @Test func otherVolumeHasTrashPerUser() throws {
    folder.makeFolder("disk")
    let trash = trash(withVolume: "disk")
    let file = try put(trash)
    #expect(file.path.hasSuffix("/disk/.Trash-\(getuid())/files/a.txt"))
    #expect(try text(file.infoPath).contains("\nPath=a.txt\n"))
    try trash.restore(file)
    #expect(try text(folder["disk/a.txt"]) == "one")
  }

  @Test func prefersTrashOfAdministrator() throws {
    folder.makeFolder("disk")
    folder.makeFolder("disk/.Trash")
    chmod(folder["disk/.Trash"], 0o1_777)
    let file = try put(trash(withVolume: "disk"))
    #expect(file.path.hasSuffix("/disk/.Trash/\(getuid())/files/a.txt"))
  }

  /// It is unsafe without the sticky bit, or as a link.
  @Test func unsafeTrashIsNotUsed() throws {
    folder.makeFolder("disk")
    folder.makeFolder("disk/.Trash")
    chmod(folder["disk/.Trash"], 0o777)
    #expect(try put(trash(withVolume: "disk")).path.contains("/.Trash-\(getuid())/"))
    folder.delete("disk/.Trash")
    folder.makeFolder("elsewhere")
    chmod(folder["elsewhere"], 0o1_777)
    symlink("../elsewhere", folder["disk/.Trash"])
    #expect(try put(trash(withVolume: "disk")).path.contains("/.Trash-\(getuid())/"))
  }

  /// Nothing is created at the target of a link that another user has planted.
  @Test(arguments: ["", "/files", "/info"])
  func plantedLinkIsNotFollowed(_ name: String) throws {
    folder.makeFolder("disk")
    folder.makeFolder("elsewhere")
    let trashPath = "disk/.Trash-\(geteuid())"
    if !name.isEmpty { folder.makeFolder(trashPath) }
    symlink(folder["elsewhere"], folder[trashPath + name])
    folder.write("disk/a.txt")
    let path = "\(Self.realPath(folder["disk"]))/.Trash-\(geteuid())\(name)"
    #expect(throws: FileError.notAllowed(path)) {
      try trash(withVolume: "disk").put(folder["disk/a.txt"])
    }
    #expect(try Folder(folder["elsewhere"]).names() == [])
    #expect(access(folder["elsewhere/files"], F_OK) != 0)
    #expect(try text(folder["disk/a.txt"]) == "text")
  }

  /// Replacing invalid UTF-8 would change the path.
  @Test func folderWithInvalidUTF8Throws() async throws {
    let (trash, path) = (home, folder.path)
    let bytes = (Array("\(path)/x".utf8) + [0xFF, 0]).map { CChar(bitPattern: $0) }
    #expect(mkdir(bytes, 0o777) == 0)
    symlink(bytes, "\(path)/link")
    try SafeFile("\(path)/link/a.txt").create([1])
    #expect(throws: FileError.system(EILSEQ)) { try trash.put("\(path)/link/a.txt") }
    #expect(try SafeFile("\(path)/link/a.txt").contents().bytes == [1])
  }

  @Test(.enabled(if: getuid() == 0)) func trashOfOtherUserIsNotUsed() throws {
    folder.makeFolder("disk")
    folder.makeFolder("disk/.Trash-0")
    _ = chown(folder["disk/.Trash-0"], 12, 34)
    folder.write("disk/a.txt")
    #expect(throws: FileError.self) { try trash(withVolume: "disk").put(folder["disk/a.txt"]) }
    #expect(try text(folder["disk/a.txt"]) == "text")
  }

  @Test(.enabled(if: otherFileSystem != nil)) func findsVolumeOfFile() throws {
    let top = otherFileSystem ?? ""
    let inner = "\(top)/runnel-\(getpid())"
    mkdir(inner, 0o700)
    try SafeFile("\(inner)/a.txt").create([1])
    let file = try home.put("\(inner)/a.txt")
    #expect(file.path.hasPrefix("\(top)/.Trash"))
    #expect(try text(file.infoPath).contains("\nPath=runnel-\(getpid())/a.txt\n"))
    try home.restore(file)
    unlink("\(inner)/a.txt")
    rmdir(inner)
    // Fails if the folder contains files of others.
    for name in ["files", "info", ""] { rmdir("\(top)/.Trash-\(getuid())/\(name)") }
  }

  @Test func homeFollowsEnvironment() async {
    await #expect(processExitsWith: .success) {
      setenv("HOME", "/home/jim", 1)
      unsetenv("XDG_DATA_HOME")
      guard Trash.home.dataHome == "/home/jim/.local/share" else { exit(1) }
      setenv("XDG_DATA_HOME", "relative", 1)
      guard Trash.home.dataHome == "/home/jim/.local/share" else { exit(2) }
      setenv("XDG_DATA_HOME", "/data", 1)
      guard Trash.home.dataHome == "/data" else { exit(3) }
    }
  }
}
