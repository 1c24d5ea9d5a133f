import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct SingleElementTests {
  @Test func sendsTheOnlyElementAtCompletion() {
    let numbers = PushStream<Int>()
    let recorder = numbers.single().record()
    numbers.next(1)
    #expect(recorder.events.isEmpty)
    numbers.completed()
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test func failsWithoutAnElement() {
    #expect(EventStream<Int, Never>.completed.single().record().events == [.failed(.none)])
  }

  @Test func failsAtTheSecondElement() {
    #expect(EventStream<Int, Never>.sequence(1...).single().record().events == [.failed(.several)])
  }

  @Test func mapsTheErrorToTheSourcesFailureType() {
    enum QueryError: Error, Equatable {
      case offline
      case count(ElementCountError)
    }
    let rows = Subject<Int, QueryError>()
    let single = rows.single(otherwise: QueryError.count)
    let offline = single.record()
    rows.failed(.offline)
    #expect(offline.events == [.failed(.offline)])
    let none = EventStream<Int, QueryError>.completed.single(otherwise: QueryError.count)
    #expect(none.record().events == [.failed(.count(.none))])
    let two = EventStream<Int, QueryError>.sequence(1...2).single(otherwise: QueryError.count)
    #expect(two.record().events == [.failed(.count(.several))])
  }

  @Test func theErrorsSuggestAnOperator() {
    #expect("\(ElementCountError.none)".contains("ifEmpty"))
    #expect("\(ElementCountError.several)".contains("take(1)"))
  }

  @Test func elementsSentDuringTheEndAreDropped() {
    let numbers = PushStream<Int>()
    var log: [StreamEvent<Int, ElementCountError>] = []
    numbers.single().stream.observe { event in
      log.append(event)
      numbers.next(9)
    }
    numbers.next(1)
    numbers.next(2)
    #expect(log == [.failed(.several)])
    #expect(!numbers.isObserved)
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      source.single(otherwise: { _ in
        probe.touch()
        return ContractFailure()
      }).stream
    }
    expectContracts(.awaitsEnd) { source, probe in
      source.filter { $0.value == 3 }.single(otherwise: { _ in
        probe.touch()
        return ContractFailure()
      }).stream
    }
  }
}
