import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct MaybeTests {
  private typealias Numbers = Maybe<Int, Broken>

  // MARK: Creating

  @Test(arguments: [
    (Result<Int?, Broken>.success(1), [StreamEvent<Int, Broken>.next(1), .completed]),
    (.success(nil), [.completed]),
    (.failure(Broken()), [.failed(Broken())]),
  ])
  func sendsItsResult(_ result: Result<Int?, Broken>, _ expected: [StreamEvent<Int, Broken>]) {
    let work = Work<Result<Int?, Broken>>()
    let recorder = Maybe { work.begin($0) }.record()
    work.finish(result)
    #expect(recorder.events == expected)
  }

  @Test func aSecondResultIsIgnored() {
    let work = Work<Result<Int?, Broken>>()
    var events: [StreamEvent<Int, Broken>] = []
    Maybe { work.begin($0) }.stream.observe {
      events.append($0)
      work.finish(.success(2))
    }
    work.finish(.success(1))
    work.finish(.success(nil))
    #expect(events == [.next(1), .completed])
  }

  @Test func constants() {
    #expect(Numbers.just(1).record().events == [.next(1), .completed])
    #expect(Numbers.just(nil).record().events == [.completed])
    #expect(Numbers.failed(Broken()).record().events == [.failed(Broken())])
  }

  @Test func canBeTheFirstElementOfAStream() {
    let numbers = Subject<Int, Broken>()
    let recorder = Maybe(firstOf: numbers.stream).record()
    numbers.next(1)
    #expect(recorder.events == [.next(1), .completed])
    #expect(!numbers.isObserved)
    #expect(Maybe(firstOf: EventStream<Int, Never>.sequence(1...)).record().elements == [1])
    #expect(Maybe(firstOf: EventStream<Int, Never>.completed).record().events == [.completed])
    #expect(
      Maybe(firstOf: EventStream<Int, Broken>.failed(Broken())).record().failure == Broken())
  }

  // MARK: Observing

  @Test func reportsItsOutcome() {
    var log: [String] = []
    for maybe in [Numbers.just(1), .just(nil), .failed(Broken())] {
      maybe.observe(
        succeeded: { log.append($0.map { "\($0)" } ?? "none") }, failed: { log.append("\($0)") })
    }
    #expect(log == ["1", "none", "Broken()"])
  }

  @Test func twoObserversEachGetTheResult() {
    var log: [Int?] = []
    let maybe = Numbers.just(1)
    maybe.observe(succeeded: { log.append($0) })
    maybe.observe(succeeded: { log.append($0) })
    #expect(log == [1, 1])
  }

  @Test func disposalCancelsTheWork() {
    let work = Work<Result<Int?, Broken>>()
    let observation = Maybe { work.begin($0) }.observe(succeeded: { _ in Issue.record() })
    observation.dispose()
    #expect(work.isCancelled)
    work.finish(.success(1))
  }

  @MainActor @Test func canBeAwaited() async throws {
    #expect(try await Numbers.just(1).value() == 1)
    #expect(try await Numbers.just(nil).value() == nil)
    await #expect(throws: Broken()) { try await Numbers.failed(Broken()).value() }
    let work = Work<Result<Int?, Broken>>()
    let maybe = Maybe { work.begin($0) }
    let waiting = Task { try await maybe.value() }
    await until { work.runs == 1 }
    waiting.cancel()
    #expect(try await waiting.value == nil)
    #expect(work.isCancelled)
  }

  // MARK: Operators

  @Test func mapTransformsAnElement() {
    #expect(Numbers.just(1).map { $0 + 1 }.record().events == [.next(2), .completed])
    #expect(Numbers.just(nil).map { $0 + 1 }.record().events == [.completed])
    let thrown = Numbers.just(1).map { _ throws(Broken) -> Int in throw Broken() }
    #expect(thrown.record().events == [.failed(Broken())])
  }

  @Test func filters() {
    #expect(Numbers.just(1).filter { $0 > 0 }.record().events == [.next(1), .completed])
    #expect(Numbers.just(1).filter { $0 > 1 }.record().events == [.completed])
  }

  @Test func flatMapContinuesWithAnotherMaybe() {
    let halve = { (number: Int) in Numbers.just(number % 2 == 0 ? number / 2 : nil) }
    #expect(Numbers.just(2).flatMap(halve).record().events == [.next(1), .completed])
    #expect(Numbers.just(1).flatMap(halve).record().events == [.completed])
    #expect(Numbers.just(nil).flatMap(halve).record().events == [.completed])
    #expect(Numbers.failed(Broken()).flatMap(halve).record().events == [.failed(Broken())])
  }

  @Test func catchesAFailure() {
    #expect(
      Numbers.failed(Broken()).catch { _ in .just(2) }.record().events == [.next(2), .completed])
    #expect(Numbers.just(nil).catch { _ in .just(2) }.record().events == [.completed])
  }

  @Test func ifEmptyReturnsASingle() {
    #expect(Numbers.just(nil).ifEmpty(default: 2).record().events == [.next(2), .completed])
    #expect(Numbers.just(1).ifEmpty(default: 2).record().events == [.next(1), .completed])
    let other = Work<Result<Int, Broken>>()
    let single = Numbers.just(1).ifEmpty(switchTo: Single { other.begin($0) })
    #expect(single.record().events == [.next(1), .completed])
    #expect(other.runs == 0)
    let recorder = Numbers.just(nil).ifEmpty(switchTo: Single { other.begin($0) }).record()
    other.finish(.success(3))
    #expect(recorder.events == [.next(3), .completed])
  }

  @Test func asCompletableIgnoresTheElement() {
    #expect(Numbers.just(1).asCompletable().record().events == [.completed])
    #expect(Numbers.just(nil).asCompletable().record().events == [.completed])
    #expect(Numbers.failed(Broken()).asCompletable().record().events == [.failed(Broken())])
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      Maybe(firstOf: source).map {
        probe.touch()
        return $0.value
      }.stream
    }
    expectContracts { source, probe in
      Maybe(firstOf: source).filter { _ in
        probe.touch()
        return true
      }.stream
    }
    // Only the first element of an inner stream is observed, whatever the stream does later.
    expectContracts(.handlesFailure) { source, probe in
      Maybe(firstOf: source).flatMap { element in
        probe.touch()
        return Maybe(firstOf: probe.inner(element))
      }.stream
    }
    expectContracts([.handlesFailure, .outlivesSource]) { source, probe in
      Maybe(firstOf: source).catch { _ in
        probe.touch()
        return .just(nil)
      }.stream
    }
    expectContracts { source, probe in
      Maybe(firstOf: source).ifEmpty(default: ContractElement(0)).map {
        probe.touch()
        return $0.value
      }.stream
    }
  }
}
