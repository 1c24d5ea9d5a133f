import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct EndedTests {
  @Test func completedCompletes() {
    #expect(EventStream<Int, Never>.completed.record().events == [.completed])
  }

  @Test func failedFails() {
    let stream = EventStream<Int, ContractFailure>.failed(ContractFailure())
    #expect(stream.record().events == [.failed(ContractFailure())])
  }

  @Test func neverSendsNothingAndRetainsNothing() {
    var wasReleased = false
    var events: [StreamEvent<Int, Never>] = []
    var observation: Disposable?
    do {
      let captive = Captive { wasReleased = true }
      observation = EventStream<Int, Never>.never.observe {
        captive.hold()
        events.append($0)
      }
    }
    #expect(events == [])
    #expect(wasReleased)
    #expect(observation?.isDisposed == false)
  }

  @Test func aDisposedObservationGetsNoEnd() {
    for stream in [EventStream<Int, ContractFailure>.completed, .failed(ContractFailure())] {
      let observation = Disposable()
      observation.dispose()
      stream.start(
        in: observation, next: { _ in }, end: { _ in Issue.record("not reached") })
    }
  }
}
