import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct DoTests {
  private typealias Numbers = Subject<Int, ContractFailure>

  // MARK: Order

  /// The source starts late, because it is the tail of a concatenation.
  @Test func disposedIsCalledBeforeALateSourceIsDisposed() {
    var lines: [String] = []
    let tail = EventStream<Int, Never> { _ in Disposable { lines.append("source") } }
    let second = EventStream<Int, Never>.completed.append(tail)
      .do(disposed: { lines.append("disposed") })
    EventStream<Int, Never>.completed.append(second).observeNext { _ in }.dispose()
    #expect(lines == ["disposed", "source"])
  }

  @Test func callsTheHooksInOrder() {
    let log = Log()
    let source = EventStream<Int, ContractFailure> { observer in
      log.add("source observed")
      observer.next(1)
      log.later = { observer.completed() }
      return Disposable { log.add("source torn down") }
    }
    log.probe(source).observe(
      next: { log.add("received \($0)") }, completed: { log.add("received completion") })
    log.later()
    #expect(
      log.lines == [
        "observed", "source observed", "next 1", "received 1", "afterNext 1", "completed",
        "received completion", "disposed", "source torn down",
      ])
  }

  @Test func callsTheFailureHook() {
    let log = Log()
    let source = Numbers()
    log.probe(source.stream).observe(failed: { _ in log.add("received failure") })
    source.failed(ContractFailure())
    #expect(log.lines == ["observed", "failed", "received failure", "disposed"])
  }

  @Test func callsTheDisposalHookOnce() {
    let log = Log()
    let source = EventStream<Int, ContractFailure> { observer in
      Disposable { log.add("source torn down") }
    }
    let observation = log.probe(source).observe { _ in }
    observation.dispose()
    observation.dispose()
    #expect(log.lines == ["observed", "disposed", "source torn down"])
  }

  @Test func aSourceThatEndsAtOnceIsTornDownFirst() {
    let log = Log()
    let source = EventStream<Int, ContractFailure> { observer in
      observer.observation.add { log.add("source torn down") }
      observer.completed()
      return .none
    }
    log.probe(source).observe(completed: { log.add("received completion") })
    #expect(
      log.lines == [
        "observed", "completed", "received completion", "source torn down", "disposed",
      ])
  }

  @Test func eventsRunHooksDownstreamAndDisposalUpstream() {
    var lines: [String] = []
    let numbers = PushStream<Int>()
    let observation =
      numbers
      .do(
        observed: { lines.append("upper observed") }, next: { lines.append("upper \($0)") },
        disposed: { lines.append("upper disposed") }
      )
      .do(
        observed: { lines.append("lower observed") }, next: { lines.append("lower \($0)") },
        disposed: { lines.append("lower disposed") }
      )
      .observeNext { _ in }
    numbers.next(1)
    observation.dispose()
    #expect(
      lines == [
        "lower observed", "upper observed", "upper 1", "lower 1", "lower disposed",
        "upper disposed",
      ])
  }

  @Test func callsTheHooksForEachObservation() {
    let log = Log()
    let stream = log.probe(EventStream<Int, ContractFailure>.completed)
    stream.observe { _ in }
    stream.observe { _ in }
    #expect(
      log.lines == ["observed", "completed", "disposed", "observed", "completed", "disposed"])
  }

  @Test func withoutHooksAllEventsPass() {
    let recorder = EventStream<Int, Never>.sequence(1...2).do().record()
    #expect(recorder.events == [.next(1), .next(2), .completed])
  }

  // MARK: Failure

  @Test func failsWithTheErrorThatNextThrows() {
    var failures = 0
    let numbers = Numbers()
    let recorder = numbers.do(
      next: { number throws(ContractFailure) in
        if number == 2 { throw ContractFailure() }
      },
      failed: { _ in failures += 1 }
    ).record()
    numbers.next(1)
    numbers.next(2)
    numbers.next(3)
    #expect(recorder.events == [.next(1), .failed(ContractFailure())])
    #expect(failures == 0)
    #expect(!numbers.isObserved)
  }

  // MARK: Disposal inside a hook

  @Test(arguments: [
    ("observed", ["observed", "disposed"]),
    ("next 1", ["observed", "source", "next 1", "disposed"]),
    ("afterNext 1", ["observed", "source", "next 1", "received 1", "afterNext 1", "disposed"]),
    (
      "completed",
      ["observed", "source", "next 1", "received 1", "afterNext 1", "completed", "disposed"]
    ),
    (
      "disposed",
      [
        "observed", "source", "next 1", "received 1", "afterNext 1", "completed", "ended",
        "disposed",
      ]
    ),
  ])
  func disposingInAHookOfACompletingStream(_ hook: String, _ expected: [String]) {
    #expect(lines(disposingIn: hook, .completed) == expected)
  }

  @Test(arguments: [
    ("received 1", ["observed", "source", "next 1", "received 1", "disposed"]),
    (
      "failed", ["observed", "source", "next 1", "received 1", "afterNext 1", "failed", "disposed"]
    ),
  ])
  func disposingInAHookOfAFailingStream(_ hook: String, _ expected: [String]) {
    #expect(lines(disposingIn: hook, .failed(ContractFailure())) == expected)
  }

  private func lines(
    disposingIn hook: String, _ end: Termination<ContractFailure>
  ) -> [String] {
    let log = Log()
    let observation = Disposable()
    log.onLine = { if $0 == hook { observation.dispose() } }
    let source = EventStream<Int, ContractFailure>.unguarded { observer in
      log.add("source")
      observer.next(1)
      observer.end(end)
    }
    log.probe(source).start(
      in: observation, next: { log.add("received \($0)") }, end: { _ in log.add("ended") })
    return log.lines
  }

  @Test func anErrorThrownAfterDisposalIsDropped() {
    let numbers = Numbers()
    let observation = Disposable()
    var events = 0
    numbers.do(next: { _ throws(ContractFailure) in
      observation.dispose()
      throw ContractFailure()
    }).start(in: observation, next: { _ in events += 1 }, end: { _ in events += 1 })
    numbers.next(1)
    #expect(events == 0)
  }

  @Test func aDisposedObservationCallsNoHook() {
    let log = Log()
    let observation = Disposable()
    observation.dispose()
    log.probe(EventStream.just(1)).start(in: observation, next: { _ in }, end: { _ in })
    #expect(log.lines == [])
  }

  // MARK: Reentrancy

  @Test func elementsSentInsideAHookAreQueued() {
    let numbers = PushStream<Int>()
    var lines: [String] = []
    numbers.do(
      next: {
        lines.append("next \($0)")
        if $0 == 1 { numbers.next(2) }
      }, afterNext: { lines.append("afterNext \($0)") }
    ).observeNext { lines.append("received \($0)") }
    numbers.next(1)
    #expect(
      lines == ["next 1", "received 1", "afterNext 1", "next 2", "received 2", "afterNext 2"])
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      source.do(
        observed: { probe.touch() }, next: { _ in probe.touch() },
        afterNext: { _ in probe.touch() }, failed: { _ in probe.touch() },
        completed: { probe.touch() })
    }
    // The disposal hook runs after the end, so only leftover resources can be checked.
    expectContracts { source, probe in source.do(disposed: { _ = probe.scheduler }) }
  }
}

/// A log of the hooks' calls in order.
private final class Log {
  private(set) var lines: [String] = []
  var onLine: (String) -> Void = { _ in }
  var later: () -> Void = {}

  func add(_ line: String) {
    lines.append(line)
    onLine(line)
  }

  func probe(
    _ source: EventStream<Int, ContractFailure>
  ) -> EventStream<Int, ContractFailure> {
    source.do(
      observed: { self.add("observed") }, next: { self.add("next \($0)") },
      afterNext: { self.add("afterNext \($0)") }, failed: { _ in self.add("failed") },
      completed: { self.add("completed") }, disposed: { self.add("disposed") })
  }
}
