import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

/// The operators that single, maybe, completable, driver and pulse have in common with streams.
@Suite struct TraitOperatorsTests {
  private typealias Number = Single<Int, Broken>
  private typealias Numbers = Maybe<Int, Broken>
  private typealias Operation = Completable<Broken>

  private let scheduler = TestScheduler()

  // MARK: Single

  @Test(arguments: [(1, [StreamEvent<Int, Broken>.next(10), .completed]), (2, [.completed])])
  func singleContinuesWithAMaybe(_ element: Int, _ expected: [StreamEvent<Int, Broken>]) {
    let result = Number.just(element).flatMapMaybe { .just($0 == 1 ? 10 : nil) }
    #expect(result.record().events == expected)
    let mapped = Number.just(element).compactMap { $0 == 1 ? 10 : nil }
    #expect(mapped.record().events == expected)
  }

  @Test func singleContinuesWithAnOperation() {
    var elements: [Int] = []
    let operation = Number.just(1).flatMapCompletable { element in
      elements.append(element)
      return .failed(Broken())
    }
    #expect(operation.record().events == [.failed(Broken())])
    #expect(elements == [1])
    let failed = Number.failed(Broken()).flatMapCompletable { _ in .completed }
    #expect(failed.record().events == [.failed(Broken())])
  }

  @Test func singleCallsClosuresAtItsEvents() {
    var log: [String] = []
    func logged(_ single: Number) -> Number {
      single.do(
        observed: { log.append("observed") }, succeeded: { log.append("\($0)") },
        failed: { _ in log.append("failed") }, disposed: { log.append("disposed") })
    }
    logged(.just(1)).observe()
    logged(.failed(Broken())).observe(failed: { _ in })
    #expect(log == ["observed", "1", "disposed", "observed", "failed", "disposed"])
  }

  @Test func singleIsDelayed() {
    let recorder = scheduler.record(Number.just(1).delay(for: .seconds(2), on: scheduler))
    scheduler.run()
    #expect(recorder.timedEvents == [Timed(.seconds(2), .next(1)), Timed(.seconds(2), .completed)])
  }

  @Test func singleDisposesItsResourceLast() {
    var log: [String] = []
    let work = Work<Result<Int, Broken>>()
    let single = Number.using({ "file" }, dispose: { log.append("close \($0)") }) { _ in
      Single { work.begin($0) }.do(disposed: { log.append("end") })
    }
    let recorder = single.record()
    work.finish(.success(1))
    #expect(recorder.events == [.next(1), .completed])
    #expect(log == ["end", "close file"])
  }

  @Test func singlePrintsItsEvents() {
    var lines: [String] = []
    Number.just(1).debug("work") { lines.append($0) }.observe()
    #expect(lines.count >= 3)
    #expect(lines.allSatisfy { $0.contains("work") })
  }

  @Test func singleBecomesAMaybe() {
    #expect(Number.just(1).asMaybe().record().events == [.next(1), .completed])
  }

  // MARK: Maybe

  @Test func maybeIsCreatedForEachObservation() {
    var runs = 0
    let maybe = Numbers.deferred {
      runs += 1
      return .just(runs)
    }
    #expect(maybe.record().elements == [1])
    #expect(maybe.record().elements == [2])
  }

  @Test(arguments: [
    (Result<Int?, Broken>.success(2), ["1 2"], StreamEvent<String, Broken>.completed),
    (.success(nil), [], .completed),
    (.failure(Broken()), [], .failed(Broken())),
  ])
  func maybesAreZipped(
    _ second: Result<Int?, Broken>, _ elements: [String], _ end: StreamEvent<String, Broken>
  ) {
    let first = Work<Result<Int?, Broken>>()
    let other = Work<Result<Int?, Broken>>()
    let both = Maybe.zip(Maybe { first.begin($0) }, Maybe { other.begin($0) })
    let recorder = both.map { "\($0) \($1)" }.record()
    first.finish(.success(1))
    other.finish(second)
    #expect(recorder.events == elements.map { .next($0) } + [end])
  }

