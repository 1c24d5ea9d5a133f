import Glibc
import RunnelBus
import RunnelFiles
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
}
