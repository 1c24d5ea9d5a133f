import TestSupport
import Testing

@testable import RunnelFiles

@Suite struct UnsavedFilesTests {
  private let folder = TemporaryFolder()

  @Test func descriptionNamesRescuedPaths() throws {
    let files = [
      UnsavedFile("a.txt", bytes: [1], problem: .full("x/a.txt")), UnsavedFile("b.md", bytes: [2]),
    ]
    let unsaved = UnsavedFiles(files, rescuedBy: Rescue(in: [Rescue.Place(path: folder["state"])]))
    let lines = "\(unsaved)".split(separator: "\n")
    let path = folder["state/a.txt"]
    #expect(
      lines == [
        "\"a\" is not saved, but is in \"\(path)\". \(FileError.full("x/a.txt"))",
        "\"b\" is not saved, but is in \"\(folder["state/b.md"])\".",
      ])
    #expect(try SafeFile(path).contents().bytes == [1])
    #expect(try SafeFile(folder["state/b.md"]).contents().bytes == [2])
    #expect("\(UnsavedFiles([], rescuedBy: Rescue(in: [])))" == "")
  }

  @Test func failedRescueIsReportedAsLost() {
    folder.write("file")
    let rescue = Rescue(in: [Rescue.Place(path: folder["file/state"])])
    let unsaved = UnsavedFiles([UnsavedFile("\u{1B}a.txt", bytes: [1])], rescuedBy: rescue)
    #expect("\(unsaved)" == "\"\u{FFFD}a\" is not saved: its new contents are lost.")
  }
}
