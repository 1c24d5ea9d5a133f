import RunnelTesting
import Testing

@testable import RunnelBus

@Suite struct EventStampTests {
  @Test(arguments: seeds(100)) func textOfStampIsReadBack(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let previous = UInt64.random(in: 0..<1 << 61, using: &random)
    let stamp = EventStamp(
      origin: .random(in: .min ... .max, using: &random),
      number: .random(in: previous + 1...1 << 62, using: &random), previous: previous,
      hops: .random(in: 0...255, using: &random))
    #expect(EventStamp(stamp.description) == stamp, "seed \(seed)")
  }

  @Test(arguments: [
    "", "1", "1-2-1", "1-2-1-0-0", "1-2-2-0", "1-1-2-0", "-1-2-1-0", "1-+2-1-0", "1-2--0",
    "g-2-1-0",
    "1-2-1-256", "1-2-1-x", "1-ffffffffffffffff-1-0", "1ffffffffffffffffffffffffffffffff-2-1-0",
    "1-2-1-0\n", " 1-2-1-0",
  ])
  func otherTextIsNoStamp(_ text: String) {
    #expect(EventStamp(text) == nil)
  }

  /// Numbers are larger than all that were received, but a hostile one does not use them up.
  @Test func numbersFollowReceivedOnes() {
    let family = BusFamily()
    let first = family.nextNumber()
    family.note(EventStamp(origin: 1, number: first + 1_000, previous: 0))
    #expect(family.nextNumber() == first + 1_001)
    for _ in 0..<100 {
      family.note(EventStamp(origin: 1, number: EventStamp.largestNumber, previous: 0))
    }
    #expect(family.nextNumber() < EventStamp.largestNumber / 1_000)
  }

  @Test func stampsOfTopicFollowEachOther() {
    let family = BusFamily()
    let identity = BusIdentity(within: nil)
    let one = identity.nextStamp(on: "a", in: family)
    let other = identity.nextStamp(on: "b", in: family)
    let next = identity.nextStamp(on: "a", in: family)
    #expect(one.previous == 0 && other.previous == 0 && next.previous == one.number)
    #expect(one.number < other.number && other.number < next.number)
    // When a topic is forgotten, its next event leaves a gap, in which an earlier one may be late.
    for number in 0..<40_000 { _ = identity.nextStamp(on: "t\(number)", in: family) }
    let late = identity.nextStamp(on: "a", in: family)
    #expect(late.previous == late.number - 1)
  }
}
