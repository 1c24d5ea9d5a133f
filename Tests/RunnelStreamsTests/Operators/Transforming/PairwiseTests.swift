import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct PairwiseTests {
  private func pairs<Failure>(_ stream: EventStream<Int, Failure>) -> Recorder<[Int], Failure> {
    stream.pairwise().map { [$0, $1] }.record()
  }

  @Test func sendsEachElementWithThePrevious() {
    let recorder = pairs(EventStream<Int, Never>.sequence(1...4))
    #expect(recorder.events == [.next([1, 2]), .next([2, 3]), .next([3, 4]), .completed])
  }

  @Test func aSingleElementFormsNoPair() {
    #expect(pairs(EventStream<Int, Never>.just(1)).events == [.completed])
    #expect(pairs(EventStream<Int, Never>.completed).events == [.completed])
  }

  @Test func nilIsAnOrdinaryElement() {
    let source = EventStream<Int?, Never>.sequence([nil, 1, nil])
    #expect(source.pairwise().map { [$0, $1] }.record().elements == [[nil, 1], [1, nil]])
  }

  @Test func passesOnAFailure() {
    let recorder = pairs(EventStream<Int, ContractFailure>.failed(ContractFailure()))
    #expect(recorder.events == [.failed(ContractFailure())])
  }

  @Test func anElementMayCauseTheNext() {
    let numbers = PushStream<Int>()
    var log: [[Int]] = []
    numbers.pairwise().observeNext { before, now in
      log.append([before, now])
      if now < 4 { numbers.next(now + 1) }
    }
    numbers.next(1)
    numbers.next(2)
    #expect(log == [[1, 2], [2, 3], [3, 4]])
  }

  @Test func keepsTheContracts() {
    expectContracts { source, _ in source.pairwise() }
  }
}
