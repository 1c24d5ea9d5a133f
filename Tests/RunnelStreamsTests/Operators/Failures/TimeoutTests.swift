import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct TimeoutTests {
  let scheduler = TestScheduler()

  @Test func failsWithoutAFirstElement() {
    let recorder = scheduler.record(
      NumberStream.never.timeout(
        after: .seconds(3), failingWith: ContractFailure(), on: scheduler))
    scheduler.run()
    #expect(recorder.timedEvents == [at(3, .failed(ContractFailure()))])
  }

  @Test func restartsAtEachElement() {
    let numbers = scheduler.subject(
      at(2, .next(1)), at(4, .next(2)), at(6, .next(3)),
      at(12, StreamEvent<Int, ContractFailure>.next(4)))
    let stream = numbers.timeout(
      after: .seconds(3), failingWith: ContractFailure(), on: scheduler)
    let recorder = scheduler.record(stream)
    scheduler.run()
    #expect(
      recorder.timedEvents
        == [at(2, .next(1)), at(4, .next(2)), at(6, .next(3)), at(9, .failed(ContractFailure()))])
    #expect(!numbers.isObserved)
  }

  @Test func theEndOfTheSourceCancelsTheTimer() {
    for end in [StreamEvent<Int, ContractFailure>.completed, .failed(ContractFailure())] {
      let numbers = NumberSubject()
      let other = NumberStream.unguarded { _ in Issue.record("observed") }
      let recorder = numbers.timeout(after: .seconds(3), switchingTo: other, on: scheduler)
        .record()
      numbers.next(1)
      numbers.send(end)
      #expect(recorder.events == [.next(1), end])
      #expect(scheduler.pending == 0)
      scheduler.run()
    }
  }

  @Test func theErrorIsCreatedLazily() {
    var made = 0
    func error() -> ContractFailure {
      made += 1
      return ContractFailure()
    }
    let stream = NumberStream.never.timeout(
      after: .seconds(1), failingWith: error(), on: scheduler)
    let recorder = stream.record()
    #expect(made == 0)
    scheduler.run()
    #expect(made == 1)
    #expect(recorder.failure == ContractFailure())
  }

  @Test func aNegativeLimitAllowsSynchronousElements() {
    let stream = NumberStream.just(1).append(.never)
      .timeout(after: .seconds(-1), failingWith: ContractFailure(), on: scheduler)
    let recorder = scheduler.record(stream)
    #expect(recorder.events == [.next(1)])
    scheduler.run()
    #expect(recorder.timedEvents == [at(0, .next(1)), at(0, .failed(ContractFailure()))])
  }

  @Test func switchesToAnotherStream() {
    let numbers = NumberSubject()
    let other = NumberSubject()
    let stream = numbers.timeout(after: .seconds(3), switchingTo: other.stream, on: scheduler)
    let recorder = scheduler.record(stream)
    numbers.next(1)
    scheduler.advance(ticks: 3)
    #expect(!numbers.isObserved)
    #expect(other.isObserved)
    scheduler.advance(ticks: 10)
    other.next(2)
    other.completed()
    #expect(recorder.timedEvents == [at(0, .next(1)), at(13, .next(2)), at(13, .completed)])
    #expect(scheduler.pending == 0)
  }

  @Test func tearsDownTheSourceBeforeItSwitches() {
    var log: [String] = []
    let source = NumberStream { _ in Disposable { log.append("torn down") } }
    let other = NumberStream.unguarded { observer in
      log.append("observed")
      observer.completed()
    }
    source.timeout(after: .seconds(1), switchingTo: other, on: scheduler)
      .observe(completed: { log.append("completed") })
    scheduler.run()
    #expect(log == ["torn down", "observed", "completed"])
  }

  @Test func tearsDownTheSourceAfterTheFailure() {
    var log: [String] = []
    let source = NumberStream { _ in Disposable { log.append("torn down") } }
    source.timeout(after: .seconds(1), failingWith: ContractFailure(), on: scheduler)
      .observe(failed: { _ in log.append("failed") })
    scheduler.run()
    #expect(log == ["failed", "torn down"])
  }

  @Test func disposalCancelsTheTimer() {
    let numbers = NumberSubject()
    let recorder = numbers.timeout(
      after: .seconds(3), failingWith: ContractFailure(), on: scheduler
    ).record()
    recorder.dispose()
    #expect(scheduler.pending == 0)
    #expect(!numbers.isObserved)
  }

  @Test func elementsSentDuringTheEndAreDropped() {
    let numbers = NumberSubject()
    var mapped: [Int] = []
    var log: [StreamEvent<Int, ContractFailure>] = []
    let source = numbers.map { number in
      mapped.append(number)
      return number
    }
    source.timeout(after: .seconds(3), failingWith: ContractFailure(), on: scheduler)
      .observe { event in
        log.append(event)
        if event != .next(1) { numbers.next(9) }
      }
    numbers.next(1)
    scheduler.run()
    #expect(log == [.next(1), .failed(ContractFailure())])
    #expect(mapped == [1])
  }

  @Test func keepsTheContracts() {
    for milliseconds in [0, 500, 1500, 20_000] {
      expectContracts(.timed) { source, probe in
        source.timeout(
          after: .milliseconds(milliseconds),
          failingWith: {
            probe.touch()
            return ContractFailure()
          }(), on: probe.scheduler)
      }
      expectContracts([.timed, .outlivesSource]) { source, probe in
        source.timeout(
          after: .milliseconds(milliseconds), switchingTo: .just(ContractElement(7)),
          on: probe.scheduler)
      }
    }
  }
}
