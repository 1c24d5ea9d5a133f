import Glibc
import RunnelFiles
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct UpdateTests {
  private let folder = TemporaryFolder()
  private var file: SafeFile { SafeFile(folder["a.txt"]) }

  @Test func createsMissingFile() throws {
    #expect(try file.update { $0 } == [])
    #expect(try folder.names() == [])
    #expect(try file.update { $0 + [1] } == [1])
    #expect(try file.update { $0 + [2] } == [1, 2])
    #expect(try file.contents().bytes == [1, 2])
  }

  @Test func newContentsKeepLimit() throws {
    folder.write("a.txt", "abc")
    #expect(try file.update(upTo: 4) { $0 + [1] }.count == 4)
    let error = FileError.tooLargeToRead(folder["a.txt"], limit: 4)
    #expect(throws: error) { try file.update(upTo: 4) { $0 + [2] } }
    #expect(try file.contents().bytes.count == 4 && folder.names() == ["a.txt"])
  }

  /// Another process writes twice, between reading and saving.
  @Test func updateAppliesToNewContents() throws {
    folder.write("a.txt", "a")
    var count = 0
    let text = try file.update { old in
      count += 1
      if count <= 2 { folder.write("a.txt", "theirs \(count) ") }
      return old + Array("mine".utf8)
    }
    #expect(String(decoding: text, as: UTF8.self) == "theirs 2 mine")
    #expect(try file.contents().bytes == text)
    #expect(try folder.names() == ["a.txt"])
  }

  @Test func concurrentUpdatesAreAllApplied() async throws {
    let file = file
    try file.create([])
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for _ in 0..<10 { _ = try? file.update { $0 + [UInt8(number)] } }
        }
      }
    }
    let bytes = try file.contents().bytes
    for number in 0..<8 { #expect(bytes.count { $0 == UInt8(number) } == 10) }
    #expect(try folder.names() == ["a.txt"])
  }

  /// A process has the file open for writing. The first update retries until its limit, and the
  /// second one waits for the lock.
  @Test func updatesOfOpenFileAreBothApplied() async throws {
    folder.write("a.txt", "old ")
    let theirs = open(file.path, O_WRONLY | O_APPEND | O_CLOEXEC)
    defer { close(theirs) }
    let file = file
    @Sendable func add(_ byte: UInt8) async {
      await ManualContext.onThread { _ in _ = try? file.update { $0 + [byte] } }
    }
    async let one: Void = add(1)
    async let other: Void = add(2)
    _ = await (one, other)
    #expect(try file.contents().bytes.dropFirst(4).sorted() == [1, 2])
    #expect(try folder.names() == ["a (conflict).txt", "a.txt"])
    #expect(try SafeFile(folder["a (conflict).txt"]).contents().text == "old ")
  }

  @Test func failedUpdateChangesNothing() throws {
    folder.write("a.txt", "a")
    var calls = FileCalls.system
    calls.write = { _, _ throws(SystemError) in throw SystemError(ENOSPC) }
    let full = SafeFile(folder["a.txt"], calls: calls)
    #expect(throws: FileError.full(file.path)) { try full.update { $0 + [1] } }
    calls = .system
    calls.read = { _, _ throws(SystemError) in throw SystemError(EIO) }
    let broken = SafeFile(folder["a.txt"], calls: calls)
    #expect(throws: FileError.damaged(file.path)) { try broken.update { $0 + [1] } }
    #expect(try file.contents().text == "a")
    #expect(try folder.names() == ["a.txt"])
  }
}
