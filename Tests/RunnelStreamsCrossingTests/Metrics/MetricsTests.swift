import Glibc
import RunnelStreams
import Testing

@Suite struct MetricsTests {
  // MARK: Kinds

  @Test func countersGaugesAndHistogramsAreListed() {
    let metrics = Metrics()
    metrics.counter("posts_total", "Posts.").increment(by: 3)
    let size = metrics.gauge("size_bytes", "Size.")
    size.value = 1.5
    size.add(-2)
    metrics.gauge("read", "Read.") { 7 }
    let time = metrics.histogram("time_seconds", "Time.", limits: [0.5, 1])
    for value in [0.25, 0.5, 0.75, 4] { time.record(value) }
    time.record(.milliseconds(250))
    time.record(.nan)
    time.record(.infinity)
    #expect(time.count == 5)
    #expect(time.sum == 5.75)
    #expect(
      metrics.text == """
        # HELP posts_total Posts.
        # TYPE posts_total counter
        posts_total 3
        # HELP size_bytes Size.
        # TYPE size_bytes gauge
        size_bytes -0.5
        # HELP read Read.
        # TYPE read gauge
        read 7
        # HELP time_seconds Time.
        # TYPE time_seconds histogram
        time_seconds_bucket{le="0.5"} 3
        time_seconds_bucket{le="1"} 4
        time_seconds_bucket{le="+Inf"} 5
        time_seconds_sum 5.75
        time_seconds_count 5

        """)
  }

  @Test func labelsAreEscapedAndOrdered() {
    let metrics = Metrics()
    let requests = metrics.counters(
      "requests_total", "A \"help\"\\\nof two lines.", by: "path", "status")
    requests["/b", "200"].increment()
    requests["/a\"\\\n", "404"].increment(by: 2)
    requests["/b", "200"].increment()
    #expect(
      metrics.text == #"""
        # HELP requests_total A "help"\\\nof two lines.
        # TYPE requests_total counter
        requests_total{path="/a\"\\\n",status="404"} 2
        requests_total{path="/b",status="200"} 2

        """#)
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (1e15, "1000000000000000"), (1e300, "1e+300"), (0.1, "0.1"),
    (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
  ]) func numbersHaveTheFormOfPrometheus(_ number: Double, _ text: String) {
    let metrics = Metrics()
    metrics.gauge("a", "b").value = number
    #expect(metrics.text.hasSuffix("\na \(text)\n"))
  }

  @Test func theSameNameGivesTheSameMetric() {
    let metrics = Metrics()
    #expect(metrics.counter("a", "b") === metrics.counter("a", "b"))
    #expect(metrics.histogram("c", "d") === metrics.histogram("c", "d"))
    #expect(metrics.gauges("e", "f", by: "g")["h"] === metrics.gauges("e", "f", by: "g")["h"])
  }

  @Test func labelsMayComeInArrays() {
    let metrics = Metrics()
    let labels = ["a", "b"]
    metrics.counters("c_total", "C.", by: labels)[["1", "2"]].increment()
    metrics.gauges("g", "G.", by: labels)[["1", "2"]].value = 3
    metrics.histograms("h", "H.", limits: [1], by: labels)[["1", "2"]].record(0.5)
    #expect(metrics.counters("c_total", "C.", by: "a", "b")["1", "2"].value == 1)
    #expect(metrics.text.contains("g{a=\"1\",b=\"2\"} 3\n"))
    #expect(metrics.text.contains("h_count{a=\"1\",b=\"2\"} 1\n"))
    #expect(metrics.gauges("x", "X.", by: [])[[]].value == 0)
  }

  @Test func inventedValuesDoNotFillTheMemory() {
    let metrics = Metrics()
    let family = metrics.counters("a_total", "b", by: "path", "status")
    for number in 0..<12_000 { family["/\(number)", "200"].increment() }
    family["/0", "200"].increment()
    #expect(family["other", "other"].value == 2_000)
    #expect(family["/0", "200"].value == 2)
    #expect(metrics.text.split(separator: "\n").count == 2 + 10_001)
  }

  @Test func updatesRunBeforeTheTextUntilDisposed() {
    let metrics = Metrics()
    let count = metrics.counter("a_total", "b")
    let update = metrics.update { count.increment() }
    metrics.update { count.increment(by: 10) }
    #expect(metrics.text.hasSuffix("\na_total 11\n"))
    update.dispose()
    #expect(metrics.text.hasSuffix("\na_total 21\n"))
  }

  // MARK: Binding and threads

  @Test func streamsAreBound() {
    let metrics = Metrics()
    let (count, size) = (metrics.counter("a_total", "b"), metrics.gauge("c", "d"))
    let (steps, sizes) = (PushStream<Int>(), Property(2.0))
    steps.bind(to: count)
    let binding = sizes.bind(to: size)
    steps.next(2)
    steps.next(3)
    sizes.value = 4
    binding.dispose()
    sizes.value = 5
    #expect(count.value == 5)
    #expect(size.value == 4)
  }

  @Test func threadsLoseNothing() {
    let metrics = Metrics()
    let count = metrics.counters("a_total", "b", by: "c")
    let (size, time) = (metrics.gauge("d", "e"), metrics.histogram("f", "g", limits: [1]))
    let threads = (0..<4).map { thread in
      startThread {
        for _ in 0..<5_000 {
          count["\(thread % 2)"].increment()
          size.add(0.5)
          time.record(Double(thread))
        }
      }
    }
    for thread in threads { pthread_join(thread, nil) }
    #expect(count["0"].value == 10_000)
    #expect(size.value == 10_000)
    #expect(time.count == 20_000)
    #expect(time.sum == 30_000)
  }

  // MARK: Misuse

  @Test func misuseTraps() async {
    await #expect(processExitsWith: .failure) { Metrics().counter("1a", "b") }
    await #expect(processExitsWith: .failure) { Metrics().counter("", "b") }
    await #expect(processExitsWith: .failure) { Metrics().counters("a", "b", by: "__c") }
    await #expect(processExitsWith: .failure) { Metrics().counter("a", "b").increment(by: -1) }
    await #expect(processExitsWith: .failure) {
      _ = Metrics().counters("a", "b", by: "c")["1", "2"]
    }
    await #expect(processExitsWith: .failure) { Metrics().histogram("a", "b", limits: [2, 1]) }
    await #expect(processExitsWith: .failure) { Metrics().counters("a", "b", by: "c", "c") }
    await #expect(processExitsWith: .failure) {
      let metrics = Metrics()
      metrics.histogram("a", "b")
      metrics.counter("a_count", "b")
    }
    await #expect(processExitsWith: .failure) {
      let metrics = Metrics()
      metrics.counter("a_sum", "b")
      metrics.histogram("a", "b")
    }
    await #expect(processExitsWith: .failure) {
      let metrics = Metrics()
      metrics.counter("a", "b")
      metrics.gauge("a", "b")
    }
  }
}
