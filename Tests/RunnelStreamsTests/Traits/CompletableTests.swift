import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct CompletableTests {
  private typealias Save = Completable<Broken>

  // MARK: Creating

  @Test(arguments: [Termination<Broken>.completed, .failed(Broken())])
  func sendsItsEnd(_ end: Termination<Broken>) {
    let work = Work<Termination<Broken>>()
    let recorder = Completable { work.begin($0) }.record()
    #expect(recorder.termination == nil)
    work.finish(end)
    #expect(recorder.termination == end)
  }

  @Test func aSecondEndIsIgnored() {
    let work = Work<Termination<Broken>>()
    var log: [String] = []
    Completable { work.begin($0) }.observe(
      completed: {
        log.append("completed")
        work.finish(.failed(Broken()))
      }, failed: { log.append("\($0)") })
    work.finish(.completed)
    work.finish(.completed)
    #expect(log == ["completed"])
  }

  @Test func constants() {
    #expect(Save.completed.record().termination == .completed)
    #expect(Save.failed(Broken()).record().failure == Broken())
  }

  @Test func canBeMadeFromAStreamWithoutElements() {
    let numbers = Subject<Int, Broken>()
    var isDone = false
    Completable(numbers.ignoreElements()).observe(completed: { isDone = true })
    numbers.next(1)
    #expect(!isDone)
    numbers.completed()
    #expect(isDone)
  }

  // MARK: Observing

  @Test func reportsTheEnd() {
    var log: [String] = []
    for work in [Save.completed, .failed(Broken())] {
      work.observe(completed: { log.append("completed") }, failed: { log.append("\($0)") })
    }
    #expect(log == ["completed", "Broken()"])
  }

  @Test func disposalCancelsTheWork() {
    let work = Work<Termination<Broken>>()
    let observation = Completable { work.begin($0) }.observe(completed: { Issue.record() })
    observation.dispose()
    #expect(work.isCancelled)
    work.finish(.completed)
  }

  @MainActor @Test func canBeAwaited() async throws {
    let work = Work<Termination<Broken>>()
    let save = Completable { work.begin($0) }
    let waiting = Task { try await save.completion() }
    await until { work.runs == 1 }
    work.finish(.completed)
    try await waiting.value
    await #expect(throws: Broken()) { try await Save.failed(Broken()).completion() }
    await Completable<Never>.completed.completion()
  }

  @MainActor @Test func cancellingTheTaskDisposesTheWork() async throws {
    let work = Work<Termination<Broken>>()
    let save = Completable { work.begin($0) }
    let waiting = Task {
      try await save.completion()
      return Task.isCancelled
    }
    await until { work.runs == 1 }
    waiting.cancel()
    #expect(try await waiting.value)
    #expect(work.isCancelled)
  }

  // MARK: Sequencing

  @Test func andThenStartsTheNextWork() {
    let first = Work<Termination<Broken>>()
    let second = Work<Termination<Broken>>()
    let recorder = Completable { first.begin($0) }.andThen(Completable { second.begin($0) })
      .record()
    #expect(second.runs == 0)
    first.finish(.completed)
    #expect(second.runs == 1)
    #expect(recorder.termination == nil)
    second.finish(.completed)
    #expect(recorder.termination == .completed)
  }

  @Test func andThenStopsAfterAFailure() {
    let second = Work<Termination<Broken>>()
    let recorder = Save.failed(Broken()).andThen(Completable { second.begin($0) }).record()
    #expect(recorder.failure == Broken())
    #expect(second.runs == 0)
  }

  @Test func andThenContinuesWithAStream() {
    let stream = EventStream<Int, Broken>.sequence(1...2)
    #expect(Save.completed.andThen(stream).record().events == [.next(1), .next(2), .completed])
    #expect(Save.failed(Broken()).andThen(stream).record().events == [.failed(Broken())])
  }

  @Test func andThenContinuesWithASingleOrMaybe() {
    let single: Single<Int, Broken> = Save.completed.andThen(Single.just(1))
    #expect(single.record().events == [.next(1), .completed])
    let maybe: Maybe<Int, Broken> = Save.completed.andThen(Maybe.just(nil))
    #expect(maybe.record().events == [.completed])
    #expect(Save.failed(Broken()).andThen(single).record().events == [.failed(Broken())])
    #expect(Save.failed(Broken()).andThen(maybe).record().events == [.failed(Broken())])
  }

  // MARK: Merging

  @Test func mergeCompletesAfterAllWorks() {
    let works = (0..<3).map { _ in Work<Termination<Broken>>() }
    let recorder = Completable.merge(works.map { work in Completable { work.begin($0) } }).record()
    #expect(works.map(\.runs) == [1, 1, 1])
    for work in works {
      #expect(recorder.termination == nil)
      work.finish(.completed)
    }
    #expect(recorder.termination == .completed)
    #expect(Save.merge().record().termination == .completed)
    #expect(Save.merge(.completed, .failed(Broken())).record().failure == Broken())
  }

  @Test func aFailureDisposesTheOtherWorks() {
    let works = (0..<2).map { _ in Work<Termination<Broken>>() }
    let recorder = Completable.merge(works.map { work in Completable { work.begin($0) } }).record()
    works[1].finish(.failed(Broken()))
    #expect(recorder.failure == Broken())
    #expect(works[0].isCancelled)
  }

  // MARK: Failures

  @Test func catchesAFailure() {
    #expect(Save.failed(Broken()).catch { _ in .completed }.record().termination == .completed)
    var calls = 0
    Save.completed.catch { _ in
      calls += 1
      return .completed
    }.observe()
    #expect(calls == 0)
  }

  @Test func retriesAfterAFailure() {
    var runs = 0
    let save = Save { finish in
      runs += 1
      finish(runs < 3 ? .failed(Broken()) : .completed)
      return .none
    }
    #expect(save.retry(2).record().failure == Broken())
    runs = 0
    #expect(save.retry(3).record().termination == .completed)
    #expect(runs == 3)
  }

  @Test func keepsTheContracts() {
    // Each outlives its source, even if the next work has finished already.
    let traits: ContractTraits = [.awaitsEnd, .outlivesSource]
    expectContracts(traits) { source, probe in
      Completable(source.do(next: { _ in probe.touch() }).ignoreElements())
        .andThen(.completed as Completable).stream
    }
    expectContracts(traits) { source, probe in
      Completable(source.ignoreElements()).andThen(probe.inner(ContractElement(0)))
    }
    expectContracts([traits, .handlesFailure]) { source, probe in
      Completable(source.ignoreElements()).catch { _ in
        probe.touch()
        return .completed
      }.stream
    }
    expectContracts(traits) { source, probe in
      Completable.merge(
        Completable(source.do(next: { _ in probe.touch() }).ignoreElements()), .completed
      ).stream
    }
  }
}
