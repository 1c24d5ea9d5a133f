import RunnelTesting
import StreamTestSupport
import Testing

@testable import RunnelStreams

@Suite struct FlatMapLatestTests {
  typealias Numbers = EventStream<Int, ContractFailure>
  let source = Subject<Int, ContractFailure>()
  let inner = (0..<4).map { _ in Subject<Int, ContractFailure>() }
  let log = InnerStreams.Log()

  // MARK: - Values

  @Test func sendsElementsOfTheLatestInnerStream() {
    let recorder = source.flatMapLatest { inner[$0].stream }.record()
    source.next(0)
    inner[0].next(1)
    source.next(1)
    inner[0].next(2)
    inner[1].next(3)
    #expect(recorder.events == [.next(1), .next(3)])
    #expect(!inner[0].isObserved)
  }

  @Test func selectsBeforeItDisposesAndObserves() {
    let recorder = source.flatMapLatest { index -> Numbers in
      log.lines.append("select \(index)")
      return InnerStreams.logged("\(index)", log, inner[index].stream)
    }.record()
    source.next(0)
    source.next(1)
    #expect(log.lines == ["select 0", "+0", "select 1", "-0", "+1"])
    #expect(recorder.events == [])
  }

  @Test func theOldStreamMaySendDuringSelection() {
    let recorder = source.flatMapLatest { index -> Numbers in
      inner[0].next(index)
      return inner[index].stream
    }.record()
    source.next(0)
    source.next(1)
    #expect(recorder.events == [.next(1)])
  }

  // MARK: - Failure

  @Test func aFailureOfAReplacedStreamIsIgnored() {
    let recorder = source.flatMapLatest { inner[$0].stream }.record()
    source.next(0)
    source.next(1)
    inner[0].failed(ContractFailure())
    inner[1].next(1)
    #expect(recorder.events == [.next(1)])
  }

  // MARK: - Disposal

  @Test func disposalInTheOldTeardownSkipsTheNewStream() {
    let observation = Disposable()
    source.flatMapLatest { index -> Numbers in
      .unguarded { observer in
        log.lines.append("+\(index)")
        observer.observation.add { observation.dispose() }
      }
    }.start(in: observation, next: { _ in }, end: { _ in })
    source.next(0)
    source.next(1)
    #expect(log.lines == ["+0"])
    #expect(!source.isObserved)
  }

  @Test func replacedStreamsAreReleased() {
    let census = Counted.Census()
    let recorder = source.flatMapLatest { index -> Numbers in
      let held = Counted(census)
      return .unguarded { observer in
        observer.observation.add { withExtendedLifetime(held) {} }
        if index % 3 == 0 { observer.completed() }
      }
    }.record()
    for index in 1...10_000 {
      source.next(index)
      if census.alive > 1 { Issue.record("\(census.alive) inner streams are alive") }
    }
    recorder.dispose()
    #expect(census.alive == 0)
  }

  // MARK: - Reentrancy

  @Test func elementsSentDuringDeliveryAreQueued() {
    let other = Subject<Int, ContractFailure>()
    var log: [String] = []
    source.flatMapLatest { $0 == 0 ? inner[0].stream : other.stream }.observeNext { element in
      log.append("<\(element)")
      if element == 1 {
        source.next(1)
        other.next(2)
        inner[0].next(9)
      }
      log.append("\(element)>")
    }
    source.next(0)
    inner[0].next(1)
    #expect(log == ["<1", "1>", "<2", "2>"])
  }

  // MARK: - Contracts

  @Test func keepsTheContractsWithEndlessInnerStreams() {
    expectContracts(.outlivesSource) { source, probe in
      source.flatMapLatest { _ -> EventStream<Int, ContractFailure> in
        probe.touch()
        return .never
      }
    }
  }
}
