import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct SkipTests {
  @Test func dropsTheFirstElements() {
    for length in 0...5 {
      for count in 0...6 {
        let recorder = EventStream<Int, Never>.sequence(0..<length).skip(count).record()
        #expect(recorder.elements == Array((0..<length).dropFirst(count)))
        #expect(recorder.isCompleted)
      }
    }
  }

  @Test func passesOnAFailureWhileSkipping() {
    let recorder = NumberStream.failed(ContractFailure()).skip(3).record()
    #expect(recorder.events == [.failed(ContractFailure())])
  }

  @Test func countsElementsThatItsObserverSends() {
    let numbers = PushStream<Int>()
    var log: [Int] = []
    numbers.skip(1).observeNext { number in
      log.append(number)
      if number < 4 { numbers.next(number + 1) }
    }
    numbers.next(1)
    numbers.next(2)
    #expect(log == [2, 3, 4])
  }

  @Test func aNegativeCountTraps() async {
    await #expect(processExitsWith: .failure) { _ = EventStream<Int, Never>.never.skip(-1) }
  }

  @Test func keepsTheContracts() {
    for count in [0, 1, 3, 6] {
      expectContracts { source, probe in source.skip(count) }
    }
  }
}
