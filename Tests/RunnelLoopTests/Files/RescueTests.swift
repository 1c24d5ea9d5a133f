import Glibc
import Testing

@testable import RunnelLoop

@Suite struct RescueTests {
  private let folder = TemporaryFolder()

  @Test func whatIsKeptIsNobodyElses() throws {
    let rescue = Rescue(in: [folder["state/app"]])
    let path = try rescue.keep(Array("one".utf8), as: "a.txt")
    #expect(path == folder["state/app/a.txt"])
    #expect(try SafeFile(path).contents().text == "one")
    #expect(folder.status("state/app").st_mode & 0o777 == 0o700)
  }

  @Test func nothingIsReplaced() throws {
    let rescue = Rescue(in: [folder.path])
    for text in ["one", "two", "three"] { _ = try rescue.keep(Array(text.utf8), as: "a.txt") }
    #expect(try folder.names() == ["a 2.txt", "a 3.txt", "a.txt"])
    #expect(try SafeFile(folder["a 3.txt"]).contents().text == "three")
    let long = FileName(String(repeating: "n", count: 255))
    for _ in 0..<2 { #expect(try rescue.keep([], as: long).utf8.count >= 255) }
  }

  @Test func whereItCannotBeItIsElsewhere() throws {
    folder.write("file")
    let rescue = Rescue(in: [folder["file/app"], folder["b"]])
    #expect(try rescue.keep([], as: "a.txt") == folder["b/a.txt"])
    let none = Rescue(in: [folder["file/app"], folder["file/b"]])
    #expect(throws: FileError.missing(folder["file/app"])) { try none.keep([], as: "a.txt") }
  }

  @Test func theStateOfTheUserComesFirst() {
    let folders = Rescue(of: "app").folders
    #expect(folders.count >= 2 && folders.allSatisfy { $0.hasPrefix("/") })
    #expect(folders != Rescue(of: "app").folders)
  }
}
