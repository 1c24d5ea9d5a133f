import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct StartWithTests {
  @Test func sendsTheElementsFirst() {
    let recorder = EventStream<Int, Never>.sequence([1, 2]).startWith(8, 9).record()
    #expect(recorder.events == [.next(8), .next(9), .next(1), .next(2), .completed])
  }

  @Test func passesOnTheEnd() {
    #expect(
      EventStream<Int, ContractFailure>.failed(ContractFailure()).startWith(1).record().events
        == [.next(1), .failed(ContractFailure())])
  }

  @Test func disposalInAnElementSkipsTheSource() {
    var wasObserved = false
    let observation = Disposable()
    EventStream<Int, Never>
      .deferred {
        wasObserved = true
        return .never
      }
      .startWith(1, 2)
      .start(in: observation, next: { _ in observation.dispose() }, end: { _ in })
    #expect(!wasObserved)
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      source
        .filter { _ in
          probe.touch()
          return true
        }
        .startWith(ContractElement(-1), ContractElement(0))
    }
  }
}
