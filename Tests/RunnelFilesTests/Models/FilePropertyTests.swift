import Foundation
import RunnelCollections
import RunnelFiles
import RunnelLoop
import RunnelStreams
import RunnelTesting
import Testing

/// The numbers in a file, one per line.
private final class Numbers {
  let files: FolderProperty<Int>
  let file: FileProperty<[Int]>
  var seen: [[Int]] = []
  var failures: [FileError] = []
  var problems: [FileError?] = []
  let isFull: Monitor<Bool>

  init(_ path: String, on loop: EventLoop, isFull: Monitor<Bool>) {
    self.isFull = isFull
    var calls = FileCalls.system
    let write = calls.write
    calls.write = { file, buffer throws(SystemError) in
      if isFull.withLock({ $0 }) { throw SystemError(ENOSPC) }
      return try write(file, buffer)
    }
    files = FolderProperty(Folder(path, calls: calls), on: loop) { _, _ in nil }
    file = FileProperty(
      "numbers", in: files,
      read: { String(decoding: $0, as: UTF8.self).split(separator: "\n").compactMap { Int($0) } },
      write: { Array($0.map { "\($0)\n" }.joined().utf8) })
    file.current.observeNext { [weak self] in self?.seen.append($0) }
    file.failures.observeNext { [weak self] in self?.failures.append($0) }
    file.problem.observeNext { [weak self] in self?.problems.append($0) }
    file.reload()
    files.open()
  }
}

@Suite struct FilePropertyTests {
  /// Runs the body of a test with two properties of one file, as in two processes.
  private func withNumbers(
    _ text: String? = nil,
    _ body: @escaping @Sendable (OnLoop<(Numbers, Numbers)>) throws -> Void
  ) async throws {
    try await ManualContext.onThread { _ in
      Result {
        let both = try OnLoop<(Numbers, Numbers)> { path, loop in
          if let text { try? replaceFile("\(path)/numbers", text) }
          let isFull = Monitor(false)
          return (
            Numbers(path, on: loop, isFull: isFull), Numbers(path, on: loop, isFull: isFull)
          )
        }
        defer { both.close() }
        try body(both)
      }
    }.get()
  }

  @Test func readsExistingFile() async throws {
    try await withNumbers("1\n2\n") { both in
      both.settle { $0.0.file.current.value == [1, 2] && $0.1.file.current.value == [1, 2] }
      #expect(both { $0.0.seen } == [[], [1, 2]])
      #expect(both.read("numbers") == "1\n2\n")
    }
  }

