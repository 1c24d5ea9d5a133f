import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct WeakFormsTests {
  typealias Numbers = EventStream<Int, ContractFailure>
  typealias Select = (Service, Int) throws(ContractFailure) -> Numbers

  final class Service {
    let factor = 10

    func load(_ number: Int) throws(ContractFailure) -> Numbers {
      if number < 0 { throw ContractFailure() }
      return .just(number * factor)
    }
  }

  let source = Subject<Int, ContractFailure>()

  @Test func matchesTheExampleOfTheArticle() {
    let service = Service()
    let recorder = source.flatMap(weak: service) { service, number in
      .just(number * service.factor)
    }.record()
    source.next(1)
    #expect(recorder.events == [.next(10)])
  }

  @Test(arguments: FlatteningOperator.allCases)
  func innerStreamsAreEmptyAfterTheRelease(_ operation: FlatteningOperator) {
    var service: Service? = Service()
    weak let witness = service
    let recorder = source.flattened(by: operation, weak: service ?? Service()) {
      (service, number) throws(ContractFailure) in try service.load(number)
    }.record()
    source.next(1)
    service = nil
    #expect(witness == nil)
    source.next(2)
    source.completed()
    #expect(recorder.events == [.next(10), .completed])
  }

  @Test func flatMapLatestDisposesTheOldStreamAfterRelease() {
    let inner = Subject<Int, ContractFailure>()
    var service: Service? = Service()
    let recorder = source.flatMapLatest(weak: service ?? Service()) { _, _ in inner.stream }
      .record()
    source.next(1)
    #expect(inner.isObserved)
    service = nil
    source.next(2)
    #expect(!inner.isObserved)
    #expect(recorder.events == [])
    _ = service
  }

  @Test(arguments: FlatteningOperator.allCases)
  func anErrorThrownByTheClosureFailsIt(_ operation: FlatteningOperator) {
    let service = Service()
    let recorder = source.flattened(by: operation, weak: service) {
      (service, number) throws(ContractFailure) in try service.load(number)
    }.record()
    source.next(-1)
    #expect(recorder.events == [.failed(ContractFailure())])
    withExtendedLifetime(service) {}
  }

  @Test func mapDropsElementsAfterTheRelease() {
    var service: Service? = Service()
    weak let witness = service
    let recorder = source.map(weak: service ?? Service()) { service, number in
      number * service.factor
    }.record()
    source.next(1)
    service = nil
    #expect(witness == nil)
    source.next(2)
    source.completed()
    #expect(recorder.events == [.next(10), .completed])
  }

  @Test func mapPreservesOptionalResults() {
    let service = Service()
    let recorder = source.map(weak: service) { _, number -> Int? in number > 1 ? number : nil }
      .record()
    source.next(1)
    source.next(2)
    #expect(recorder.events == [.next(nil), .next(2)])
    withExtendedLifetime(service) {}
  }

  @Test func compactMapDropsNilAndAllAfterTheRelease() {
    var service: Service? = Service()
    let recorder = source.compactMap(weak: service ?? Service()) { service, number in
      number > 1 ? number * service.factor : nil
    }.record()
    source.next(1)
    source.next(2)
    service = nil
    source.next(3)
    source.completed()
    #expect(recorder.events == [.next(20), .completed])
    _ = service
  }

  @Test func errorsThrownByMapAndCompactMapFailThem() {
    let service = Service()
    let failing = EventStream<Int, ContractFailure>.just(1)
    let mapped = failing.map(weak: service) { _, _ throws(ContractFailure) -> Int in
      throw ContractFailure()
    }
    let compacted = failing.compactMap(weak: service) { _, _ throws(ContractFailure) -> Int? in
      throw ContractFailure()
    }
    #expect(mapped.record().events == [.failed(ContractFailure())])
    #expect(compacted.record().events == [.failed(ContractFailure())])
    withExtendedLifetime(service) {}
  }

  @Test func mapAndCompactMapKeepTheContracts() {
    expectContracts { source, probe in
      source.map(weak: probe.scheduler) { _, element in
        probe.touch()
        return element
      }
    }
    expectContracts { source, probe in
      source.compactMap(weak: probe.scheduler) { _, element in
        probe.touch()
        return element
      }
    }
  }

  @Test func aLimitBelowOneTraps() async {
    await #expect(processExitsWith: .failure) {
      let service = Service()
      _ = Numbers.never.flatMap(maxConcurrent: 0, weak: service) { _, _ in Numbers.never }
    }
  }

  @Test(arguments: FlatteningOperator.allCases)
  func keepsTheContracts(_ operation: FlatteningOperator) {
    expectContracts { source, probe in
      source.flattened(by: operation, weak: probe.scheduler) { _, element throws(ContractFailure) in
        probe.touch()
        return .just(element)
      }
    }
  }
}
