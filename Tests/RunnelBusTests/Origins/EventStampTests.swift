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
    let numbers = [String(stamp.origin, radix: 16), String(stamp.number, radix: 16)]
    #expect(stamp.description.split(separator: "-").prefix(2).map { "\($0)" } == numbers)
  }

  @Test func textOfStampIsHexadecimal() {
    #expect(EventStamp(origin: 0, number: 1, previous: 0).description == "0-1-0-0")
    let stamp = EventStamp(origin: 0x5A0, number: 0x1F, previous: 16, hops: 12)
    #expect(stamp.description == "5a0-1f-10-12" && EventStamp("5A0-1F-010-12") == stamp)
  }

  @Test func numberOfStampHasALimit() {
    #expect(EventStamp("1-4000000000000000-0-0")?.number == EventStamp.largestNumber)
    #expect(EventStamp("1-4000000000000001-0-0") == nil)
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

  /// Numbers follow the clock and all that were received, but a hostile one does not use them up.
  @Test func numbersFollowClockAndReceivedOnes() {
    var time: UInt64 = 1_000
    let inputs = StampInputs(clock: { time }, makeIdentity: { 7 })
    let family = BusFamily(inputs)
    let identity = BusIdentity(within: nil, inputs)
    func next() -> UInt64 { family.nextStamp(of: identity, on: "a").number }
    #expect(next() == 1_000)
    #expect(next() == 1_001)
    time = 5_000
    #expect(next() == 5_000)
    family.note(EventStamp(origin: 1, number: 8_000, previous: 0))
    #expect(next() == 8_001)
    // The clock is set back.
    time = 10
    #expect(next() == 8_002)
    let hostile = EventStamp(origin: 1, number: EventStamp.largestNumber, previous: 0)
    #expect(!family.isCredible(hostile))
    for _ in 0..<100 { family.note(hostile) }
    let number = next()
    #expect(number < EventStamp.largestNumber / 1_000)
    // A later event is credible for others as soon as their clocks are this far.
    time += 10
    #expect(family.isCredible(EventStamp(origin: 2, number: number, previous: 0)))
  }

  @Test func stampsOfTopicFollowEachOther() {
    let family = BusFamily(.system)
    let identity = BusIdentity(within: nil, .system)
    let one = family.nextStamp(of: identity, on: "a")
    let other = family.nextStamp(of: identity, on: "b")
    let next = family.nextStamp(of: identity, on: "a")
    #expect(one.previous == 0 && other.previous == 0 && next.previous == one.number)
    #expect(one.number < other.number && other.number < next.number)
    // When a topic is forgotten, its next event leaves a gap, in which an earlier one may be late.
    for number in 0..<40_000 { _ = family.nextStamp(of: identity, on: "t\(number)") }
    let late = family.nextStamp(of: identity, on: "a")
    #expect(late.previous == late.number - 1)
  }
}
