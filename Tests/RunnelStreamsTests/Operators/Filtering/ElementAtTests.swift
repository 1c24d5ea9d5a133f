import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct ElementAtTests {
  @Test func sendsTheElementAtTheIndex() {
    let letters = EventStream<String, Never>.sequence(["a", "b", "c"])
    #expect(letters.element(at: 0).record().events == [.next("a"), .completed])
    #expect(letters.element(at: 2).record().events == [.next("c"), .completed])
  }

  @Test func completesEmptyWithTooFewElements() {
    #expect(NumberStream.just(1).element(at: 1).record().events == [.completed])
  }

  @Test func disposesTheSourceAfterTheElement() {
    #expect(EventStream<Int, Never>.sequence(0...).element(at: 3).record().elements == [3])
    let numbers = NumberSubject()
    let recorder = numbers.element(at: 1).record()
    numbers.next(1)
    numbers.failed(ContractFailure())
    #expect(recorder.events == [.failed(ContractFailure())])
  }

  @Test func aNegativeIndexTraps() async {
    await #expect(processExitsWith: .failure) { _ = EventStream<Int, Never>.never.element(at: -1) }
  }

  @Test func keepsTheContracts() {
    for index in [0, 2, 5] {
      expectContracts { source, probe in source.element(at: index).stream }
    }
  }
}
