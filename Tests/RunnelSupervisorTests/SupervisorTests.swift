import Glibc
import RunnelCollections
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@testable import RunnelSupervisor

/// A supervisor on a loop, and the rows of its children.
private final class Run: Sendable {
  let loop: EventLoop
  let rows = EventLog<[ChildRow]>()
  let lines = EventLog<String>()
  private let supervisor = Confined<Supervisor?>(nil)

  init(on loop: EventLoop, _ build: @escaping @Sendable (Supervisor) -> Void) {
    self.loop = loop
    loop.wait { [self] in
      let supervisor = Supervisor(on: loop)
      self.supervisor.value = supervisor
      build(supervisor)
      supervisor.rows.observe { self.rows.add(Array($0.collection)) }
      for child in supervisor.children { child.lines.observeNext { self.lines.add($0) } }
      supervisor.start()
    }
  }

  func use<Output: Sendable>(_ body: @escaping @Sendable (Supervisor) -> Output) -> Output {
    loop.wait { [supervisor] in
      guard let supervisor = supervisor.value else { fatalError("It was released.") }
      return body(supervisor)
    }
  }

  /// Waits until the newest row of a child meets a condition.
  @discardableResult
  func wait(for index: Int = 0, until holds: (ChildRow) -> Bool) -> ChildRow {
    let all = rows.wait { all in all.contains { holds($0[index]) } }
    guard let row = all.last(where: { holds($0[index]) })?[index] else { fatalError("No row.") }
    return row
  }

  /// Ends the children, and waits for that.
  func stop() {
    let ends = EventLog<Void>()
    use { supervisor in _ = supervisor.stop().observe(completed: { ends.add(()) }) }
    ends.wait(for: 1)
  }

  /// Releases the supervisor, and waits until the loop has reaped its processes. A process that is not
  /// reaped would hide the end of other tests' processes from the testing library.
  func release(_ afterwards: () -> Void = {}) {
    let guardian = use { $0.guardian.process?.identifier }
    loop.wait { [supervisor] in supervisor.value = nil }
    afterwards()
    let children = rows.all.joined().compactMap(\.identifier)
    for process in Set(children + [guardian].compactMap { $0 }) {
      while kill(process, 0) == 0 { sched_yield() }
    }
  }
}

extension Supervisor {
  /// Adds a shell script, which is restarted without a delay.
  @discardableResult
  fileprivate func add(
    script: String, named name: String = "a", _ change: (inout ChildRules) -> Void = { _ in }
  ) -> SupervisedChild {
    add(name, "/bin/sh", ["-c", script]) { rules in
      rules.backoff = Backoff(initial: .zero, maximum: .zero)
      rules.grace = .seconds(60)
      change(&rules)
    }
  }
}

/// Waits until a process has ended, reaped or not.
private func waitForEnd(of process: Int32) {
  while isRunning(process) { sched_yield() }
}

@Suite struct SupervisorTests {
  @Test func startsAgainWhatEnds() async {
    await withLoop { loop in
      let run = Run(on: loop) { supervisor in supervisor.add(script: "exit 7") }
      let row = run.wait { $0.restartCount == 3 }
      #expect(row.lastStatus == .exited(7))
      run.stop()
      #expect(run.rows.all.last?[0].state == .ended)
      run.release()
    }
  }

  @Test(arguments: [
    (Restart.always, "exit 0", true), (.onFailure, "exit 0", false), (.onFailure, "exit 1", true),
    (.onFailure, "kill -9 $$", true), (.never, "exit 1", false),
  ])
  func restartsAsItsRulesSay(_ restart: Restart, _ script: String, _ again: Bool) async {
    await withLoop { loop in
      let run = Run(on: loop) { supervisor in
        supervisor.add(script: script) { $0.restart = restart }
      }
      let row = run.wait { $0.restartCount == 1 || $0.state == .ended }
      #expect((row.restartCount == 1) == again)
      run.stop()
      run.release()
    }
  }

