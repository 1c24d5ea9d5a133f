import RunnelLoop
import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// A parser of Prometheus' text reads what metrics write.
@Suite struct PrometheusTests {
  @Test(arguments: seeds(20)) func randomMetricsAreReadAsTheyAre(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let parts = ["a", "\\", "\"", "\n", "é", "{", "}", ",", "=", " ", "\\n", "\u{0}", "#", "1"]
    func text() -> String {
      (0..<Int.random(in: 0..<6, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? ""
      }.joined()
    }
    let metrics = Metrics()
    var expected: Set<PrometheusText.Sample> = []
    for number in 0..<Int.random(in: 1..<5, using: &random) {
      let name = "m\(number)_total"
      let family = metrics.counters(name, text(), by: "first", "second")
      for _ in 0..<Int.random(in: 1..<5, using: &random) {
        let (first, second) = (text(), text())
        family[first, second].increment()
        expected = expected.filter {
          $0.name != name || $0.labels != ["first": first, "second": second]
        }
        expected.insert(
          PrometheusText.Sample(
            name: name, labels: ["first": first, "second": second],
            value: Double(family[first, second].value)))
      }
    }
    let times = metrics.histogram("time_seconds", text(), limits: [0.1, 1, 10])
    for _ in 0..<10 { times.record(Double.random(in: 0...20, using: &random)) }
    let read = try PrometheusText(metrics.text)
    let counters = read.samples.filter { !$0.name.hasPrefix("time_seconds") }
    #expect(Set(counters) == expected, "\(metrics.text)")
    #expect(read.metrics.last?.samples.count == 6)
  }

  @Test func processLoopAndServersAreRead() async throws {
    let text = await withLoop { loop in
      loop.wait {
        let metrics = Metrics()
        metrics.addProcess()
        metrics.add(loop)
        let server = HTTPServer(on: TestNetwork(on: TestScheduler()))
        server.count(in: HTTPMetrics(metrics))
        server.get("/a\"b") { _ in "\n" }
        for target in ["/a%22b", "/none"] {
          server.test(HTTPRequest(.get, target)).observe(succeeded: { _ in })
        }
        return metrics.text
      }
    }
    let read = try PrometheusText(text)
    #expect(read.metrics.count > 15)
    #expect(read.metrics.allSatisfy { !$0.help.isEmpty })
  }

  @Test(arguments: [
    "a 1\n", "# HELP a b\na 1\n", "# HELP a b\n# TYPE a counter\na 1", "# TYPE a counter\na 1\n",
    "# HELP a b\n# TYPE a counter\na{b=\"c} 1\n", "# HELP a b\n# TYPE a counter\na x\n",
    "# HELP a b\n# TYPE a counter\na 1\na 2\n", "# HELP a b\n# TYPE a counter\nb 1\n",
    "# HELP a b\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_count 1\n",
  ]) func theParserIsStrict(_ text: String) {
    #expect(throws: PrometheusText.Invalid.self) { try PrometheusText(text) }
  }
}
