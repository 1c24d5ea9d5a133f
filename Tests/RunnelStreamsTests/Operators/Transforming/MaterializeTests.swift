import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct MaterializeTests {
  typealias Event = StreamEvent<Int, ContractFailure>

  // MARK: - materialize

  @Test func convertsEventsToElementsAndCompletes() {
    let numbers = EventStream<Int, ContractFailure>.sequence([1, 2])
    #expect(
      numbers.materialize().record().events
        == [.next(.next(1)), .next(.next(2)), .next(.completed), .completed])
  }

  @Test func convertsAFailureToAnElement() {
    let numbers = Subject<Int, ContractFailure>()
    let recorder = numbers.materialize().record()
    numbers.next(1)
    numbers.failed(ContractFailure())
    #expect(
      recorder.events == [.next(.next(1)), .next(.failed(ContractFailure())), .completed])
  }

  @Test func disposesTheSourceAfterItsEnd() {
    // The downstream stream outlives the source, which must be disposed at its end.
    let numbers = Subject<Int, ContractFailure>()
    let open = PushStream<Event>()
    var events: [Event] = []
    numbers
      .map { number throws(ContractFailure) in
        if number == 2 { throw ContractFailure() }
        return number
      }
      .materialize()
      .flatMap { event -> EventStream<Event, Never> in
        events.append(event)
        return open.stream
      }
      .observeNext { _ in }
    for number in 1...4 { numbers.next(number) }
    #expect(events == [.next(1), .failed(ContractFailure())])
    #expect(!numbers.isObserved)
    #expect(open.isObserved)
  }

  @Test func disposalInTheLastElementSkipsCompletion() {
    let observation = Disposable()
    var log: [String] = []
    EventStream<Int, ContractFailure>.completed.materialize().start(
      in: observation,
      next: { event in
        log.append("\(event)")
        observation.dispose()
      }, end: { _ in log.append("end") })
    #expect(log == ["completed"])
  }

  @Test func disposesTheSource() {
    let numbers = Subject<Int, ContractFailure>()
    let recorder = numbers.materialize().record()
    recorder.dispose()
    #expect(!numbers.isObserved)
  }

  // MARK: - dematerialize

  @Test func dematerializeConvertsElementsToEvents() {
    let events = EventStream<Event, Never>.sequence([
      .next(1), .failed(ContractFailure()), .next(2),
    ])
    #expect(events.dematerialize().record().events == [.next(1), .failed(ContractFailure())])
    let others = EventStream<Event, Never>.sequence([.next(1), .completed, .next(2)])
    #expect(others.dematerialize().record().events == [.next(1), .completed])
  }

  @Test func dematerializeCompletesWithItsSource() {
    let events = EventStream<Event, Never>.sequence([.next(1)])
    #expect(events.dematerialize().record().events == [.next(1), .completed])
  }

  @Test func dematerializeRevertsMaterialize() {
    let good = EventStream<Int, ContractFailure>.sequence([1, 2])
    #expect(good.materialize().dematerialize().record().events == good.record().events)
    let bad = EventStream<Int, ContractFailure>.failed(ContractFailure())
    #expect(bad.materialize().dematerialize().record().events == bad.record().events)
  }

  @Test func dematerializeStopsAnEndlessSource() {
    let open = Subject<Int, ContractFailure>()
    var sent = 0
    let endless = EventStream<Event, Never>.unguarded { observer in
      while observer.isActive && sent < 1000 {
        sent += 1
        observer.next(sent < 3 ? .next(sent) : .completed)
      }
    }
    let recorder = endless.dematerialize().flatMap { _ in open.stream }.record()
    #expect(sent == 3)
    open.completed()
    #expect(recorder.events == [.completed])
  }

  @Test func dematerializeDisposesItsSource() {
    let events = PushStream<Event>()
    let recorder = events.dematerialize().record()
    recorder.dispose()
    #expect(!events.isObserved)
  }

  // MARK: - Contracts

  @Test func keepTheContracts() {
    expectContracts(.handlesFailure) { source, _ in source.materialize() }
    expectContracts { source, _ in source.materialize().dematerialize() }
  }
}
