import Glibc
import RunnelDesk
import RunnelTesting
import TestSupport
import Testing

@MainActor
@Suite struct DiskListingTests {
  private let listing = DiskListing()
  private let folder = TemporaryFolder()

  @Test func listsFilesFoldersAndLinks() throws {
    let path = folder.path
    try listing.makeFolder(at: "\(path)/sub")
    symlink("sub", "\(path)/link")
    symlink("nothing", "\(path)/broken")
    mkfifo("\(path)/pipe", 0o600)
    let found = try listing.entries(of: path).sorted { $0.name < $1.name }
    #expect(
      found == [
        FileEntry("broken"), FileEntry("link", isFolder: true), FileEntry("pipe"),
        FileEntry("sub", isFolder: true),
      ])
    #expect(try listing.entry(at: "\(path)/sub") == FileEntry("sub", isFolder: true))
    #expect(try listing.entry(at: "\(path)/broken") == FileEntry("broken"))
    #expect(try listing.entry(at: "\(path)/none") == nil)
    #expect(try listing.entry(at: "\(path)/pipe/none") == nil)
    #expect(listing.size(of: "\(path)/sub") == nil && listing.size(of: "\(path)/none") == nil)
  }

  @Test func errorsNameThePathAndTheReason() throws {
    let path = folder.path
    #expect(throws: FileListingError("\"\(path)/none\" does not exist.")) {
      try listing.entries(of: "\(path)/none")
    }
    try listing.makeFolder(at: "\(path)/sub")
    #expect(throws: FileListingError("\"\(path)/sub\" exists already. Choose another name.")) {
      try listing.makeFolder(at: "\(path)/sub")
    }
    mkfifo("\(path)/pipe", 0o600)
    #expect(throws: FileListingError("\"\(path)/pipe\" is not a folder.")) {
      try listing.entries(of: "\(path)/pipe")
    }
    #expect(throws: FileListingError.self) { try listing.makeFolder(at: "\(path)/a\0b") }
    #expect(throws: FileListingError.self) {
      try listing.entry(at: "\(path)/" + String(repeating: "x", count: 300))
    }
  }
}
