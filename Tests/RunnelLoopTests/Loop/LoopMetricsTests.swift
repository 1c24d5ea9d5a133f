import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@Suite struct LoopMetricsTests {
  private func value(_ name: String, _ loop: String, in text: String) -> Double? {
    text.split(separator: "\n").first { $0.hasPrefix("\(name){loop=\"\(loop)\"} ") }?
      .split(separator: " ").last.flatMap { Double($0) }
  }

  @Test func currentLoopIsReadWithTheText() async {
    await withLoop("own") { loop in
      let texts = loop.wait {
        let metrics = Metrics()
        metrics.add(loop)
        let timer = loop.schedule(after: .seconds(1_000)) {}
        let before = metrics.text
        timer.dispose()
        return [before, metrics.text]
      }
      #expect(texts.map { value("runnel_loop_timers", "own", in: $0) } == [1, 0])
      #expect((value("runnel_loop_turns_total", "own", in: texts[0]) ?? 0) >= 1)
      #expect(value("runnel_loop_lag_seconds", "own", in: texts[0]) != nil)
    }
  }

  @Test func anotherLoopTellsItsStatistics() async {
    await withLoop("other") { loop in
      let metrics = Metrics()
      let telling = metrics.add(loop, every: .milliseconds(1))
      let descriptors = loop.wait { loop.statistics.descriptors }
      #expect(value("runnel_loop_descriptors", "other", in: metrics.text) == Double(descriptors))
      let turns = value("runnel_loop_turns_total", "other", in: metrics.text) ?? 0
      // Each wait is a turn. The number follows a millisecond later.
      var attempts = 1_000_000
      while value("runnel_loop_turns_total", "other", in: metrics.text) == turns, attempts > 0 {
        loop.wait {}
        attempts -= 1
      }
      #expect(attempts > 0)
      telling.dispose()
    }
  }
}
