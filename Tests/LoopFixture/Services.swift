import Glibc
import RunnelLoop
import RunnelStreams

struct Broken: Error {}

/// Prints how a service has ended, and exits with its code.
private func finish(_ outcome: Lifecycle.Outcome) -> Never {
  let failures = outcome.failures.map(\.step).joined(separator: " ")
  let unfinished = outcome.unfinished.joined(separator: " ")
  printLine("reason \(outcome.reason)")
  printLine("failures \(failures)")
  printLine("unfinished \(unfinished)")
  exit(outcome.exitCode)
}

/// Waits until the task is cancelled.
private func waitForever() async throws {
  while true { try await Task.sleep(for: .seconds(86_400)) }
}

/// Runs a service with three shutdown steps, one of which fails, a reload observer and a reload
/// step. Input shuts it down.
@MainActor func serve() {
  finish(
    EventLoop.main.runUntilTerminated(deadline: .seconds(86_400)) { service in
      await Task.yield()
      service.onShutdown("first") {
        for _ in 0..<10 { await Task.yield() }
        printLine("shut down first")
      }
      service.onShutdown("second") {
        printLine("shut down second")
        throw Broken()
      }
      service.onShutdown(
        "third",
        Completable<Never>(
          .deferred {
            printLine("shut down third")
            return EventStream<Void, Never>.timer(after: .milliseconds(1)).ignoreElements()
          }))
      service.reloads.observeNext { printLine("reload") }
      service.onReload {
        await Task.yield()
        printLine("reloaded")
      }
      service.report("serving\nREADY=0")
      EventLoop.main.readable(STDIN_FILENO).take(1).observe(
        next: { service.shutDown() }, failed: { printLine("\($0)") })
      printLine("ready")
    })
}

/// Runs a service whose reload fails, and prints the report.
@MainActor func failToReload() {
  Hooks.unhandledFailure = { printLine("\($0)") }
  finish(
    EventLoop.main.runUntilTerminated { service in
      service.onReload { throw Broken() }
      printLine("ready")
    })
}

/// Runs a service with a step that never ends, and without a practical deadline.
@MainActor func hangDuringShutdown() {
  finish(
    EventLoop.main.runUntilTerminated(deadline: .seconds(86_400)) { service in
      service.onShutdown("hanging") {
        printLine("hanging")
        try await waitForever()
      }
      printLine("ready")
    })
}

/// Runs the hanging service in a process that was started with SIGINT ignored.
@MainActor func hangWithIgnoredInterrupts() {
  signal(SIGINT, SIG_IGN)
  hangDuringShutdown()
}

/// Runs a service with a step that blocks the main thread.
@MainActor func blockMainThreadDuringShutdown() {
  finish(
    EventLoop.main.runUntilTerminated(deadline: .seconds(86_400)) { service in
      service.onShutdown("blocked") {
        printLine("blocked")
        while true { pause() }
      }
      printLine("ready")
    })
}

/// Runs forever and ignores cancellation.
private func spinForever() async {
  await Task.detached { while true { await Task.yield() } }.value
}

/// Runs a service with a step that exceeds the deadline.
@MainActor func exceedDeadline() {
  finish(
    EventLoop.main.runUntilTerminated(deadline: .milliseconds(20)) { service in
      service.onShutdown("stuck") { await spinForever() }
      printLine("ready")
    })
}

/// Runs a service with a step that exceeds its share of the time, and a later one that ends the
/// run.
@MainActor func exceedShare() {
  finish(
    EventLoop.main.runUntilTerminated(deadline: .seconds(4)) { service in
      service.onShutdown("last") {
        printLine("last")
        EventLoop.main.stop()
      }
      service.onShutdown("stuck") { await spinForever() }
      service.onShutdown("quick") { printLine("quick") }
      printLine("ready")
    })
}

/// Runs a service with a step that has its own limit, and without a practical deadline.
@MainActor func exceedLimit() {
  finish(
    EventLoop.main.runUntilTerminated(deadline: .seconds(86_400)) { service in
      service.onShutdown("first") { printLine("first") }
      service.onShutdown("hanging", within: .milliseconds(20)) { try await waitForever() }
      printLine("ready")
    })
}

/// Runs a setup that adds a step and then ignores cancellation.
@MainActor func ignoreCancellationInSetup() {
  finish(
    EventLoop.main.runUntilTerminated(deadline: .seconds(4)) { service in
      service.onShutdown("opened") {
        printLine("shut down opened")
        EventLoop.main.stop()
      }
      printLine("waiting")
      await spinForever()
    })
}

/// Runs a service that prints lines forever, and reports its shutdown on descriptor 3.
@MainActor func serveAndPrintForever() {
  let outcome = EventLoop.main.runUntilTerminated { service in
    let talk = EventStream<Int, Never>.interval(.milliseconds(1)).observeNext { printLine("\($0)") }
    service.onShutdown("talk") {
      talk.dispose()
      printLine("unread")
      _ = write(3, "shut down\n", 10)
    }
  }
  printLine("unread")
  exit(outcome.exitCode)
}

/// Runs a setup that adds a step and then fails.
@MainActor func failDuringSetup() {
  finish(
    EventLoop.main.runUntilTerminated { service in
      service.onShutdown("opened") { printLine("shut down opened") }
      throw Broken()
    })
}

/// Runs a setup that waits forever.
@MainActor func neverFinishSetup() {
  finish(
    EventLoop.main.runUntilTerminated(deadline: .seconds(86_400)) { service in
      service.onShutdown("opened") { printLine("shut down opened") }
      printLine("waiting")
      defer { service.onShutdown("late") { printLine("shut down late") } }
      try await waitForever()
    })
}

/// Runs a service whose loop is stopped directly.
@MainActor func stopLoop() {
  finish(
    EventLoop.main.runUntilTerminated { service in
      service.onShutdown("one") { printLine("shut down one") }
      service.onShutdown("two") { printLine("shut down two") }
      EventLoop.main.stop()
    })
}

/// Prints the descriptors that were passed, and the number that a second call returns.
@MainActor func printPassedDescriptors() {
  do {
    for passed in try Activation.descriptors() {
      let isClosedOnExec = fcntl(passed.number, F_GETFD) & FD_CLOEXEC != 0
      printLine("\(passed.number) \(passed.name) \(isClosedOnExec)")
    }
    printLine("then \(try Activation.descriptors().count)")
  } catch {
    printLine("\(error)")
  }
  for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] where getenv(name) != nil {
    printLine("\(name) is set")
  }
}
