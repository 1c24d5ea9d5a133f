import Glibc
import RunnelFiles
import RunnelLoop
import RunnelTesting
import TestSupport
import Testing

/// Files on separate mounts.
@Suite(.enabled(if: OwnMounts.arePermitted, Comment(rawValue: OwnMounts.reason)))
struct MountTests {
  /// Runs the body in a private mount namespace, with a folder in which "disk" is a mounted file
  /// system.
  private func withDisk(_ body: @escaping @Sendable (TemporaryFolder) throws -> Void) async throws {
    try await ManualContext.onThread { _ in
      Result {
        #expect(OwnMounts.begin())
        let folder = TemporaryFolder()
        folder.makeFolder("disk")
        #expect(OwnMounts.mountEmpty(at: folder["disk"]))
        defer { #expect(OwnMounts.unmount(folder["disk"])) }
        try body(folder)
      }
    }.get()
  }

  private static func realPath(_ path: String) -> String {
    let real = realpath(path, nil)
    defer { free(real) }
    return real.map { String(cString: $0) } ?? path
  }

  @Test func readOnlyMountThrows() async throws {
    try await withDisk { folder in
      let path = folder["disk/a.txt"]
      let file = SafeFile(path)
      try file.create([1])
      folder.write("disk/.runnel-new-1")
      // A process that another test is starting holds the file open, which keeps the file system
      // busy.
      waitUntilClosed(path)
      #expect(OwnMounts.makeReadOnly(folder["disk"]))
      #expect(throws: FileError.readOnly(path)) { try file.save([2], over: [1]) }
      #expect(throws: FileError.readOnly(path)) { try file.update { _ in [2] } }
      let other = SafeFile(folder["disk/b.txt"])
      #expect(throws: FileError.readOnly(other.path)) { try other.create([1]) }
      #expect(throws: FileError.readOnly(other.path)) { try file.move(to: other.path) }
      #expect(throws: FileError.readOnly(folder["disk"])) { try Folder(folder["disk"]).cleanUp() }
      #expect(throws: FileError.readOnly(folder["disk/c"])) { try Folder(folder["disk/c"]).make() }
      let contents = try file.contents()
      #expect(contents.bytes == [1] && !contents.isWritable)
      let error = #expect(throws: FileError.self) { try Trash(dataHome: folder["data"]).put(path) }
      if case .readOnly = error {} else { Issue.record("\(String(describing: error))") }
      #expect(FileError.readOnly(path).description.contains("Mount the file system writable"))
    }
  }

  /// The bind mount is on the same file system, but files cannot be moved out of it.
  @Test func bindMountHasItsOwnTrash() async throws {
    try await withDisk { folder in
      for name in ["disk/real", "disk/bound", "disk/bound/inner"] { folder.makeFolder(name) }
      let bound = folder["disk/bound"]
      #expect(OwnMounts.bind(folder["disk/real"], to: bound))
      folder.makeFolder("disk/bound/deep")
      folder.write("disk/bound/deep/a.txt", "one")
      let trash = Trash(dataHome: folder["disk/data"])
      let file = try trash.put(folder["disk/bound/deep/a.txt"])
      #expect(file.path == "\(Self.realPath(bound))/.Trash-\(geteuid())/files/a.txt")
      let info = try SafeFile(file.infoPath).contents().text
      #expect(info.contains("\nPath=deep/a.txt\n"))
      try trash.restore(file)
      #expect(try SafeFile(folder["disk/real/deep/a.txt"]).contents().text == "one")
      #expect(OwnMounts.unmount(bound))
      // Without the mount, the folder is on the volume of the home.
      folder.write("disk/b.txt")
      let other = try trash.put(folder["disk/b.txt"])
      #expect(other.path.hasSuffix("/disk/data/Trash/files/b.txt"))
    }
  }

  @Test func volumeHasTrashWithoutHome() async throws {
    try await withDisk { folder in
      folder.write("data", "in the way")
      folder.write("disk/a.txt", "one")
      let trash = Trash(dataHome: folder["data/share"])
      let file = try trash.put(folder["disk/a.txt"])
      #expect(file.path.hasSuffix("/disk/.Trash-\(geteuid())/files/a.txt"))
      try trash.restore(file)
      folder.write("b.txt")
      #expect(throws: FileError.self) { try trash.put(folder["b.txt"]) }
      #expect(try SafeFile(folder["b.txt"]).contents().text == "text")
    }
  }

  // MARK: - Watching

  enum Kind: CaseIterable {
    case empty
    case bound

    func mount(_ folder: TemporaryFolder, _ name: String) -> Bool {
      switch self {
      case .empty: OwnMounts.mountEmpty(at: folder[name])
      case .bound: OwnMounts.bind(folder["other"], to: folder[name])
      }
    }
  }

  /// Files are written on the thread of the loop, which sees the mounts.
  @Test(arguments: Kind.allCases, [true, false])
  func mountOverWatchedFolderIsFollowed(_ kind: Kind, _ isInner: Bool) async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      for name in ["other", "top", "top/inner"] { folder.makeFolder(name) }
      let name = isInner ? "top/inner" : "top"
      folder.write("\(name)/hidden")
      loop.wait { _ = OwnMounts.begin() }
      let watcher = Watcher(folder, at: "top", recursively: isInner, on: loop)
      loop.wait {
        #expect(kind.mount(folder, name))
        folder.write("\(name)/a")
      }
      let start = ["deleted \(name)", "created \(name)", "created \(name)/a"]
      #expect(watcher.log.wait(for: start.count).prefix(start.count) == start[...])
      loop.wait { folder.write("\(name)/b") }
      let written = ["created \(name)/b", "modified \(name)/b"]
      #expect(watcher.log.wait(for: start.count + 2).suffix(2) == written[...])
      loop.wait { #expect(OwnMounts.unmount(folder[name])) }
      // The folder itself may report the unmount first.
      let count = start.count + 2
      var changes = watcher.log.wait(for: count + 1)
      while !changes[count...].contains(where: {
        ["rescan", "created \(name)/hidden"].contains($0)
      }) {
        changes = watcher.log.wait(for: changes.count + 1)
      }
      loop.wait { folder.write("\(name)/c") }
      while !changes.contains("modified \(name)/c") {
        changes = watcher.log.wait(for: changes.count + 1)
      }
      watcher.dispose()
    }
  }

  /// After the mount, the path leads to another folder.
  @Test func mountAboveWatchedFolderSendsRescan() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      folder.makeFolder("around")
      folder.makeFolder("around/top")
      loop.wait { _ = OwnMounts.begin() }
      let watcher = Watcher(folder, at: "around/top", recursively: false, on: loop)
      loop.wait {
        #expect(OwnMounts.mountEmpty(at: folder["around"]))
        folder.makeFolder("around/top")
      }
      #expect(watcher.log.wait(for: 1) == ["rescan"])
      loop.wait { folder.write("around/top/a") }
      #expect(
        watcher.log.wait(for: 3).suffix(2) == ["created around/top/a", "modified around/top/a"])
      watcher.dispose()
    }
  }

  @Test func unrelatedMountSendsNoChange() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      for name in ["top", "topper", "other"] { folder.makeFolder(name) }
      loop.wait { _ = OwnMounts.begin() }
      let watcher = Watcher(folder, at: "top", on: loop)
      loop.wait {
        for name in ["topper", "other"] { #expect(OwnMounts.mountEmpty(at: folder[name])) }
      }
      #expect(watcher.changes(upTo: "top/end").filter { !$0.contains("end") } == [])
      watcher.dispose()
    }
  }
}
