import Glibc
import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@Suite struct EventBaseTests {
  /// libevent can select its backend by environment variables. The loop relies on edge triggering,
  /// which only epoll has. With another backend it would not sleep until the timer is due.
  @Test func ignoresBackendInEnvironment() async {
    await #expect(processExitsWith: .success) {
      setenv("EVENT_NOEPOLL", "1", 1)
      setenv("EVENT_EPOLL_USE_CHANGELIST", "1", 1)
      await withLoop { loop in
        let log = EventLog<Int>()
        loop.execute {
          let before = loop.statistics.turns
          _ = loop.schedule(after: .milliseconds(50)) { log.add(loop.statistics.turns - before) }
        }
        let turns = log.wait(for: 1)[0]
        require(turns < 10, "The loop has turned \(turns) times to wait for one timer.")
      }
    }
  }
}
