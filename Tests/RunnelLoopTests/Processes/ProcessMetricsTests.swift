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

  @Test("Running children are counted until they are reaped, in a process without other children")
  func childrenAreCounted() async {
    await #expect(processExitsWith: .exitCode(3)) {
      await withLoop { loop in
        func count() -> String? {
          loop.wait {
            let metrics = Metrics()
            metrics.addProcess()
            return metrics.text.split(separator: "\n").first { $0.hasPrefix("runnel_children ") }
              .map(String.init)
          }
        }
        let children = Confined<[ChildProcess]>([])
        let ended = EventLog<Void>()
        loop.wait {
          children.value = (0..<3).compactMap { _ in try? ChildProcess("sleep", ["100"], on: loop) }
          for child in children.value { child.exit.observeNext { _ in ended.add(()) } }
        }
        let during = count()
        loop.wait { for child in children.value { child.terminate() } }
        ended.wait(for: 3)
        let after = count()
        exit(during == "runnel_children 3" && after == "runnel_children 0" ? 3 : 1)
      }
    }
  }
}
