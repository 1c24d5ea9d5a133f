import Glibc
import RunnelBus
import RunnelFiles
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct FileMessageStoreTests {
  private static func message(_ random: inout SeededGenerator) -> TransportMessage {
    let number = UInt64.random(in: 2...1 << 60, using: &random)
    return TransportMessage(
      topic: ["a", "größe.ü", "a.b.c"].randomElement(using: &random) ?? "a",
      kind: [.event, .sticky, .cleared].randomElement(using: &random) ?? .event,
      payload: (0..<Int.random(in: 0...300, using: &random)).map { _ in
        .random(in: 0...255, using: &random)
      },
      stamp: Bool.random(using: &random)
        ? nil : EventStamp(origin: 7, number: number, previous: number / 2, hops: 3),
      isAcknowledged: .random(using: &random), isRepeated: .random(using: &random))
  }

  private func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : -1
  }

  /// Random changes and new openings, compared with a list.
  @Test(arguments: seeds(10)) func fileMatchesModel(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let folder = TemporaryFolder()
    let path = "\(folder.path)/queue"
    var store = try FileMessageStore(path)
    var model: [(number: UInt64, message: TransportMessage)] = []
    #expect(try store.load().isEmpty)
    for number in 1...2_000 as ClosedRange<UInt64> {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<49:
        let message = Self.message(&random)
        try store.append(message, number: number)
        model.append((number, message))
      case 49..<98:
        guard !model.isEmpty else { continue }
        let index = Int.random(in: 0..<model.count, using: &random)
        try store.remove(number: model.remove(at: index).number)
      default:
        store = try reopen(&store, path)
        let loaded = try store.load()
        #expect(loaded.map(\.number) == model.map(\.number), "seed \(seed)")
        #expect(loaded.map(\.message) == model.map(\.message), "seed \(seed)")
      }
    }
    #expect(size(path) < 200_000, "the file is written anew")
  }

  /// Opens the file again after the store is released, which holds a lock.
  private func reopen(_ store: inout FileMessageStore, _ path: String) throws -> FileMessageStore {
    let other = TemporaryFolder()
    store = try FileMessageStore("\(other.path)/other")
    return try FileMessageStore(path)
  }

  /// A killed process may have written a part of the last record only.
  @Test func eachCutLeavesTheRecordsBefore() throws {
    var random = SeededGenerator(seed: 3)
    let folder = TemporaryFolder()
    let path = "\(folder.path)/queue"
    var ends: [Int] = []
    do {
      let store = try FileMessageStore(path)
      _ = try store.load()
      for number in 1...5 as ClosedRange<UInt64> {
        try store.append(Self.message(&random), number: number)
        ends.append(size(path))
      }
    }
    for length in stride(from: size(path), through: 0, by: -1) {
      truncate(path, off_t(length))
      let store = try FileMessageStore(path)
      #expect(try store.load().count == ends.count { $0 <= length })
    }
  }

  @Test func secondProcessAndForeignFileAreRefused() throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/queue"
    let store = try FileMessageStore(path)
    #expect(throws: FileError.self) { try FileMessageStore(path) }
    withExtendedLifetime(store) {}
    let foreign = "\(folder.path)/foreign"
    let file = fopen(foreign, "w")
    fputs("something else that is longer", file)
    fclose(file)
    #expect(throws: FileError.notAFile(foreign)) { try FileMessageStore(foreign) }
    #expect(size(foreign) == 29, "it was not changed")
    #expect(throws: FileError.self) { try FileMessageStore(folder.path) }
  }

  /// A refused file is closed once: a second time, its descriptor may belong to another thread.
  @Test func refusedFileIsClosedOnce() async throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/queue"
    let store = try FileMessageStore(path)
    async let failures = Task.detached {
      (0..<20_000).count { _ in
        let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
        return fcntl(file, F_GETFD) < 0 || close(file) < 0
      }
    }.value
    for _ in 0..<2_000 {
      if (try? FileMessageStore(path)) != nil { Issue.record("It was opened twice.") }
    }
    #expect(await failures == 0)
    withExtendedLifetime(store) {}
  }

  /// Adds and removes messages, so that the file is rewritten, with each call failing in turn. What the
  /// store has confirmed is read back, also by a store that is opened later.
  @Test(arguments: [ENOSPC, EIO, EINTR]) func eachFailingCallLosesNothing(_ code: Int32) throws {
    for lasts in [false, true] where !(lasts && code == EINTR) {
      var index = 0
      var hasFailed = true
      while hasFailed {
        let folder = TemporaryFolder()
        let path = "\(folder.path)/queue"
        let faulty = FaultyCalls()
        let context = "call \(index), \(code), \(lasts)"
        var stored: Set<UInt64> = []
        var uncertain: Set<UInt64> = []
        do {
          let calls = faulty.calls(.init(index: index, code: code, lasts: lasts))
          let store = try FileMessageStore(path, calls)
          _ = try store.load()
          for number in 1...7 as ClosedRange<UInt64> {
            if (try? store.append(Self.large(number), number: number)) != nil {
              stored.insert(number)
            }
            guard number > 1, stored.remove(number - 1) != nil else { continue }
            if (try? store.remove(number: number - 1)) == nil { uncertain.insert(number - 1) }
          }
        } catch {}
        hasFailed = !faulty.failed.isEmpty
        index += 1
        guard index < 5_000 else {
          Issue.record("\(context): too many calls")
          return
        }
        let store = try FileMessageStore(path)
        let loaded = try store.load()
        let numbers = Set(loaded.map(\.number))
        #expect(stored.isSubset(of: numbers), "\(context): lost, \(faulty.failed)")
        #expect(numbers.subtracting(stored).isSubset(of: uncertain), "\(context): came back")
        #expect(loaded.allSatisfy { $0.message == Self.large($0.number) }, "\(context): torn")
      }
      #expect(index > 20)
    }
  }

  private static func large(_ number: UInt64) -> TransportMessage {
    TransportMessage(topic: "t", payload: [UInt8](repeating: UInt8(number), count: 12_000))
  }

  /// A full disk fails a rewriting, which is not tried again at each removal.
  @Test func failedRewritingWaits() throws {
    let folder = TemporaryFolder()
    let attempts = Monitor(0)
    var calls = FileCalls.system
    calls.synchronize = { _ throws(SystemError) in
      attempts.withLock { $0 += 1 }
      throw SystemError(ENOSPC)
    }
    let store = try FileMessageStore("\(folder.path)/queue", calls)
    _ = try store.load()
    for number in 1...200 as ClosedRange<UInt64> {
      try store.append(Self.large(number), number: number)
      if number > 1 { try? store.remove(number: number - 1) }
    }
    #expect(attempts.withLock { $0 } <= 6, "the file has 2.4 MB, and is twice as large each time")
    #expect(try folder.names() == ["queue"])
  }

  /// The names next to the file may belong to others.
  @Test func rewritingTouchesNoOtherFile() throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/queue"
    let neighbours = ["queue.new", "queue~", ".queue.new"].map { "\(folder.path)/\($0)" }
    var others: [FileMessageStore] = []
    for neighbour in neighbours {
      let other = try FileMessageStore(neighbour)
      _ = try other.load()
      try other.append(Self.large(7), number: 7)
      others.append(other)
    }
    let store = try FileMessageStore(path)
    _ = try store.load()
    for number in 1...40 as ClosedRange<UInt64> {
      try store.append(Self.large(number), number: number)
      if number > 1 { try store.remove(number: number - 1) }
    }
    #expect(size(path) < 100_000, "it was rewritten")
    others = []
    for neighbour in neighbours { #expect(try FileMessageStore(neighbour).load().count == 1) }
  }

  /// A damaged record, or one of a later version, does not hide the records after it.
  @Test func damagedRecordIsSkipped() throws {
    let folder = TemporaryFolder()
    let path = "\(folder.path)/queue"
    var starts: [Int] = []
    do {
      let store = try FileMessageStore(path)
      _ = try store.load()
      for number in 1...3 as ClosedRange<UInt64> {
        starts.append(size(path))
        try store.append(Self.large(number), number: number)
      }
    }
    let file = open(path, O_WRONLY)
    pwrite(file, [0xFF], 1, off_t(starts[1] + 100))
    close(file)
    var numbers: [UInt64]?
    let log = LogRecorder { numbers = try? FileMessageStore(path).load().map(\.number) }
    #expect(numbers == [1, 3] && log.entries.count == 1)
  }

  @Test func storeHasOneUserAtATime() throws {
    let folder = TemporaryFolder()
    let store = try FileMessageStore("\(folder.path)/queue")
    _ = try store.load()
    #expect(throws: MessageStoreInUse()) { try store.load() }
    try store.append(Self.large(1), number: 1)
    store.close()
    #expect(try store.load().map(\.number) == [1])
  }
}