  @Test func maybeOperatorsAgreeWithStreams() {
    #expect(Numbers.just(1).compactMap { $0 > 1 ? $0 : nil }.record().events == [.completed])
    #expect(
      Numbers.just(nil).ifEmpty(switchTo: .just(2)).record().events == [.next(2), .completed])
    #expect(
      Numbers.failed(Broken()).recover(with: 3).record().events == [.next(3), .completed])
    #expect(
      Numbers.just(nil).flatMapCompletable { _ in .failed(Broken()) }.record().events
        == [.completed])
    var attempts = 0
    let unstable = Numbers.deferred {
      attempts += 1
      return attempts < 3 ? .failed(Broken()) : .just(attempts)
    }
    #expect(unstable.retry(3).record().events == [.next(3), .completed])
  }

  // MARK: Completable

  @Test func operationsRunOneAfterTheOther() {
    var log: [String] = []
    let first = Work<Termination<Broken>>()
    let all = Operation.concat(
      Completable { first.begin($0) },
      .deferred {
        log.append("second")
        return .completed
      })
    let recorder = all.record()
    #expect(log == [])
    first.finish(.completed)
    #expect(log == ["second"])
    #expect(recorder.events == [.completed])
  }

  @Test func recursionThroughTheLastOperationUsesNoStack() {
    var left = 100_000
    func countDown() -> Operation {
      .concat(
        .deferred {
          left -= 1
          return .completed
        }, left > 0 ? .deferred { countDown() } : .completed)
    }
    #expect(countDown().record().events == [.completed])
    #expect(left <= 0)
  }

  @Test func failedOperationStopsTheOnesAfterIt() {
    var runs = 0
    let all = Operation.concat([
      .failed(Broken()),
      .deferred {
        runs += 1
        return .completed
      },
    ])
    #expect(all.record().events == [.failed(Broken())])
    #expect(runs == 0)
  }

  @Test func completableOperatorsAgreeWithStreams() {
    #expect(Operation.failed(Broken()).recover().record().events == [.completed])
    var log: [String] = []
    Operation.completed.do(
      observed: { log.append("observed") }, completed: { log.append("completed") },
      disposed: { log.append("disposed") }
    ).observe()
    #expect(log == ["observed", "completed", "disposed"])
    let never = Completable<Broken>(.never)
    let recorder = scheduler.record(
      never.timeout(after: .seconds(2), failingWith: Broken(), on: scheduler))
    scheduler.run()
    #expect(recorder.timedEvents == [Timed(.seconds(2), .failed(Broken()))])
  }

  // MARK: Driver and pulse

  @Test func driverOperatorsShareOneRun() {
    let numbers = PushStream<Int>()
    var runs = 0
    let driver = numbers.do(observed: { runs += 1 }).driver
    let all = driver.compactMap { $0 > 1 ? $0 : nil }.scan(0) { $0 + $1 }.startWith(-1)
      .distinctUntilChanged().do(next: { _ in }).take(3)
    let first = all.record()
    let second = all.record()
    for number in [1, 2, 0, 3, 4] { numbers.next(number) }
    #expect(runs == 1)
    #expect(first.events == [.next(-1), .next(2), .next(5), .completed])
    #expect(second.events == first.events)
  }

  @Test func driversCombineWithOtherSources() {
    let numbers = PushStream<Int>()
    let name = Property("a")
    let pairs = numbers.driver.combineLatest(name).map { "\($0)\($1)" }.record()
    let latest = numbers.driver.withLatestFrom(name).map { "\($0)\($1)" }.record()
    let merged = numbers.driver.merge(name.map { $0.count }).record()
    numbers.next(1)
    name.value = "bb"
    #expect(pairs.elements == ["1a", "1bb"])
    #expect(latest.elements == ["1a"])
    #expect(merged.elements == [1, 1, 2])
  }

  @Test func timedDriverOperatorsUseTheScheduler() {
    let numbers = PushStream<Int>()
    let driver = numbers.driver
    let debounced = scheduler.record(driver.debounce(for: .seconds(1), on: scheduler))
    let throttled = scheduler.record(driver.throttle(for: .seconds(5), on: scheduler))
    let delayed = scheduler.record(driver.skip(1).delay(for: .seconds(3), on: scheduler))
    numbers.next(1)
    numbers.next(2)
    scheduler.advance(by: .seconds(10))
    #expect(debounced.timedEvents == [Timed(.seconds(1), .next(2))])
    #expect(throttled.elements.first == 1)
    #expect(delayed.timedEvents == [Timed(.seconds(3), .next(2))])
  }

  @Test func pulseDoesNotReplayAndDriverDoes() {
    let numbers = PushStream<Int>()
    let state = numbers.driver
    let connection = state.record()
    numbers.next(0)
    let pulse = state.asPulse()
    let kept = pulse.record()
    numbers.next(1)
    #expect(connection.elements == [0, 1])
    #expect(pulse.record().elements == [])
    let driver = numbers.pulse.compactMap { $0 }.scan(0) { $0 + $1 }.asDriver(startingWith: 0)
    let first = driver.record()
    numbers.next(5)
    #expect(first.elements == [0, 5])
    #expect(driver.record().elements == [5])
    #expect(kept.elements == [1, 5])
  }
}