  @Test("A child that fails too often is given up")
  func givesUp() async {
    await withLoop { loop in
      let run = Run(on: loop) { supervisor in
        supervisor.add(script: "exit 1") {
          $0.restartLimit = RestartLimit(2, within: .seconds(3_600))
        }
        supervisor.add(script: "exec sleep 1000", named: "b")
      }
      let row = run.wait { $0.state == .givenUp }
      #expect(row.restartCount == 2)
      run.wait(for: 1) { $0.state == .running }
      run.stop()
      run.release()
    }
  }

  @Test("Children are started when those before them are ready, and end in the opposite order")
  func keepsTheOrder() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let pipe = folder["pipe"]
      mkfifo(pipe, 0o600)
      let run = Run(on: loop) { supervisor in
        // Ready when another process has written to the pipe.
        supervisor.add(script: "read line < \(pipe); echo $line; exec sleep 1000") { rules in
          rules.readiness = .line(containing: "go")
        }
        supervisor.add(script: "exec sleep 1000", named: "b")
      }
      run.wait { $0.state == .starting }
      #expect(run.use { $0.rows[1].state } == .waiting)
      let writer = open(pipe, O_WRONLY)
      _ = write(writer, "go\n", 3)
      close(writer)
      run.wait(for: 1) { $0.state == .running }
      #expect(run.lines.all == ["go"])
      #expect(run.rows.all.allSatisfy { $0[1].state == .waiting || $0[0].state == .running })
      run.stop()
      let last = run.rows.all.suffix(5)
      #expect(last.allSatisfy { $0[0].state != .stopping || $0[1].state == .ended })
      #expect(last.last?.map(\.state) == [.ended, .ended])
      // It can be started again.
      run.use { $0.start() }
      run.wait(for: 1) { $0.state == .running }
      run.stop()
      run.release()
    }
  }

  @Test func isReadyByNotification() async {
    await withLoop { loop in
      let run = Run(on: loop) { supervisor in
        supervisor.add(script: "echo >&3; exec sleep 1000") { $0.readiness = .notification }
      }
      run.wait { $0.state == .running }
      run.stop()
      run.release()
    }
  }

  @Test func isReadyWhenItListens() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let path = folder["socket"]
      let run = Run(on: loop) { supervisor in
        supervisor.add(script: "exec sleep 1000") { $0.readiness = .listening(.unix(path)) }
      }
      run.wait { $0.state == .starting }
      let listener = Confined<Listener?>(nil)
      loop.wait { listener.value = try? Listener(.unix(path), on: loop) }
      run.wait { $0.state == .running }
      run.stop()
      run.release()
      loop.wait { listener.value = nil }
    }
  }

  @Test("A child that is not ready in time is stopped, which is a failure")
  func stopsWhatIsLate() async {
    await withLoop { loop in
      let run = Run(on: loop) { supervisor in
        supervisor.add(script: "trap 'exit 0' TERM; sleep 1000 & wait") { rules in
          rules.readiness = .line(containing: "never")
          rules.readinessTime = .milliseconds(1)
          rules.restart = .onFailure
        }
      }
      run.wait { $0.restartCount == 1 }
      run.stop()
      run.release()
    }
  }

  @Test("What remains of the group of a child is killed")
  func killsTheGroup() async {
    await withLoop { loop in
      let run = Run(on: loop) { supervisor in
        supervisor.add(script: "sleep 1000 & echo $!; exit 1") { $0.restart = .never }
      }
      let process = Int32(run.lines.wait(for: 1)[0]) ?? 0
      run.wait { $0.state == .ended }
      #expect(process > 0)
      waitForEnd(of: process)
      run.release()
    }
  }

  @Test func aProgramThatIsMissingIsTriedAgain() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let path = folder["program"]
      let run = Run(on: loop) { supervisor in
        supervisor.add("a", path) {
          $0.backoff = Backoff(initial: .milliseconds(1), maximum: .zero)
        }
      }
      let row = run.wait { $0.restartCount == 2 }
      #expect(row.lastError == .missing(path))
      folder.write("program", "#!/bin/sh\nexec sleep 1000\n")
      chmod(path, 0o755)
      run.wait { $0.state == .running && $0.lastError == nil }
      run.stop()
      run.release()
    }
  }

  @Test func restartsOnRequest() async {
    await withLoop { loop in
      let run = Run(on: loop) { supervisor in supervisor.add(script: "exec sleep 1000") }
      let first = run.wait { $0.state == .running }.identifier
      run.use { $0.children[0].restart() }
      let second = run.wait { $0.state == .running && $0.identifier != first }
      #expect(second.lastStatus == .ended(by: .terminate) && second.restartCount == 0)
      run.stop()
      run.release()
    }
  }

  @Test("Children die with the supervisor, or live on")
  func endsWithTheSupervisor() async {
    await withLoop { loop in
      for isKept in [false, true] {
        let run = Run(on: loop) { supervisor in
          supervisor.add(script: "sleep 1000 & echo $!; wait") { $0.endsWithParent = !isKept }
        }
        let inner = Int32(run.lines.wait(for: 1)[0]) ?? 0
        let outer = run.wait { $0.state == .running }.identifier ?? 0
        run.release {
          guard isKept else { return }
          #expect(isRunning(outer) && isRunning(inner))
          kill(-outer, SIGKILL)
        }
        waitForEnd(of: inner)
      }
    }
  }

  @Test("Children die when their parent is killed")
  func endsWithItsParent() async {
    await withFixture(["supervising"]) { fixture in
      let processes = (fixture.readLine() ?? "").split(separator: " ").compactMap { Int32($0) }
      #expect(processes.count == 2 && processes.allSatisfy { isRunning($0) })
      fixture.send(.kill)
      #expect(fixture.wait() == .signal(.kill))
      for process in processes { waitForEnd(of: process) }
    }
  }

  @Test func longLinesAreDivided() async {
    await withLoop { loop in
      let run = Run(on: loop) { supervisor in
        supervisor.add(script: "head -c 200000 /dev/zero | tr '\\0' x; echo; echo end") {
          $0.restart = .never
        }
      }
      let lines = run.lines.wait { $0.last == "end" }
      #expect(lines.map(\.utf8.count) == Array(repeating: 4_096, count: 48) + [3_392, 3])
      run.release()
    }
  }

  @Test func metricsTellTheStates() async {
    await withLoop { loop in
      let run = Run(on: loop) { supervisor in supervisor.add(script: "exec sleep 1000") }
      run.wait { $0.state == .running }
      let text = run.use { supervisor in
        let metrics = Metrics()
        metrics.add(supervisor)
        return metrics.text
      }
      #expect(text.contains("runnel_child_ready{child=\"a\"} 1"))
      run.stop()
      run.release()
    }
  }
}

