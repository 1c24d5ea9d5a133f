import RunnelBus
import RunnelFiles
import RunnelTesting
import TestSupport
import Testing

@Suite struct KilledWhileStoringTests {
  /// A process that adds and removes messages is killed many times. The file has each message that was
  /// added and not removed, unchanged, and no other.
  @Test func noMessageIsLostOrTorn() async throws {
    let folder = TemporaryFolder()
    let path = folder["queue"]
    var random = SeededGenerator(seed: 5)
    var stored: Set<UInt64> = []
    var number: UInt64 = 0
    for round in seeds(40) {
      let count = Int.random(in: 1...400, using: &random)
      let lines = await withFixture(["storing", path, "\(number)"]) { fixture in
        var lines: [String] = []
        while lines.count < count, let line = fixture.readLine() { lines.append(line) }
        fixture.send(.kill)
        _ = fixture.wait()
        return lines + fixture.remainingLines()
      }
      var uncertain: Set<UInt64> = []
      for line in lines {
        let words = line.split(separator: " ")
        guard words.count == 2, let changed = UInt64(words[1]) else {
          Issue.record("Round \(round): \(line)")
          return
        }
        switch words[0] {
        case "added":
          stored.insert(changed)
          number = changed
        case "removing":
          stored.remove(changed)
          uncertain.insert(changed)
        default: uncertain.remove(changed)
        }
      }
      // The kill may have come after a message was stored, and before the line.
      uncertain.insert(number + 1)
      let loaded = try FileMessageStore(path).load()
      let numbers = Set(loaded.map(\.number))
      #expect(loaded.map(\.number) == numbers.sorted(), "round \(round)")
      #expect(stored.subtracting(numbers).isEmpty, "round \(round): lost")
      #expect(numbers.subtracting(stored).isSubset(of: uncertain), "round \(round): came back")
      for (number, message) in loaded {
        let payload = [UInt8](repeating: UInt8(number % 251), count: Int(number * 397 % 3_000))
        #expect(
          message
            == TransportMessage(topic: "t.\(number)", payload: payload, isAcknowledged: true),
          "round \(round): torn")
      }
      stored = numbers
      number = max(number, numbers.max() ?? 0)
      // A kill may leave the new file of a rewriting, which the next one replaces.
      let others = try folder.names().filter { $0 != "queue" }
      #expect(
        others.count <= 1 && others.allSatisfy { $0.hasPrefix(".runnel-new-") }, "round \(round)")
    }
  }
}
