import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct WithLatestFromTests {
  private let source = Subject<Int, ContractFailure>()
  private let letters = Subject<String, ContractFailure>()
  private let flags = Subject<Bool, ContractFailure>()

  private var rows: EventStream<String, ContractFailure> {
    source.withLatestFrom(letters.stream, flags.stream).map { number, letter, flag in
      "\(number)\(letter)\(flag)"
    }
  }

  @Test func addsTheLatestElementsOfTheOthers() {
    let recorder = rows.record()
    source.next(1)
    letters.next("a")
    source.next(2)
    flags.next(true)
    #expect(recorder.events.isEmpty)
    source.next(3)
    letters.next("b")
    letters.next("c")
    source.next(4)
    #expect(recorder.elements == ["3atrue", "4ctrue"])
  }

  @Test func observesTheOthersFirst() {
    let recorder = EventStream<Int, Never>.just(1).withLatestFrom(.just(2)).map { [$0, $1] }
      .record()
    #expect(recorder.events == [.next([1, 2]), .completed])
    let itself = source.withLatestFrom(source.stream).map { [$0, $1] }.record()
    source.next(5)
    #expect(itself.elements == [[5, 5]])
  }

  @Test func ignoresTheCompletionOfTheOthers() {
    let recorder = rows.record()
    letters.next("a")
    flags.next(true)
    letters.completed()
    flags.completed()
    source.next(1)
    source.completed()
    #expect(recorder.events == [.next("1atrue"), .completed])
  }

  @Test func endsWithTheSource() {
    let recorder = rows.record()
    source.completed()
    #expect(recorder.events == [.completed])
    #expect(!letters.isObserved && !flags.isObserved)
  }

  @Test func aFailureOfAnySourceFailsIt() {
    let first = rows.record()
    flags.failed(ContractFailure())
    #expect(first.events == [.failed(ContractFailure())])
    #expect(!source.isObserved && !letters.isObserved)
    let second = source.withLatestFrom(letters.stream).map { $0.0 }.record()
    source.failed(ContractFailure())
    #expect(second.events == [.failed(ContractFailure())])
    #expect(!letters.isObserved)
  }

  @Test func disposalReachesAllSources() {
    let recorder = rows.record()
    recorder.dispose()
    #expect(!source.isObserved && !letters.isObserved && !flags.isObserved)
  }

  @Test func aFailureSentDuringDeliveryIsQueued() {
    var log: [String] = []
    source.withLatestFrom(letters.stream).observe(
      next: { number, _ in
        letters.failed(ContractFailure())
        log.append("\(number)")
      }, failed: { _ in log.append("failed") })
    letters.next("a")
    source.next(1)
    #expect(log == ["1", "failed"])
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      source.withLatestFrom(
        .just(0),
        source.map {
          probe.touch()
          return $0.value
        })
    }
    expectContracts { source, probe in
      source
        .filter { _ in
          probe.touch()
          return true
        }
        .withLatestFrom(.just(0))
    }
  }
}
