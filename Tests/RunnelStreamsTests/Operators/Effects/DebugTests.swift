import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct DebugTests {
  /// The output format of RxSwift's introduction, verbatim.
  @Test func printsTheFormatOfTheIntroduction() {
    let scheduler = TestScheduler()
    var lines: [String] = []
    let observation = EventStream<Int, Never>.interval(.milliseconds(100), on: scheduler)
      .debug("my probe") { lines.append($0) }
      .map { "This is simply \($0)" }
      .observeNext { lines.append($0) }
    scheduler.advance(by: .milliseconds(500))
    observation.dispose()
    #expect(
      lines == [
        "[my probe] subscribed",
        "[my probe] -> Event next(0)", "This is simply 0",
        "[my probe] -> Event next(1)", "This is simply 1",
        "[my probe] -> Event next(2)", "This is simply 2",
        "[my probe] -> Event next(3)", "This is simply 3",
        "[my probe] -> Event next(4)", "This is simply 4",
        "[my probe] dispose",
      ])
  }

  @Test func printsTerminalEvents() {
    var lines: [String] = []
    EventStream<String, Never>.just("a").debug("completing") { lines.append($0) }.observe { _ in }
    EventStream<String, Broken>.failed(Broken()).debug("failing") { lines.append($0) }
      .observe { _ in }
    #expect(
      lines == [
        "[completing] subscribed", "[completing] -> Event next(a)",
        "[completing] -> Event completed", "[completing] dispose",
        "[failing] subscribed", "[failing] -> Event failed(Broken())", "[failing] dispose",
      ])
  }

  @Test func isLabelledByItsSourceLocationByDefault() {
    var lines: [String] = []
    let line: UInt = #line + 1
    EventStream<Int, Never>.never.debug { lines.append($0) }.observeNext { _ in }
    #expect(lines == ["[RunnelStreamsTests/DebugTests.swift:\(line)] subscribed"])
  }

  @Test func printsToStandardOutput() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      EventStream<Int, Never>.just(1).debug("probe").observeNext { _ in }
    }
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    #expect(
      output.contains(
        """
        [probe] subscribed
        [probe] -> Event next(1)
        [probe] -> Event completed
        [probe] dispose
        """))
  }

  @Test func keepsTheContracts() {
    var isOver = false
    expectContracts { source, probe in
      isOver = false
      return source.debug { line in
        if line.hasSuffix("dispose") { isOver = true }
        if !isOver { probe.touch() }
      }
    }
  }
}
