import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct ProcessMetricsTests {
  private func value(_ name: String, in metrics: Metrics) -> Double? {
    metrics.text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }?
      .split(separator: " ").last.flatMap { Double($0) }
  }

  @Test func processIsMeasured() throws {
    let metrics = Metrics()
    metrics.addProcess()
    let memory = try #require(value("process_resident_memory_bytes", in: metrics))
    #expect(memory > 1_000_000 && memory < 100e9)
    #expect(try #require(value("process_cpu_seconds_total", in: metrics)) > 0)
    let limit = try #require(value("process_max_fds", in: metrics))
    let open = try #require(value("process_open_fds", in: metrics))
    #expect(open >= 3 && open <= limit)
    let start = try #require(value("process_start_time_seconds", in: metrics))
    let age = Double(time(nil)) - start
    #expect(age > -2 && age < 100_000)
  }

  @Test("Running children are counted until they are reaped")
  func childrenAreCounted() async {
    await withLoop { loop in
      let metrics = Metrics()
      metrics.addProcess()
      let children = Confined<[ChildProcess]>([])
      let ended = EventLog<Void>()
      loop.wait {
        children.value = (0..<3).compactMap { _ in try? ChildProcess("sleep", ["100"], on: loop) }
        for child in children.value { child.exit.observeNext { _ in ended.add(()) } }
      }
      // Other tests run children at the same time.
      #expect((value("runnel_children", in: metrics) ?? 0) >= 3)
      loop.wait { for child in children.value { child.terminate() } }
      #expect(ended.wait(for: 3).count == 3)
      loop.wait { children.value = [] }
    }
  }
}
