import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

/// The hook is global: these tests run one at a time, and look only at failures of this file.
@Suite(.serialized) struct HooksTests {
  private let failing = EventStream<Int, Broken>.failed(Broken())

  // MARK: The report

  @Test func reportsWhereTheObservationWasMade() throws {
    let line: UInt = #line + 1
    let failures = unhandled { failing.observeNext { _ in } }
    let failure = try #require(failures.first)
    #expect(failures.count == 1)
    #expect(failure.error is Broken)
    #expect("\(failure.location)" == "RunnelStreamsTests/HooksTests.swift:\(line)")
    #expect(
      "\(failure)" == """
        A stream observed at RunnelStreamsTests/HooksTests.swift:\(line) failed without a \
        failure handler: Broken(). Pass a failed: closure to observe, or recover before.
        """)
  }

  @Test func reportsBeforeTheChainIsTornDown() {
    let log = SharedLog<String>()
    let source = Subject<Int, Broken>()
    let previous = Hooks.unhandledFailure
    Hooks.unhandledFailure = { failure in
      if failure.location.line == 12_345 { log.append("told") } else { previous(failure) }
    }
    defer { Hooks.unhandledFailure = previous }
    let observation = source.do(disposed: { log.append("disposed") })
      .observe(line: 12_345, next: { _ in })
    source.failed(Broken())
    #expect(log.all == ["told", "disposed"])
    #expect(observation.isDisposed)
  }

  // MARK: Reporting observations

  @Test func reportsWithoutAFailureClosure() {
    let target = Label()
    let failures = unhandled {
      failing.observeNext(line: 1) { _ in }
      failing.observe(line: 2, next: { _ in })
      failing.observe(line: 3, completed: {})
      failing.observeNext(weak: target, line: 4) { _, _ in }
      failing.observe(weak: target, line: 5, next: { _, _ in })
      Single<Int, Broken>.failed(Broken()).observe(line: 6, succeeded: { _ in })
      Maybe<Int, Broken>.failed(Broken()).observe(line: 7, succeeded: { _ in })
      Completable<Broken>.failed(Broken()).observe(line: 8)
      failing.ignoreFailure(line: 9).observe { _ in }
    }
    #expect(failures.map(\.location.line) == Array(1...9))
  }

  @Test func doesNotReportAHandledFailure() {
    let target = Label()
    var handled = 0
    let failures = unhandled {
      failing.observe { _ in handled += 1 }
      failing.observe(failed: { _ in handled += 1 })
      failing.observe(weak: target) { _, _ in handled += 1 }
      failing.observe(weak: target, failed: { _, _ in handled += 1 })
      Single<Int, Broken>.failed(Broken()).observe(failed: { _ in handled += 1 })
      Maybe<Int, Broken>.failed(Broken()).observe(failed: { _ in handled += 1 })
      Completable<Broken>.failed(Broken()).observe(failed: { _ in handled += 1 })
      failing.recover(with: 1).observe { _ in handled += 1 }
    }
    #expect(failures.isEmpty)
    #expect(handled == 9)  // The recovered stream sends an element and completes.
  }

  @Test func doesNotReportAfterDisposal() {
    let source = Subject<Int, Broken>()
    let failures = unhandled {
      source.observeNext { _ in }.dispose()
      source.failed(Broken())
    }
    #expect(failures.isEmpty)
  }

  /// The observation on behalf of an object ends when the object is released.
  @Test func doesNotReportAfterTheObjectIsReleased() {
    let source = Subject<Int, Broken>()
    let failures = unhandled {
      var target: Label? = Label()
      source.observeNext(weak: target!) { _, _ in }
      target = nil
      source.failed(Broken())
    }
    #expect(failures.isEmpty)
  }

  // MARK: Setting the hook

  @Test func printsToStandardErrorByDefault() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      EventStream<Int, Broken>.failed(Broken()).observeNext(line: 777) { _ in }
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(
      output.contains(
        "RunnelStreamsTests/HooksTests.swift:777 failed without a failure handler: Broken()"
      ))
  }

  @Test func failuresAreLoggedByDefault() {
    let recorder = LogRecorder { failing.observeNext(line: 4_711) { _ in } }
    #expect(recorder.entries.first?.level == .error)
    #expect(recorder.messages.first?.contains(":4711 failed without a failure handler") == true)
  }

  @Test func mayBeSetInsideTheHook() {
    let log = SharedLog<Int>()
    let previous = Hooks.unhandledFailure
    defer { Hooks.unhandledFailure = previous }
    Hooks.unhandledFailure = { failure in
      guard "\(failure.location.file)" == #fileID else { return previous(failure) }
      log.append(1)
      Hooks.unhandledFailure = { failure in
        if "\(failure.location.file)" == #fileID { log.append(2) } else { previous(failure) }
      }
    }
    failing.observeNext { _ in }
    failing.observeNext { _ in }
    #expect(log.all == [1, 2])
  }

  /// A closure that is put back, as a test or a library does, is called as directly as before. In a
  /// process of its own, whose hooks nobody else sets.
  @Test func readingAndSettingDoesNotDeepenTheStack() async {
    await #expect(processExitsWith: .success) {
      let depths = SharedLog<UInt>()
      let measure: @Sendable () -> Void = {
        var here = 0
        withUnsafeMutablePointer(to: &here) { depths.append(UInt(bitPattern: $0)) }
      }
      Hooks.log = { _ in measure() }
      Hooks.unhandledFailure = { _ in measure() }
      func call() {
        Log("test").notice("entry")
        Hooks.log(LogEntry(level: .notice, name: "test", message: ""))
        EventStream<Int, Broken>.failed(Broken()).observeNext { _ in }
      }
      call()
      for _ in 0..<100 {
        (Hooks.log, Hooks.unhandledFailure) = (Hooks.log, Hooks.unhandledFailure)
      }
      call()
      precondition(depths.all.count == 6 && depths.all.prefix(3) == depths.all.suffix(3))
    }
  }

  /// Returns the failures that observations in this file report while the block runs.
  private func unhandled(_ body: () -> Void) -> [UnhandledFailure] {
    let log = SharedLog<UnhandledFailure>()
    let previous = Hooks.unhandledFailure
    Hooks.unhandledFailure = { failure in
      if "\(failure.location.file)" == #fileID { log.append(failure) } else { previous(failure) }
    }
    defer { Hooks.unhandledFailure = previous }
    body()
    return log.all
  }
}
