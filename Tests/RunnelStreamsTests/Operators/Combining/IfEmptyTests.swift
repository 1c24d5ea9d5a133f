import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct IfEmptyTests {
  @Test func sendsADefaultElement() {
    #expect(
      EventStream<Int, Never>.completed.ifEmpty(default: 0).record().events
        == [.next(0), .completed])
  }

  @Test func switchesToAnotherStream() {
    let other = EventStream<Int, Never>.sequence([1, 2])
    #expect(
      EventStream<Int, Never>.completed.ifEmpty(switchTo: other).record().events
        == [.next(1), .next(2), .completed])
  }

  @Test func completesIfTheOtherStreamIsEmpty() {
    #expect(
      EventStream<Int, Never>.completed.ifEmpty(switchTo: .completed).record().events
        == [.completed])
  }

  @Test func passesOnAStreamWithElements() {
    let source = EventStream<Int, Never>.just(1)
    #expect(source.ifEmpty(default: 0).record().events == [.next(1), .completed])
    #expect(source.ifEmpty(switchTo: .just(0)).record().events == [.next(1), .completed])
  }

  @Test func eachObservationChecksForItself() {
    let source = PushStream<Int>()
    let stream = source.ifEmpty(default: 0)
    let first = stream.record()
    source.next(1)
    let second = stream.record()
    source.completed()
    #expect(first.events == [.next(1), .completed])
    #expect(second.events == [.next(0), .completed])
  }

  @Test func passesOnAFailure() {
    let source = EventStream<Int, ContractFailure>.failed(ContractFailure())
    #expect(source.ifEmpty(default: 0).record().events == [.failed(ContractFailure())])
    #expect(source.ifEmpty(switchTo: .just(0)).record().events == [.failed(ContractFailure())])
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      source
        .filter { _ in
          probe.touch()
          return false
        }
        .ifEmpty(default: ContractElement(0))
    }
    expectContracts(.outlivesSource) { source, probe in
      source
        .filter { _ in
          probe.touch()
          return false
        }
        .ifEmpty(switchTo: source)
    }
  }
}
