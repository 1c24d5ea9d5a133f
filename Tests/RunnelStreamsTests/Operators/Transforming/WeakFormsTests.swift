import RunnelStreams
import RunnelTesting
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

  /// A flattening operator with a weak object.
  enum Form: CaseIterable {
    case flatMap, flatMapMaxConcurrent, flatMapFirst, flatMapLatest, concatMap

    func apply<Object: AnyObject, Element, Output, Failure: Error>(
      _ source: EventStream<Element, Failure>, _ object: Object,
      _ select: @escaping (Object, Element) throws(Failure) -> EventStream<Output, Failure>
    ) -> EventStream<Output, Failure> {
      switch self {
      case .flatMap: source.flatMap(weak: object, select)
      case .flatMapMaxConcurrent: source.flatMap(maxConcurrent: 2, weak: object, select)
      case .flatMapFirst: source.flatMapFirst(weak: object, select)
      case .flatMapLatest: source.flatMapLatest(weak: object, select)
      case .concatMap: source.concatMap(weak: object, select)
      }
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

  @Test(arguments: Form.allCases)
  func innerStreamsAreEmptyAfterTheRelease(form: Form) {
    var service: Service? = Service()
    weak let witness = service
    let recorder = form.apply(source.stream, service ?? Service()) {
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

  @Test(arguments: Form.allCases)
  func anErrorThrownByTheClosureFailsIt(form: Form) {
    let service = Service()
    let recorder = form.apply(source.stream, service) {
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

  @Test(arguments: Form.allCases)
  func keepsTheContracts(form: Form) {
    expectContracts { source, probe in
      form.apply(source, probe.scheduler) { _, element throws(ContractFailure) in
        probe.touch()
        return .just(element)
      }
    }
  }
}
