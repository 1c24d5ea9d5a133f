import Glibc
import Runnel

let supervisor = Supervisor(on: .main)
supervisor.add("database", running: "sh", ["-c", "echo ready; exec sleep 1000"]) { rules in
  rules.readiness = .line(containing: "ready")
  rules.restartLimit = RestartLimit(5, within: .seconds(60))
}
supervisor.add("import", running: "true") { $0.restart = .onFailure }

let outcome = EventLoop.main.runUntilTerminated { service in
  service.onShutdown("children", supervisor.stop())
  supervisor.isReady.filter { $0 }.take(1).observeNext { _ in
    print("All programs are ready.")
    service.shutDown()  // a real service goes on until SIGTERM
  }
  supervisor.start()
}
exit(outcome.exitCode)

// Output:
// All programs are ready.
