import Glibc
import RunnelFiles
import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@Suite struct FileEditTests {
  private let folder = TemporaryFolder()
  private var file: SafeFile { SafeFile(folder["a.txt"]) }

  @Test func eachSaveReplacesPreviousOne() throws {
    try file.create([0xEF, 0xBB, 0xBF] + Array("a\r\nb".utf8))
    let edit = FileEdit(of: try file.contents().bytes)
    #expect(try edit.save("a\nb", to: file) == nil)
    #expect(try edit.save("a\nc\nb", to: file) == .saved)
    #expect(try edit.save("a\nc\nb\n", to: file) == .saved)
    #expect(try file.contents().text == "\u{FEFF}a\r\nc\r\nb\r\n")
    #expect(try folder.names() == ["a.txt"])
  }

  @Test func createsMissingFile() throws {
    let edit = FileEdit(of: nil)
    #expect(try edit.save("", to: file) == .saved)
    #expect(try edit.save("", to: file) == nil)
    #expect(try edit.save("a", to: file) == .saved)
    #expect(try file.contents().text == "a")
  }

  /// Another process has created the file. An empty text does not replace it, and another text
  /// keeps a copy.
  @Test func newFileOfOtherProcessIsKept() throws {
    folder.write("a.txt", "theirs")
    let edit = FileEdit(of: nil)
    #expect(try edit.save("", to: file) == nil)
    #expect(try file.contents().text == "theirs")
    #expect(try edit.save("mine", to: file) == .conflict(folder["a (conflict).txt"]))
    #expect(try folder.names() == ["a (conflict).txt", "a.txt"])
  }

  /// The text was saved under a name that is no longer its own. The file with the other name has an
  /// older text.
  @Test func savesToOtherPathAgain() throws {
    folder.write("a.txt", "base")
    folder.write("b.txt", "base")
    let edit = FileEdit(of: Array("base".utf8))
    #expect(try edit.save("mine", to: file) == .saved)
    let other = SafeFile(folder["b.txt"])
    #expect(try edit.save("mine", to: other) == .conflict(folder["b (conflict).txt"]))
    #expect(try edit.save("mine", to: other) == nil)
    #expect(try other.contents().text == "mine")
  }

  @Test func contentsOfOtherProcessAreKept() throws {
    folder.write("a.txt", "base")
    let edit = FileEdit(of: Array("base".utf8))
    folder.write("a.txt", "theirs")
    #expect(try edit.save("mine", to: file) == .conflict(folder["a (conflict).txt"]))
    #expect(try edit.save("mine 2", to: file) == .saved)
  }

  @Test func changesOfOtherLinesAreMerged() throws {
    folder.write("a.txt", "one\ntwo\nthree\nfour")
    let edit = FileEdit(of: try file.contents())
    folder.write("a.txt", "one\ntwo\nthree\n4!")
    #expect(try edit.save("1\ntwo\nthree\nfour", to: file) == .saved)
    #expect(try file.contents().text == "1\ntwo\nthree\n4!")
    // The edited text still has only its own changes.
    #expect(try edit.save("1\ntwo\nthree\nfour", to: file) == nil)
    #expect(try edit.save("1!\ntwo\nthree\nfour", to: file) == .saved)
    #expect(try file.contents().text == "1!\ntwo\nthree\n4!")
    #expect(try folder.names() == ["a.txt"])
    // The same word.
    #expect(
      try edit.save("1!\ntwo\nthree\nVIER", to: file) == .conflict(folder["a (conflict).txt"]))
    #expect(try file.contents().text == "1!\ntwo\nthree\nVIER")
  }

  /// Another program saves between the reading and the replacement of the file.
  @Test func changesDuringSaveAreMerged() throws {
    folder.write("a.txt", "one\ntwo\nthree")
    let edit = FileEdit(of: try file.contents())
    let isChanged = Monitor(false)
    let folder = folder
    var calls = FileCalls.system
    let write = calls.write
    calls.write = { file, buffer throws(SystemError) in
      if !isChanged.withLock({ exchange(&$0, with: true) }) {
        folder.write("a.txt", "one\ntwo\nthree!")
      }
      return try write(file, buffer)
    }
    #expect(try edit.save("1\ntwo\nthree", to: SafeFile(folder["a.txt"], calls: calls)) == .saved)
    #expect(try file.contents().text == "1\ntwo\nthree!")
    #expect(try folder.names() == ["a.txt"])
  }

  /// While another program has the file open for writing, its contents may be torn.
  @Test func contentsOfOpenFileAreKept() throws {
    folder.write("a.txt", "one\ntwo\nthree")
    let edit = FileEdit(of: try file.contents())
    folder.write("a.txt", "one\n")
    let theirs = open(file.path, O_WRONLY | O_APPEND | O_CLOEXEC)
    defer { close(theirs) }
    #expect(
      try edit.save("1\ntwo\nthree", to: file) == .conflict(folder["a (conflict).txt"]))
    #expect(try file.contents().text == "1\ntwo\nthree")
    #expect(try SafeFile(folder["a (conflict).txt"]).contents().text == "one\n")
  }

  @Test func mergedFileKeepsBothChangesElsewhere() throws {
    folder.write("a.txt", "one\ntwo\nthree")
    let edit = FileEdit(of: try file.contents())
    folder.write("a.txt", "one\ntwo\nthree!")
    #expect(try edit.save("1\ntwo\nthree", to: file) == .saved)
    let other = SafeFile(folder["b.txt"])
    try file.move(to: other.path)
    #expect(try edit.save("1\n2\nthree", to: other) == .saved)
    #expect(try other.contents().text == "1\n2\nthree!")
    #expect(try folder.names() == ["b.txt"])
  }

  @Test func deletedFileIsCreatedWithBothChanges() throws {
    folder.write("a.txt", "one\ntwo\nthree")
    let edit = FileEdit(of: try file.contents())
    folder.write("a.txt", "one\ntwo\nthree!")
    #expect(try edit.save("1\ntwo\nthree", to: file) == .saved)
    unlink(file.path)
    #expect(try edit.save("1\n2\nthree", to: file) == .saved)
    #expect(try file.contents().text == "1\n2\nthree!")
  }

  @Test func unconfirmedMergeIsWrittenAgain() throws {
    folder.write("a.txt", "one\ntwo\nthree")
    let edit = FileEdit(of: try file.contents())
    folder.write("a.txt", "one\ntwo\nthree!")
    let broken = SafeFile(file.path, calls: callsWithoutFolderSync)
    for _ in 0..<2 {
      #expect(throws: FileError.unconfirmed(file.path)) {
        try edit.save("1\ntwo\nthree", to: broken)
      }
    }
    #expect(try edit.save("1\ntwo\nthree", to: file) == .saved)
    #expect(try file.contents().text == "1\ntwo\nthree!")
    #expect(try edit.save("1\ntwo\nthree", to: file) == nil)
    #expect(try folder.names() == ["a.txt"])
  }

  /// System calls that fail to confirm changes of a folder.
  private var callsWithoutFolderSync: FileCalls {
    var calls = FileCalls.system
    calls.synchronize = { descriptor throws(SystemError) in
      var status = stat()
      fstat(descriptor, &status)
      if status.st_mode & S_IFMT == S_IFDIR { throw SystemError(EIO) }
    }
    return calls
  }

  @Test func contentsThatAreNotTextAreNotMerged() throws {
    folder.write("a.txt", "one\ntwo\nthree")
    let edit = FileEdit(of: try file.contents())
    try file.save(Array("one\ntwo\n".utf8) + [0xFF], over: try file.contents())
    #expect(
      try edit.save("1\ntwo\nthree", to: file) == .conflict(folder["a (conflict).txt"]))
  }

  /// After a failed save the file is not assumed to have the text; after an unconfirmed save it is.
  @Test func distinguishesFailedAndUnconfirmedSave() throws {
    folder.write("a.txt", "base")
    let edit = FileEdit(of: Array("base".utf8))
    var calls = FileCalls.system
    calls.write = { _, _ throws(SystemError) in throw SystemError(ENOSPC) }
    let full = SafeFile(folder["a.txt"], calls: calls)
    #expect(throws: FileError.full(file.path)) { try edit.save("one", to: full) }
    let broken = SafeFile(folder["a.txt"], calls: callsWithoutFolderSync)
    for _ in 0..<2 {
      #expect(throws: FileError.unconfirmed(file.path)) { try edit.save("two", to: broken) }
    }
    #expect(try edit.save("two", to: file) == .saved)
    #expect(try edit.save("two", to: file) == nil)
    #expect(try edit.save("three", to: file) == .saved)
    #expect(try folder.names() == ["a.txt"])
  }
}
