import RunnelStreams
import RunnelTesting
import Testing

@Suite struct FlatMapFirstTests {
  typealias Numbers = EventStream<Int, ContractFailure>
  let source = Subject<Int, ContractFailure>()
  let inner = (0..<4).map { _ in Subject<Int, ContractFailure>() }

  // MARK: - Values

  @Test func ignoresElementsWhileAnInnerStreamRuns() {
    var selected: [Int] = []
    let recorder = source.flatMapFirst { index -> Numbers in
      selected.append(index)
      return inner[index].stream
    }.record()
    source.next(0)
    source.next(1)
    inner[0].next(1)
    inner[0].completed()
    source.next(2)
    inner[2].next(2)
    #expect(recorder.events == [.next(1), .next(2)])
    #expect(selected == [0, 2])
  }

  // MARK: - Reentrancy

  @Test func anElementSentInAnInnerTeardownIsTaken() {
    let recorder = source.flatMapFirst { index -> Numbers in
      guard index == 0 else { return inner[index].stream }
      return .unguarded { observer in
        observer.observation.add { source.next(1) }
        inner[0].start(observer)
      }
    }.record()
    source.next(0)
    inner[0].completed()
    inner[1].next(5)
    #expect(recorder.events == [.next(5)])
  }

  @Test func elementsSentDuringDeliveryAreQueued() {
    var log: [String] = []
    source.flatMapFirst { inner[$0].stream }.observeNext { element in
      log.append("<\(element)")
      if element == 1 {
        inner[0].completed()
        source.next(1)
        inner[1].next(2)
      }
      log.append("\(element)>")
    }
    source.next(0)
    inner[0].next(1)
    inner[1].next(3)
    // The end of the first inner stream is queued behind its element, so that stream is still
    // running at the second source element.
    #expect(log == ["<1", "1>"])
  }
}