  @Test func changesReachOtherProperty() async throws {
    try await withNumbers { both in
      #expect(
        both {
          $0.0.file.mutate { $0.append(1) }
          return $0.0.file.current.value
        } == [1])
      both.settle { $0.0.file.isSaved && $0.1.file.current.value == [1] }
      #expect(both.read("numbers") == "1\n")
      try both.write("numbers", "7\n")
      both.settle { $0.0.file.current.value == [7] && $0.1.file.current.value == [7] }
    }
  }

  /// A huge file is neither read nor overwritten.
  @Test func hugeFileIsUnchanged() async throws {
    try await withNumbers("1\n") { both in
      both.settle { $0.0.file.current.value == [1] }
      #expect(truncate("\(both.path)/numbers", 1 << 40) == 0)
      both { $0.0.file.mutate { $0.append(2) } }
      both.settle { !$0.0.failures.isEmpty }
      #expect(both { $0.0.file.current.value } == [1, 2])
      #expect(truncate("\(both.path)/numbers", 2) == 0)
      both { $0.0.file.save() }
      both.settle { $0.0.file.isSaved && $0.1.file.current.value == [1, 2] }
      #expect(both.read("numbers") == "1\n2\n")
    }
  }

  /// Neither property overwrites the changes of the other.
  @Test func concurrentChangesAreKept() async throws {
    try await withNumbers { both in
      both { both in
        for number in 0..<20 {
          both.0.file.mutate { $0.append(number) }
          both.1.file.mutate { $0.append(100 + number) }
        }
      }
      both.settle {
        $0.0.file.isSaved && $0.1.file.isSaved && $0.0.file.current.value.count == 40
          && $0.0.file.current.value == $0.1.file.current.value
      }
      let all = both { $0.0.file.current.value }
      #expect(all.filter { $0 < 100 } == Array(0..<20) && Set(all).count == 40)
      #expect(both.read("numbers") == all.map { "\($0)\n" }.joined())
    }
  }

  @Test func failedSaveKeepsChange() async throws {
    try await withNumbers("1\n") { both in
      both.settle { $0.0.file.current.value == [1] }
      both { both in
        both.0.isFull.withLock { $0 = true }
        both.0.file.mutate { $0.append(2) }
      }
      both.settle { $0.0.failures == [.full("\(both.path)/numbers")] }
      try both.write("numbers", "5\n")
      both.settle { $0.0.file.current.value == [5, 2] && $0.1.file.current.value == [5] }
      both { both in
        both.0.isFull.withLock { $0 = false }
        both.0.file.save()
      }
      both.settle { $0.0.file.isSaved && $0.1.file.current.value == [5, 2] }
      #expect(both.read("numbers") == "5\n2\n")
      both { $0.0.file.save() }
      #expect(both { $0.0.failures.count } == 1)
    }
  }

  /// Repeated failures, and successful reads in between, do not change the problem.
  @Test func problemLastsUntilSaved() async throws {
    try await withNumbers("1\n") { both in
      both.settle { $0.0.file.current.value == [1] && $0.0.files.progress.value == nil }
      let full = FileError.full("\(both.path)/numbers")
      both { both in
        both.0.isFull.withLock { $0 = true }
        both.0.file.mutate { $0.append(2) }
        #expect(!both.0.file.isSaved)
      }
      for count in 1...3 {
        both.settle { $0.0.failures.count == count }
        both {
          $0.0.file.reload()
          $0.0.file.save()
        }
      }
      both.settle { $0.0.failures.count == 4 }
      #expect(both { $0.0.problems } == [nil, full])
      let unsaved = both { $0.0.file.unsavedFile }
      #expect(unsaved == UnsavedFile("numbers", bytes: Array("1\n2\n".utf8), problem: full))
      both { both in
        both.0.isFull.withLock { $0 = false }
        both.0.file.save()
      }
      both.settle { $0.0.file.isSaved }
      #expect(both { $0.0.problems } == [nil, full, nil])
      #expect(both { $0.0.file.unsavedFile } == nil)
      #expect(both.read("numbers") == "1\n2\n")
    }
  }

  /// Another problem is reported too, and ends when the file can be read again.
  @Test func readErrorIsProblem() async throws {
    try await withNumbers("1\n") { both in
      both.settle { $0.0.file.current.value == [1] && $0.0.files.progress.value == nil }
      #expect(truncate("\(both.path)/numbers", 1 << 40) == 0)
      both { $0.0.file.reload() }
      both.settle { $0.0.problems.count == 2 }
      #expect(both { $0.0.file.unsavedFile } == nil)
      #expect(truncate("\(both.path)/numbers", 2) == 0)
      both { $0.0.file.reload() }
      both.settle { $0.0.problems.count == 3 && $0.0.problems.last == .some(nil) }
    }
  }

  /// A link is followed only after the value was read through it.
  @Test func changeDoesNotFollowNewLink() async throws {
    try await ManualContext.onThread { _ in
      Result {
        let bytes = try OnLoop<FileProperty<[UInt8]>> { path, loop in
          let files = FolderProperty<Int>(path, on: loop, changes: .never) { _, _ in nil }
          return FileProperty("a", in: files, read: { $0 }, write: { $0 })
        }
        defer { bytes.close() }
        try bytes.write("a", "1")
        try bytes.write("secret", "2")
        bytes { $0.reload() }
        bytes.settle { $0.current.value == Array("1".utf8) }
        symlink("secret", "\(bytes.path)/link")
        rename("\(bytes.path)/link", "\(bytes.path)/a")
        bytes { $0.mutate { $0 = Array("3".utf8) } }
        bytes.settle { $0.problem.value == .notAFile("\(bytes.path)/a") }
        #expect(bytes.read("secret") == "2")
        bytes { $0.reload() }
        bytes.settle {
          $0.save()
          return $0.isSaved
        }
        #expect(bytes.read("secret") == "3")
      }
    }.get()
  }

  @Test func deletedFileIsReadAsEmpty() async throws {
    try await withNumbers("1\n") { both in
      both.settle { $0.0.file.current.value == [1] }
      // The folder is watched by the time that this change is saved.
      both { $0.0.file.mutate { $0.append(2) } }
      both.settle { $0.0.file.isSaved && $0.1.file.current.value == [1, 2] }
      unlink("\(both.path)/numbers")
      both.settle { $0.0.file.current.value == [] && $0.1.file.current.value == [] }
    }
  }
}
