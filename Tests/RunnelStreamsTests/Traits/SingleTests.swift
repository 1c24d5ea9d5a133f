import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct SingleTests {
  private typealias Numbers = Single<Int, Broken>

  // MARK: Creating

  @Test func sendsItsResult() {
    let work = Work<Result<Int, Broken>>()
    let single = Single { work.begin($0) }
    #expect(work.runs == 0)
    let recorder = single.record()
    #expect(work.runs == 1)
    work.finish(.success(1))
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test func sendsItsFailure() {
    let work = Work<Result<Int, Broken>>()
    let recorder = Single { work.begin($0) }.record()
    work.finish(.failure(Broken()))
    #expect(recorder.events == [.failed(Broken())])
  }

  @Test func theWorkMayFinishSynchronously() {
    let single = Numbers { finish in
      finish(.success(1))
      return .none
    }
    #expect(single.record().events == [.next(1), .completed])
    #expect(single.record().events == [.next(1), .completed])
  }

  @Test func aSecondResultIsIgnored() {
    let work = Work<Result<Int, Broken>>()
    let recorder = Single { work.begin($0) }.record()
    work.finish(.success(1))
    work.finish(.success(2))
    work.finish(.failure(Broken()))
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test func aSecondResultInsideTheFirstIsIgnored() {
    let work = Work<Result<Int, Broken>>()
    var events: [StreamEvent<Int, Broken>] = []
    Single { work.begin($0) }.stream.observe {
      events.append($0)
      work.finish(.success(2))
      work.finish(.failure(Broken()))
    }
    work.finish(.success(1))
    #expect(events == [.next(1), .completed])
  }

  @Test func constants() {
    #expect(Numbers.just(1).record().events == [.next(1), .completed])
    #expect(Numbers.failed(Broken()).record().events == [.failed(Broken())])
    #expect(Numbers(.success(1)).record().events == [.next(1), .completed])
    #expect(Numbers(.failure(Broken())).record().events == [.failed(Broken())])
  }

  @Test func deferredRunsForEachObservation() {
    var runs = 0
    let single = Single<Int, Broken>.deferred { () throws(Broken) in
      runs += 1
      if runs == 3 { throw Broken() }
      return .just(runs)
    }
    #expect(runs == 0)
    #expect(single.record().elements == [1])
    #expect(single.record().elements == [2])
    #expect(single.record().events == [.failed(Broken())])
  }

  @Test func canBeTheOnlyElementOfAStream() {
    let numbers = Subject<Int, Broken>()
    let recorder = Single(numbers.stream, otherwise: { _ in Broken() }).record()
    numbers.next(1)
    #expect(recorder.events == [])
    numbers.completed()
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test func failsForAStreamOfZeroOrManyElements() {
    var reasons: [ElementCountError] = []
    for elements in [[], [1, 2, 3]] {
      let stream = EventStream<Int, Broken>.sequence(elements)
      let single = Single(stream) { reason in
        reasons.append(reason)
        return Broken()
      }
      #expect(single.record().events == [.failed(Broken())])
    }
    #expect(reasons == [.none, .several])
    #expect(Single(EventStream<Int, Never>.sequence([1, 2])).record().failure == .several)
    #expect(Single(PushStream<Int>.none).record().failure == ElementCountError.none)
    #expect(Single(EventStream<Int, Never>.just(1)).record().elements == [1])
  }

  // MARK: Observing

  @Test func reportsItsOutcome() {
    var log: [String] = []
    for single in [Numbers.just(1), .failed(Broken())] {
      single.observe(succeeded: { log.append("\($0)") }, failed: { log.append("\($0)") })
    }
    #expect(log == ["1", "Broken()"])
  }

  @Test func disposalCancelsTheWork() {
    let work = Work<Result<Int, Broken>>()
    let single = Single { work.begin($0) }
    let observation = single.observe(
      succeeded: { _ in Issue.record() }, failed: { _ in Issue.record() })
    #expect(!work.isCancelled)
    observation.dispose()
    #expect(work.isCancelled)
    work.finish(.success(1))
  }

  @Test func theWorkIsReleasedWhenItFinishes() {
    let work = Work<Result<Int, Broken>>()
    let observation = Single { work.begin($0) }.observe()
    work.finish(.success(1))
    #expect(work.isCancelled)
    #expect(observation.isDisposed)
  }

  @MainActor @Test func canBeAwaited() async throws {
    let work = Work<Result<Int, Broken>>()
    let single = Single { work.begin($0) }
    let waiting = Task { try await single.value() }
    await until { work.runs == 1 }
    work.finish(.success(1))
    #expect(try await waiting.value == 1)
    await #expect(throws: Broken()) { try await Numbers.failed(Broken()).value() }
    #expect(await Single<Int, Never>.just(2).value() == 2)
  }

  @MainActor @Test func cancellingTheTaskDisposesTheWork() async throws {
    let work = Work<Result<Int, Broken>>()
    let single = Single { work.begin($0) }
    let waiting = Task { try await single.value() }
    await until { work.runs == 1 }
    waiting.cancel()
    #expect(try await waiting.value == nil)
    #expect(work.isCancelled)
  }

  @MainActor @Test func canBeTheResultOfAnAsyncClosure() async throws {
    #expect(await Single<Int, Never>.task { 42 }.value() == 42)
    await #expect(throws: Broken()) {
      try await Numbers.task { () async throws(Broken) in throw Broken() }.value()
    }
  }

  // MARK: Operators

  @Test func mapTransformsOrFails() {
    #expect(Numbers.just(1).map { $0 + 1 }.record().events == [.next(2), .completed])
    let thrown = Numbers.just(1).map { _ throws(Broken) -> Int in throw Broken() }
    #expect(thrown.record().events == [.failed(Broken())])
  }

  @Test func filtersToAMaybe() {
    #expect(Numbers.just(1).filter { $0 > 0 }.record().events == [.next(1), .completed])
    #expect(Numbers.just(1).filter { $0 > 1 }.record().events == [.completed])
  }

  @Test func flatMapContinuesWithAnotherSingle() {
    let first = Work<Result<Int, Broken>>()
    let second = Work<Result<String, Broken>>()
    var asked: [Int] = []
    let recorder = Numbers { first.begin($0) }.flatMap { number in
      asked.append(number)
      return Single { second.begin($0) }
    }.record()
    #expect(second.runs == 0)
    first.finish(.success(1))
    #expect(asked == [1])
    #expect(recorder.events == [])
    second.finish(.success("one"))
    #expect(recorder.events == [.next("one"), .completed])
  }

  @Test func flatMapStopsAfterAFailure() {
    var calls = 0
    let recorder = Numbers.failed(Broken()).flatMap { number in
      calls += 1
      return Numbers.just(number)
    }.record()
    #expect(recorder.events == [.failed(Broken())])
    #expect(calls == 0)
    let thrown = Numbers.just(1).flatMap { _ throws(Broken) -> Numbers in throw Broken() }
    #expect(thrown.record().events == [.failed(Broken())])
  }

  @Test func disposalCancelsTheSecondWork() {
    let second = Work<Result<Int, Broken>>()
    let observation = Numbers.just(1).flatMap { _ in Single { second.begin($0) } }.observe()
    #expect(second.runs == 1)
    observation.dispose()
    #expect(second.isCancelled)
  }

  @Test func flatMapContinuesWithACompletable() {
    var saved: [Int] = []
    let save = { (number: Int) in
      Completable<Broken> { finish in
        saved.append(number)
        finish(.completed)
        return .none
      }
    }
    let recorder = Completable(Numbers.just(1).stream.flatMap { save($0).stream }).record()
    #expect(recorder.isCompleted)
    #expect(saved == [1])
  }

  @Test func catchesAFailure() {
    let recorder = Numbers.failed(Broken()).catch { _ in .just(2) }.record()
    #expect(recorder.events == [.next(2), .completed])
    #expect(Numbers.just(1).catch { _ in .just(2) }.record().elements == [1])
  }

  @Test func retriesAfterAFailure() {
    var runs = 0
    let single = Numbers { finish in
      runs += 1
      finish(runs < 3 ? .failure(Broken()) : .success(runs))
      return .none
    }
    #expect(single.retry(2).record().events == [.failed(Broken())])
    runs = 0
    #expect(single.retry(3).record().events == [.next(3), .completed])
  }

  @Test func recoversWithAnElement() {
    let single: Single<Int, Never> = Numbers.failed(Broken()).recover(with: 2)
    #expect(single.record().events == [.next(2), .completed])
    #expect(Numbers.just(1).recover(with: 2).record().elements == [1])
  }

  @Test func mapsItsFailure() {
    let single = Numbers.failed(Broken()).mapFailure { _ in ContractFailure() }
    #expect(single.record().events == [.failed(ContractFailure())])
  }

  @Test func failsAfterTheTimeout() {
    let scheduler = TestScheduler()
    let work = Work<Result<Int, Broken>>()
    let single = Single { work.begin($0) }
      .timeout(after: .seconds(2), failingWith: Broken(), on: scheduler)
    let recorder = scheduler.record(single)
    scheduler.run()
    #expect(recorder.timedEvents == [Timed(.seconds(2), .failed(Broken()))])
    #expect(work.isCancelled)
    let quick = scheduler.record(single)
    work.finish(.success(1))
    #expect(quick.events == [.next(1), .completed])
    #expect(scheduler.pending == 0)
  }

  @Test func asCompletableIgnoresTheElement() {
    #expect(Single<Int, Broken>.just(1).asCompletable().record().events == [.completed])
    #expect(
      Single<Int, Broken>.failed(Broken()).asCompletable().record().events == [.failed(Broken())])
  }

  @Test func zipsWorksOfDifferentKinds() {
    let number = Work<Result<Int, Broken>>()
    let text = Work<Result<String, Broken>>()
    let both = Single.zip(Single { number.begin($0) }, Single { text.begin($0) })
    let recorder = both.map { "\($0)\($1)" }.record()
    text.finish(.success("a"))
    #expect(recorder.events == [])
    number.finish(.success(1))
    #expect(recorder.events == [.next("1a"), .completed])
    let three = Single.zip(Numbers.just(1), Numbers.just(2), Numbers.just(3))
    #expect(three.map { $0 + $1 + $2 }.record().events == [.next(6), .completed])
  }

  @Test func aFailureDisposesTheOtherWorksOfAZip() {
    let number = Work<Result<Int, Broken>>()
    let text = Work<Result<String, Broken>>()
    let both = Single.zip(Single { number.begin($0) }, Single { text.begin($0) })
    let recorder = both.map { "\($0)\($1)" }.record()
    number.finish(.failure(Broken()))
    #expect(recorder.events == [.failed(Broken())])
    #expect(text.isCancelled)
  }

  @Test func zipsACollectionInOrder() {
    let works = (0..<3).map { _ in Work<Result<Int, Broken>>() }
    let recorder = Single.zip(works.map { work in Single { work.begin($0) } }).record()
    for index in [2, 0, 1] { works[index].finish(.success(index)) }
    #expect(recorder.events == [.next([0, 1, 2]), .completed])
    #expect(Single.zip([Numbers]()).record().events == [.next([]), .completed])
  }

  @Test func keepsTheContracts() {
    func single(
      _ source: EventStream<ContractElement, ContractFailure>
    ) -> Single<ContractElement, ContractFailure> {
      Single(source.take(1), otherwise: { _ in ContractFailure() })
    }
    expectContracts { source, probe in
      single(source).map {
        probe.touch()
        return $0.value
      }.stream
    }
    expectContracts { source, probe in
      single(source).filter { _ in
        probe.touch()
        return true
      }.stream
    }
    // Only the first element of an inner stream is observed, whatever the stream does later.
    expectContracts(.handlesFailure) { source, probe in
      single(source).flatMap { element in
        probe.touch()
        return Single(probe.inner(element).take(1), otherwise: { _ in ContractFailure() })
      }.stream
    }
    expectContracts([.handlesFailure, .outlivesSource]) { source, probe in
      single(source).catch { _ in
        probe.touch()
        return .just(ContractElement(0))
      }.stream
    }
    expectContracts { source, probe in
      Single.zip(single(source), single(source)).map {
        probe.touch()
        return $0.value + $1.value
      }.stream
    }
    expectContracts(.awaitsEnd) { source, probe in
      Single(source) { _ in
        probe.touch()
        return ContractFailure()
      }.stream
    }
  }
}

extension PushStream<Int> {
  fileprivate static var none: EventStream<Int, Never> { .completed }
}
