import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct TakeLastTests {
  @Test func sendsTheLastElementsAtCompletion() {
    for length in 0...5 {
      for count in 0...6 {
        let recorder = EventStream<Int, Never>.sequence(0..<length).takeLast(count).record()
        #expect(recorder.elements == Array((0..<length).suffix(count)))
        #expect(recorder.isCompleted)
      }
    }
  }

  @Test func aFailureDiscardsTheElements() {
    let numbers = NumberSubject()
    let recorder = numbers.takeLast(2).record()
    numbers.next(1)
    numbers.failed(ContractFailure())
    #expect(recorder.events == [.failed(ContractFailure())])
  }

  @Test func disposalDuringDeliveryStopsIt() {
    var log: [StreamEvent<Int, Never>] = []
    let numbers = PushStream<Int>()
    var observation = Disposable.none
    observation = numbers.takeLast(3).observe { event in
      log.append(event)
      if event == .next(2) { observation.dispose() }
    }
    for number in 1...3 { numbers.next(number) }
    numbers.completed()
    #expect(log == [.next(1), .next(2)])
  }

  @Test func stopsWhenDownstreamHasTakenEnough() {
    let recorder = EventStream<Int, Never>.sequence(1...9).takeLast(5).take(2).record()
    #expect(recorder.events == [.next(5), .next(6), .completed])
  }

  @Test func aNegativeCountTraps() async {
    await #expect(processExitsWith: .failure) { _ = EventStream<Int, Never>.never.takeLast(-1) }
  }

  @Test func keepsTheContracts() {
    for count in [0, 1, 3, 6] {
      expectContracts(.awaitsEnd) { source, probe in source.takeLast(count) }
    }
  }
}
