import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct ConcatTests {
  private let a = Subject<Int, ContractFailure>()
  private let b = Subject<Int, ContractFailure>()

  @Test func observesEachSourceAfterThePrevious() {
    let recorder = EventStream.concat(a.stream, b.stream).record()
    a.next(1)
    b.next(9)
    #expect(!b.isObserved)
    a.completed()
    #expect(b.isObserved)
    b.next(2)
    b.completed()
    #expect(recorder.events == [.next(1), .next(2), .completed])
  }

  @Test func appendsToAStream() {
    let recorder = EventStream<Int, Never>.just(1).append(.sequence([2, 3])).record()
    #expect(recorder.events == [.next(1), .next(2), .next(3), .completed])
  }

  @Test func manySynchronousStreamsDoNotRecurse() {
    let recorder = EventStream<Int, Never>.concat((0..<100_000).lazy.map { .just($0) }).record()
    #expect(recorder.elements == Array(0..<100_000))
    #expect(recorder.isCompleted)
  }

  @Test func anEndlessSequenceStopsOnDisposal() {
    let observation = Disposable()
    var log: [Int] = []
    EventStream<Int, Never>.concat((1...).lazy.map { .just($0) }).start(
      in: observation,
      next: {
        log.append($0)
        if log.count == 3 { observation.dispose() }
      }, end: { _ in })
    #expect(log == [1, 2, 3])
  }

  @Test func anEmptyListCompletes() {
    #expect(EventStream<Int, Never>.concat().record().events == [.completed])
    #expect(EventStream<Int, Never>.concat([]).record().events == [.completed])
  }

  @Test func aFailureFailsIt() {
    let recorder = EventStream.concat(a.stream, b.stream).record()
    a.failed(ContractFailure())
    #expect(recorder.events == [.failed(ContractFailure())])
    #expect(!b.isObserved)
  }

  @Test func disposalReachesTheRunningSource() {
    let recorder = EventStream.concat(a.stream, b.stream).record()
    a.completed()
    recorder.dispose()
    #expect(!b.isObserved)
  }

  /// C5, C9: the captures of a finished stream are released while the next stream runs.
  @Test(arguments: ["append", "concat", "array", "slice", "andThen"])
  func aFinishedStreamIsReleased(_ form: String) {
    var releases = 0
    func finished() -> EventStream<Int, Never> {
      let captive = Captive { releases += 1 }
      return EventStream.just(1).map { element in
        captive.hold()
        return element
      }
    }
    func stream() -> EventStream<Int, Never> {
      switch form {
      case "append": finished().append(.never)
      case "concat": .concat(finished(), .never)
      case "array": .concat([finished(), .never])
      case "slice": .concat([.never, finished(), .never].dropFirst())
      default: Completable(finished().ignoreElements(as: Never.self)).andThen(.never)
      }
    }
    let observation = stream().observeNext { _ in }
    #expect(releases == 1)
    #expect(!observation.isDisposed)
    observation.dispose()
  }

  @Test func keepsTheContracts() {
    expectContracts(.outlivesSource) { source, probe in
      .concat(
        source,
        source.filter { _ in
          probe.touch()
          return true
        })
    }
    expectContracts(.outlivesSource) { source, probe in
      source
        .filter { _ in
          probe.touch()
          return true
        }
        .append(source)
    }
  }
}
