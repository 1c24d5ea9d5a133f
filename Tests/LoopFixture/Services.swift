import Glibc
import RunnelLoop
import RunnelStreams

struct Broken: Error {}

/// Says how a service has ended, and exits with its code.
private func finish(_ outcome: Lifecycle.Outcome) -> Never {
  let failures = outcome.failures.map(\.step).joined(separator: " ")
  let unfinished = outcome.unfinished.joined(separator: " ")
  say("reason \(outcome.reason)")
  say("failures \(failures)")
  say("unfinished \(unfinished)")
  exit(outcome.exitCode)
}

/// Never returns unless it is cancelled.
private func waitForEver() async throws {
  while true { try await Task.sleep(for: .seconds(86_400)) }
}

/// A service with three steps, one of which fails, and two things to do on a reload. The second
/// line that it reads shuts it down.
@MainActor func serve() {
  finish(
    EventLoop.main.runUntilTerminated(deadline: .seconds(86_400)) { service in
      await Task.yield()
      service.onShutdown("first") {
        for _ in 0..<10 { await Task.yield() }
        say("shut down first")
      }
      service.onShutdown("second") {
        say("shut down second")
        throw Broken()
      }
      service.onShutdown(
        "third",
        Completable<Never>(
          .deferred {
            say("shut down third")
            return EventStream<Void, Never>.timer(after: .milliseconds(1)).ignoreElements()
          }))
      service.reloads.observeNext { say("reload") }
      service.onReload {
        await Task.yield()
        say("reloaded")
      }
      service.report("serving\nREADY=0")
      EventLoop.main.readable(STDIN_FILENO).take(1).observe(
        next: { service.shutDown() }, failed: { say("\($0)") })
      say("ready")
    })
}

/// A service with a step that never ends, and a deadline that never comes.
@MainActor func hangDuringShutdown() {
  finish(
    EventLoop.main.runUntilTerminated(deadline: .seconds(86_400)) { service in
      service.onShutdown("hanging") {
        say("hanging")
        try await waitForEver()
      }
      say("ready")
    })
}

/// The same, where the process was started so that Ctrl-C has no effect.
@MainActor func hangThoughInterruptsWereIgnored() {
  signal(SIGINT, SIG_IGN)
  hangDuringShutdown()
}

/// The same, with a step that lets nothing else run.
@MainActor func blockTheMainThreadDuringShutdown() {
  finish(
    EventLoop.main.runUntilTerminated(deadline: .seconds(86_400)) { service in
      service.onShutdown("blocked") {
        say("blocked")
        while true { pause() }
      }
      say("ready")
    })
}

/// Does not notice that it is cancelled.
private func spinForEver() async {
  await Task.detached { while true { await Task.yield() } }.value
}

/// A service with a step that does not notice the deadline.
@MainActor func hangBeyondTheDeadline() {
  finish(
    EventLoop.main.runUntilTerminated(deadline: .milliseconds(20)) { service in
      service.onShutdown("deaf") { await spinForEver() }
      say("ready")
    })
}

/// A service with a step that uses up its share of the time, and then ends the run.
@MainActor func hangBeyondAShare() {
  finish(
    EventLoop.main.runUntilTerminated(deadline: .seconds(4)) { service in
      service.onShutdown("last") {
        say("last")
        EventLoop.main.stop()
      }
      service.onShutdown("deaf") { await spinForEver() }
      service.onShutdown("quick") { say("quick") }
      say("ready")
    })
}

/// A service with a step that has a limit of its own, and a deadline that never comes.
@MainActor func hangBeyondALimit() {
  finish(
    EventLoop.main.runUntilTerminated(deadline: .seconds(86_400)) { service in
      service.onShutdown("first") { say("first") }
      service.onShutdown("hanging", within: .milliseconds(20)) { try await waitForEver() }
      say("ready")
    })
}

/// A setup that adds a step, and then does not notice that it is cancelled.
@MainActor func neverReturnFromSetup() {
  finish(
    EventLoop.main.runUntilTerminated(deadline: .seconds(4)) { service in
      service.onShutdown("opened") {
        say("shut down opened")
        EventLoop.main.stop()
      }
      say("waiting")
      await spinForEver()
    })
}

/// A service that prints lines for ever, and says on descriptor 3 that it is shut down.
@MainActor func serveAndTalkForEver() {
  let outcome = EventLoop.main.runUntilTerminated { service in
    let talk = EventStream<Int, Never>.interval(.milliseconds(1)).observeNext { say("\($0)") }
    service.onShutdown("talk") {
      talk.dispose()
      say("nobody reads this")
      _ = write(3, "shut down\n", 10)
    }
  }
  say("nor this")
  exit(outcome.exitCode)
}

/// A setup that adds a step and then fails.
@MainActor func failDuringSetup() {
  finish(
    EventLoop.main.runUntilTerminated { service in
      service.onShutdown("opened") { say("shut down opened") }
      throw Broken()
    })
}

/// A setup that waits for ever.
@MainActor func neverFinishSetup() {
  finish(
    EventLoop.main.runUntilTerminated(deadline: .seconds(86_400)) { service in
      service.onShutdown("opened") { say("shut down opened") }
      say("waiting")
      defer { service.onShutdown("late") { say("shut down late") } }
      try await waitForEver()
    })
}

/// A service whose loop is stopped by somebody else.
@MainActor func stopTheLoop() {
  finish(
    EventLoop.main.runUntilTerminated { service in
      service.onShutdown("one") { say("shut down one") }
      service.onShutdown("two") { say("shut down two") }
      EventLoop.main.stop()
    })
}

/// Says which descriptors were passed, and what the second call finds.
@MainActor func sayWhatWasPassed() {
  do {
    for passed in try Activation.descriptors() {
      let isClosedOnExec = fcntl(passed.number, F_GETFD) & FD_CLOEXEC != 0
      say("\(passed.number) \(passed.name) \(isClosedOnExec)")
    }
    say("then \(try Activation.descriptors().count)")
  } catch {
    say("\(error)")
  }
  for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] where getenv(name) != nil {
    say("\(name) is set")
  }
}
