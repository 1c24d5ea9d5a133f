import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct StreamsOfStreamsTests {
  typealias Numbers = EventStream<Int, ContractFailure>
  let source = Subject<Numbers, ContractFailure>()
  let inner = (0..<3).map { _ in Subject<Int, ContractFailure>() }

  private func play() {
    source.next(inner[0].stream)
    inner[0].next(1)
    source.next(inner[1].stream)
    inner[0].next(2)
    inner[1].next(3)
    source.completed()
    inner[0].completed()
    inner[1].next(4)
    inner[1].completed()
  }

  // MARK: - Values and completion

  @Test func switchLatestSendsElementsOfTheLatest() {
    let recorder = source.switchLatest().record()
    play()
    #expect(recorder.events == [.next(1), .next(3), .next(4), .completed])
  }

  @Test func anEmptyStreamOfStreamsCompletes() {
    let empty = EventStream<Numbers, ContractFailure>.completed
    #expect(empty.switchLatest().record().events == [.completed])
    #expect(empty.merged().record().events == [.completed])
    #expect(empty.merged(maxConcurrent: 1).record().events == [.completed])
    #expect(empty.concatenated().record().events == [.completed])
  }

  @Test func mergedSendsElementsOfAllStreams() {
    let recorder = source.merged().record()
    play()
    #expect(recorder.events == [.next(1), .next(2), .next(3), .next(4), .completed])
  }

  @Test func mergedWithALimitQueuesTheOthers() {
    let recorder = source.merged(maxConcurrent: 1).record()
    play()
    #expect(recorder.events == [.next(1), .next(2), .next(4), .completed])
  }

  @Test func concatenatedSendsOneStreamAfterAnother() {
    let recorder = source.concatenated().record()
    play()
    #expect(recorder.events == [.next(1), .next(2), .next(4), .completed])
  }

  // MARK: - Failure and disposal

  @Test func aFailureOfEitherStreamFailsIt() {
    let first = source.switchLatest().record()
    let second = source.merged().record()
    source.next(inner[0].stream)
    inner[0].failed(ContractFailure())
    #expect(first.events == [.failed(ContractFailure())])
    #expect(second.events == [.failed(ContractFailure())])
    let third = source.concatenated().record()
    source.failed(ContractFailure())
    #expect(third.events == [.failed(ContractFailure())])
  }

  @Test func disposalReachesAllStreams() {
    let recorders = [source.switchLatest().record(), source.merged().record()]
    source.next(inner[0].stream)
    for recorder in recorders { recorder.dispose() }
    #expect(!source.isObserved)
    #expect(!inner[0].isObserved)
  }

  @Test func aLimitBelowOneTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = EventStream<EventStream<Int, Never>, Never>.never.merged(maxConcurrent: 0)
    }
  }

  // MARK: - Contracts

  @Test func keepTheContracts() {
    expectContracts { source, _ in source.map { .just($0) }.switchLatest() }
    expectContracts { source, _ in source.map { .just($0) }.merged() }
    expectContracts { source, _ in source.map { .just($0) }.merged(maxConcurrent: 2) }
    expectContracts { source, _ in source.map { .just($0) }.concatenated() }
  }
}
