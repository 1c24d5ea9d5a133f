import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct DistinctUntilChangedTests {
  struct Item: Equatable {
    let id: Int
    let name: String
  }

  @Test func dropsElementsEqualToThePrevious() {
    let recorder = EventStream<Int, Never>.sequence([1, 1, 2, 2, 2, 1, 1]).distinctUntilChanged()
      .record()
    #expect(recorder.events == [.next(1), .next(2), .next(1), .completed])
  }

  @Test func nilIsAnOrdinaryElement() {
    let recorder = EventStream<Int?, Never>.sequence([nil, nil, 1, nil]).distinctUntilChanged()
      .record()
    #expect(recorder.elements == [nil, 1, nil])
  }

  @Test func comparesByKeyPathAndByClosure() {
    let a = Item(id: 1, name: "a")
    let b = Item(id: 1, name: "b")
    let c = Item(id: 2, name: "b")
    let items = EventStream<Item, Never>.sequence([a, b, c])
    #expect(items.distinctUntilChanged(by: \.id).record().elements == [a, c])
    #expect(items.distinctUntilChanged(by: { $0.name }).record().elements == [a, b])
  }

  @Test func comparesWithTheLastElementSent() {
    let recorder = EventStream<Int, Never>.sequence([0, 1, 2, 3, 4, 9])
      .distinctUntilChanged(comparing: { abs($0 - $1) < 3 })
      .record()
    #expect(recorder.elements == [0, 3, 9])
  }

  @Test func eachObservationStartsEmpty() {
    let stream = EventStream<Int, Never>.sequence([1, 1]).distinctUntilChanged()
    #expect(stream.record().elements == [1])
    #expect(stream.record().elements == [1])
  }

  @Test func failsWithTheErrorThatAClosureThrows() {
    let source = NumberStream.sequence([1, 2, 3])
    let byKey = source.distinctUntilChanged(by: { number throws(ContractFailure) in
      if number == 2 { throw ContractFailure() }
      return number
    })
    #expect(byKey.record().events == [.next(1), .failed(ContractFailure())])
    let comparing = source.distinctUntilChanged(comparing: { _, new throws(ContractFailure) in
      if new == 3 { throw ContractFailure() }
      return false
    })
    #expect(comparing.record().events == [.next(1), .next(2), .failed(ContractFailure())])
  }

  @Test func elementsSentDuringDeliveryAreCompared() {
    let numbers = PushStream<Int>()
    var log: [Int] = []
    numbers.distinctUntilChanged().observeNext { number in
      log.append(number)
      if number < 3 {
        numbers.next(number)
        numbers.next(number + 1)
      }
    }
    numbers.next(1)
    #expect(log == [1, 2, 3])
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in source.distinctUntilChanged() }
    expectContracts { source, probe in
      source.distinctUntilChanged(by: {
        probe.touch()
        return $0.value / 2
      })
    }
    expectContracts { source, probe in
      source.distinctUntilChanged(comparing: {
        probe.touch()
        return $0.value / 2 == $1.value / 2
      })
    }
  }
}
