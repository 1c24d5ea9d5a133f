import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct MergeTests {
  private let a = Subject<Int, ContractFailure>()
  private let b = Subject<Int, ContractFailure>()

  @Test func sendsElementsInOrderOfArrival() {
    let recorder = EventStream.merge(a.stream, b.stream).record()
    a.next(1)
    b.next(2)
    a.next(3)
    #expect(recorder.elements == [1, 2, 3])
  }

  @Test func takesASequence() {
    let recorder = EventStream<Int, Never>.merge((1...3).lazy.map { .just($0) }).record()
    #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
  }

  @Test func observesAtMostTheLimit() {
    let c = Subject<Int, ContractFailure>()
    let recorder = EventStream.merge(maxConcurrent: 2, a.stream, b.stream, c.stream).record()
    #expect(!c.isObserved)
    a.next(1)
    c.next(9)
    b.completed()
    #expect(c.isObserved)
    c.next(2)
    c.completed()
    a.completed()
    #expect(recorder.events == [.next(1), .next(2), .completed])
  }

  @Test func aLimitOfOneConcatenates() {
    let recorder = EventStream<Int, Never>
      .merge(maxConcurrent: 1, (0..<100_000).lazy.map { .just($0) }).record()
    #expect(recorder.elements == Array(0..<100_000))
    #expect(recorder.isCompleted)
  }

  @Test func completesAfterAllSources() {
    let recorder = EventStream.merge(a.stream, b.stream).record()
    a.completed()
    #expect(recorder.events.isEmpty)
    b.completed()
    #expect(recorder.events == [.completed])
  }

  @Test func anEmptyListCompletes() {
    #expect(EventStream<Int, Never>.merge().record().events == [.completed])
    #expect(EventStream<Int, Never>.merge([]).record().events == [.completed])
  }

  @Test func aFailureDisposesTheOtherSources() {
    let recorder = EventStream.merge(a.stream, b.stream).record()
    b.next(1)
    a.failed(ContractFailure())
    #expect(!b.isObserved)
    b.next(2)
    #expect(recorder.events == [.next(1), .failed(ContractFailure())])
  }

  @Test func disposalReachesAllSources() {
    let recorder = EventStream.merge(a.stream, b.stream).record()
    recorder.dispose()
    #expect(!a.isObserved && !b.isObserved)
  }

  @Test func elementsSentDuringDeliveryAreQueued() {
    var log: [Int] = []
    EventStream.merge(a.stream, b.stream).observeNext { element in
      if element == 1 { b.next(2) }
      log.append(element)
    }
    a.next(1)
    #expect(log == [1, 2])
  }

  @Test func trapsOnALimitBelowOne() async {
    await #expect(processExitsWith: .failure) {
      _ = EventStream<Int, Never>.merge(maxConcurrent: 0, .just(1))
    }
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      .merge(
        source,
        source.filter { _ in
          probe.touch()
          return true
        })
    }
    expectContracts { source, probe in
      .merge(
        maxConcurrent: 1,
        [
          source.filter { _ in
            probe.touch()
            return true
          }, source,
        ])
    }
  }
}
