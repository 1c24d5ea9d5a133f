import Glibc
import RunnelLoop
import RunnelStreams
import RunnelSupervisor

/// Keeps a shell that has started another process, and prints the identifiers of both.
@MainActor func superviseForever() {
  let supervisor = Supervisor(on: .main)
  let child = supervisor.add("child", running: "/bin/sh", ["-c", "sleep 1000 & echo $!; wait"])
  child.lines.observeNext { [weak child] line in
    printLine("\(child?.row.value.identifier ?? 0) \(line)")
  }
  supervisor.start()
  EventLoop.main.run()
  withExtendedLifetime(supervisor) {}
}
