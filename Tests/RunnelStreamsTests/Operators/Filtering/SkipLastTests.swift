import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct SkipLastTests {
  @Test func dropsTheLastElements() {
    for length in 0...5 {
      for count in 0...6 {
        let recorder = EventStream<Int, Never>.sequence(0..<length).skipLast(count).record()
        #expect(recorder.elements == Array((0..<length).dropLast(count)))
        #expect(recorder.isCompleted)
      }
    }
  }

  @Test func sendsAnElementAsSoonAsPossible() {
    let numbers = NumberSubject()
    let recorder = numbers.skipLast(1).record()
    numbers.next(1)
    #expect(recorder.events.isEmpty)
    numbers.next(2)
    #expect(recorder.events == [.next(1)])
    numbers.failed(ContractFailure())
    #expect(recorder.events == [.next(1), .failed(ContractFailure())])
  }

  @Test func nilIsAnOrdinaryElement() {
    let recorder = EventStream<Int?, Never>.sequence([nil, nil, 1]).skipLast(1).record()
    #expect(recorder.elements == [nil, nil])
  }

  @Test func aNegativeCountTraps() async {
    await #expect(processExitsWith: .failure) { _ = EventStream<Int, Never>.never.skipLast(-1) }
  }

  @Test func keepsTheContracts() {
    for count in [0, 1, 3, 6] {
      expectContracts { source, probe in source.skipLast(count) }
    }
  }
}
