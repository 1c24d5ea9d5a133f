import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct AmbTests {
  private let a = Subject<Int, ContractFailure>()
  private let b = Subject<Int, ContractFailure>()
  private let c = Subject<Int, ContractFailure>()

  private var first: EventStream<Int, ContractFailure> {
    .amb(a.stream, b.stream, c.stream)
  }

  @Test func mirrorsTheStreamThatSendsFirst() {
    let recorder = first.record()
    b.next(1)
    a.next(9)
    b.next(2)
    c.failed(ContractFailure())
    b.completed()
    #expect(recorder.events == [.next(1), .next(2), .completed])
  }

  @Test func disposesTheLosersBeforeItSends() {
    var wereObserved: [Bool] = []
    first.observeNext { _ in wereObserved += [a.isObserved, b.isObserved, c.isObserved] }
    b.next(1)
    #expect(wereObserved == [false, true, false])
  }

  @Test func aSynchronousStreamWinsBeforeTheNext() {
    let recorder = EventStream.amb([.just(1), a.stream]).record()
    #expect(recorder.events == [.next(1), .completed])
    #expect(!a.isObserved)
  }

  @Test func anEmptyListNeverSends() {
    #expect(EventStream<Int, Never>.amb().record().events.isEmpty)
    #expect(EventStream<Int, Never>.amb([]).record().events.isEmpty)
  }

  @Test func aCompletionWins() {
    let recorder = first.record()
    c.completed()
    #expect(recorder.events == [.completed])
    #expect(!a.isObserved && !b.isObserved)
  }

  @Test func aFailureWins() {
    let recorder = first.record()
    a.failed(ContractFailure())
    #expect(recorder.events == [.failed(ContractFailure())])
    #expect(!b.isObserved && !c.isObserved)
  }

  @Test func disposalReachesContendersAndWinner() {
    let early = first.record()
    early.dispose()
    #expect(!a.isObserved && !b.isObserved && !c.isObserved)
    let late = first.record()
    b.next(1)
    late.dispose()
    #expect(!b.isObserved)
  }

  @Test func anElementOfADisposedLoserIsDropped() {
    let loser = EventStream<Int, ContractFailure> { observer in
      Disposable { observer.next(9) }
    }
    let recorder = EventStream.amb(loser, a.stream).record()
    a.next(1)
    #expect(recorder.elements == [1])
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      .amb(
        .never,
        source.filter { _ in
          probe.touch()
          return true
        }, source)
    }
  }
}
