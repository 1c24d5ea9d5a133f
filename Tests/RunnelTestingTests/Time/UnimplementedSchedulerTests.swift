import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct UnimplementedSchedulerTests {
  @Test func reportsEachUseAndRunsNothing() {
    var reports: [String] = []
    let scheduler = UnimplementedScheduler { reports.append($0) }
    var hasRun = false
    #expect(scheduler.now == .zero)
    _ = scheduler.schedule(at: .seconds(5)) { hasRun = true }
    #expect(reports.count == 2)
    #expect(reports.first?.contains("clock") == true)
    #expect(reports.last?.contains("5.0 seconds") == true)
    #expect(!hasRun)
  }

  @Test func reportsNothingWithoutUse() {
    let scheduler = UnimplementedScheduler { Issue.record("\($0)") }
    let recorder = Current.with(scheduler: scheduler) {
      EventStream<Int, Never>.sequence([1, 2]).map { $0 * 10 }.record()
    }
    #expect(recorder.elements == [10, 20])
  }

  @Test func useTrapsByDefault() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      EventStream<Int, Never>.just(1).debounce(for: .seconds(1), on: UnimplementedScheduler())
        .observeNext { _ in }
    }
    #expect(result.says("Pass the tested code a scheduler."))
  }
}
