import Glibc
import TestSupport
import Testing

@testable import RunnelFiles

@Suite struct RescueTests {
  private let folder = TemporaryFolder()

  private func rescue(in names: String..., isShared: Bool = false) -> Rescue {
    Rescue(in: names.map { Rescue.Place(path: folder[$0], isShared: isShared) })
  }

  @Test func rescuedFileIsPrivate() throws {
    let rescue = self.rescue(in: "state/app")
    let path = try rescue.keep(Array("one".utf8), as: "a.txt")
    #expect(path == folder["state/app/a.txt"])
    #expect(try SafeFile(path).contents().text == "one")
    #expect(folder.status("state/app").st_mode & 0o777 == 0o700)
    #expect(folder.status("state/app/a.txt").st_mode & 0o777 == 0o600)
    // In a folder that others may access, too.
    folder.makeFolder("open")
    _ = try self.rescue(in: "open").keep([1], as: "a.txt")
    #expect(folder.status("open/a.txt").st_mode & 0o777 == 0o600)
  }

  /// Another user may have created the folder, or a link to one.
  @Test func linkInSharedFolderIsNotUsed() throws {
    folder.makeFolder("theirs")
    symlink("theirs", folder["link"])
    #expect(try rescue(in: "link", "b", isShared: true).keep([], as: "a.txt") == folder["b/a.txt"])
    // Its own folder, when it is used again.
    #expect(try rescue(in: "b", isShared: true).keep([], as: "a.txt") == folder["b/a 2.txt"])
    // A user may link the state folder to another place.
    #expect(try rescue(in: "link").keep([], as: "a.txt") == folder["link/a.txt"])
  }

  @Test(.enabled(if: getuid() == 0), arguments: [true, false])
  func folderOfOtherUserIsNotUsed(_ isShared: Bool) throws {
    folder.makeFolder("theirs")
    _ = chown(folder["theirs"], 12, 34)
    let path = try rescue(in: "theirs", "b", isShared: isShared).keep([], as: "a.txt")
    #expect(path == folder["b/a.txt"])
    #expect(folder.status("theirs").st_uid == 12)
  }

  @Test func existingFilesAreKept() throws {
    let rescue = Rescue(in: [Rescue.Place(path: folder.path)])
    for text in ["one", "two", "three"] { _ = try rescue.keep(Array(text.utf8), as: "a.txt") }
    #expect(try folder.names() == ["a 2.txt", "a 3.txt", "a.txt"])
    #expect(try SafeFile(folder["a 3.txt"]).contents().text == "three")
    let long = FileName(String(repeating: "n", count: 255))
    for _ in 0..<2 { #expect(try rescue.keep([], as: long).utf8.count >= 255) }
  }

  @Test func unusableFolderIsSkipped() throws {
    folder.write("file")
    let rescue = self.rescue(in: "file/app", "b")
    #expect(try rescue.keep([], as: "a.txt") == folder["b/a.txt"])
    let none = self.rescue(in: "file/app", "file/b")
    #expect(throws: FileError.missing(folder["file/app"])) { try none.keep([], as: "a.txt") }
  }

  @Test func prefersStateFolderOfUser() {
    let places = Rescue(of: "app").places
    #expect(places.count >= 3 && places.allSatisfy { $0.path.hasPrefix("/") })
    let shared = places.drop { !$0.isShared }
    #expect(shared.allSatisfy { $0.isShared })
    #expect(shared.suffix(2).map { $0.path.hasPrefix("/var/tmp/app-") } == [true, false])
    #expect(shared.last?.path.hasPrefix("/tmp/app-") == true)
    #expect(places != Rescue(of: "app").places)
  }
}
