import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct IgnoreElementsTests {
  @Test func passesOnlyTheEnd() {
    let nothing: EventStream<Never, Never> = EventStream<Int, Never>.sequence(1...3)
      .ignoreElements()
    #expect(nothing.record().isCompleted)
    let failing = EventStream<Int, ContractFailure>.failed(ContractFailure()).ignoreElements()
    #expect(failing.record().failure == ContractFailure())
  }

  @Test func infersItsElementTypeFromContext() {
    let first = EventStream<Int, Never>.sequence(1...3)
    let recorder = first.ignoreElements(as: String.self).append(.just("done")).record()
    #expect(recorder.events == [.next("done"), .completed])
  }

  @Test func disposesTheSource() {
    let numbers = PushStream<Int>()
    let recorder = numbers.ignoreElements().record()
    recorder.dispose()
    #expect(!numbers.isObserved)
  }

  @Test func keepsTheContracts() {
    expectContracts(.awaitsEnd) { source, _ in source.ignoreElements() }
    expectContracts(.awaitsEnd) { source, _ in source.ignoreElements(as: Int.self) }
  }
}
