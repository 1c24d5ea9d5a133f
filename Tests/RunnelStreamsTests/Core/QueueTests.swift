import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

/// Tests the internal queue through `flatMap(maxConcurrent:)`, which keeps its backlog in one.
@Suite struct QueueTests {
  @Test(arguments: [1, 2, 63, 64, 65, 127, 128, 129, 1000])
  func firstInFirstOut(count: Int) {
    let gate = PushStream<Int>()
    let source = PushStream<EventStream<Int, Never>>()
    let recorder = source.concatMap { $0 }.record()
    source.next(gate.stream)
    for number in 0..<count { source.next(.just(number)) }
    #expect(recorder.elements == [])
    gate.completed()
    #expect(recorder.elements == Array(0..<count))
  }

  /// The queue grows and shrinks at random, across the lengths at which it reallocates.
  @Test func firstInFirstOutWhileItGrowsAndShrinks() {
    for seed in UInt64(1)...20 {
      var random = SeededGenerator(seed: seed)
      var gates: [PushStream<Int>] = []
      var open = 0
      let source = PushStream<PushStream<Int>>()
      let recorder = source.concatMap { $0.stream }.record()
      for _ in 0..<2000 {
        // Alternate phases of growing and shrinking.
        let grows = (gates.count / 300).isMultiple(of: 2) ? 0.6 : 0.45
        if Double.random(in: 0..<1, using: &random) < grows || open == gates.count {
          gates.append(PushStream())
          source.next(gates.last!)
        } else {
          gates[open].next(open)
          gates[open].completed()
          open += 1
        }
      }
      #expect(recorder.elements == Array(0..<open), "seed \(seed)")
    }
  }

  @Test func releasesRemovedElements() {
    let source = PushStream<Captive>()
    let gates = (0..<200).map { _ in PushStream<Int>() }
    var next = 0
    source.concatMap { captive in
      next += 1
      return gates[next - 1].map {
        captive.hold()
        return $0
      }
    }.observeNext { _ in }
    var released = 0
    for _ in 0..<200 { source.next(Captive { released += 1 }) }
    for number in 0..<200 {
      #expect(released == number)
      gates[number].completed()
    }
    #expect(released == 200)
  }
}