@Suite struct RestartPolicyTests {
  private func policy(_ change: (inout ChildRules) -> Void = { _ in }) -> RestartPolicy {
    var rules = ChildRules()
    rules.backoff = Backoff(initial: .seconds(1), maximum: .seconds(4), jitter: 0)
    change(&rules)
    return RestartPolicy(rules)
  }

  @Test func delaysGrowUntilAChildWasHealthy() {
    var policy = policy()
    var delays: [RestartPolicy.Decision] = []
    for healthy in [0, 0, 9, 9, 10, 0] {
      delays.append(
        policy.decide(isSuccess: false, healthyFor: .seconds(healthy), now: .zero))
    }
    #expect(delays == [1, 2, 4, 4, 1, 2].map { .restart(after: .seconds($0)) })
  }

  @Test func restartsAreCountedInATime() {
    var policy = policy { $0.restartLimit = RestartLimit(2, within: .seconds(10)) }
    func decide(_ second: Int) -> Bool {
      policy.decide(isSuccess: true, healthyFor: .zero, now: .seconds(second)) != .giveUp
    }
    #expect(
      [0, 5, 10, 11, 12, 16, 17].map(decide) == [true, true, false, true, false, true, false])
  }

  @Test func successEndsIfOnlyFailuresAreRestarted() {
    var policy = policy { $0.restart = .onFailure }
    #expect(policy.decide(isSuccess: true, healthyFor: .zero, now: .zero) == .end)
    #expect(policy.decide(isSuccess: false, healthyFor: .zero, now: .zero) != .end)
  }
}
