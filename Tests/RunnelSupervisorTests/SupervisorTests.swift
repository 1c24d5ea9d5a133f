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

  /// Waits until a row of a child meets a condition, after some rows that were there before.
  @discardableResult
  func wait(
    for index: Int = 0, after count: Int = 0, until holds: (ChildRow) -> Bool
  ) -> ChildRow {
    let all = rows.wait { all in all.dropFirst(count).contains { holds($0[index]) } }
    guard let row = all.dropFirst(count).first(where: { holds($0[index]) })?[index] else {
      fatalError("No row.")
    }
    return row
  }

  /// The states of a child, one after another.
  func states(of index: Int = 0) -> [ChildState] {
    rows.all.map { $0[index].state }.reduce(into: []) { states, state in
      if states.last != state { states.append(state) }
    }
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
    add(name, running: "/bin/sh", ["-c", script]) { rules in
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
      func go() {
        let writer = open(pipe, O_WRONLY)
        _ = write(writer, "go\n", 3)
        close(writer)
      }
      go()
      run.wait(for: 1) { $0.state == .running }
      #expect(run.lines.all == ["go"])
      #expect(run.rows.all.allSatisfy { $0[1].state == .waiting || $0[0].state == .running })
      run.stop()
      let last = run.rows.all.suffix(5)
      #expect(last.allSatisfy { $0[0].state != .stopping || $0[1].state == .ended })
      #expect(last.last?.map(\.state) == [.ended, .ended])
      // It can be started again.
      let count = run.rows.count
      run.use { $0.start() }
      go()
      run.wait(for: 1, after: count) { $0.state == .running }
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
      let connections = EventLog<Void>()
      loop.wait {
        listener.value = try? Listener(.unix(path), on: loop)
        listener.value?.connections.observeNext { _ in connections.add(()) }
      }
      run.wait { $0.state == .running }
      connections.wait(for: 1)
      run.stop()
      run.release()
      // It is not tried any more.
      loop.wait { listener.value = nil }
      #expect(connections.count == 1)
    }
  }

  @Test("A child that is not ready in time is stopped, which is a failure")
  func stopsWhatIsLate() async {
    await withLoop { loop in
      let run = Run(on: loop) { supervisor in
        // It succeeds, but it is late.
        supervisor.add(script: "trap 'echo ready; exit 0' TERM; sleep 1000 & wait") { rules in
          rules.readiness = .line(containing: "ready")
          rules.readinessTime = .milliseconds(300)
          rules.restart = .onFailure
        }
      }
      run.wait { $0.restartCount == 1 }
      #expect(!run.states().contains(.running))
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
        supervisor.add("a", running: path) {
          $0.backoff = Backoff(initial: .milliseconds(1), maximum: .zero)
        }
      }
      let row = run.wait { $0.restartCount == 2 }
      #expect(row.lastError == .missing(path))
      // Each failure is followed by one attempt.
      #expect(Set(run.rows.all.map { $0[0].restartCount }).isSuperset(of: [0, 1, 2]))
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
      #expect(second.lastStatus == .ended(by: .terminate) && second.restartCount == 1)
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

  // MARK: - Calls from observers

  /// The methods that observers call when a child has a state.
  private static let reactions: [(ChildState, String)] = [
    (.starting, "stop"), (.starting, "restart"), (.running, "stop"), (.running, "restart"),
    (.delayed, "stop"), (.delayed, "start"), (.delayed, "restart"), (.stopping, "start"),
    (.stopping, "stop"), (.stopping, "restart"), (.ended, "start"), (.ended, "restart"),
  ]

  @Test("Observers may call any method, and one process runs at a time", arguments: reactions)
  func observersMayCallBack(_ state: ChildState, _ method: String) async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      // A process that runs beside another one says so.
      let script = """
        exec 9> \(folder["lock"])
        flock -n 9 || echo doubled
        trap 'exit 0' TERM
        echo up
        [ -e \(folder["stay"]) ] || exit 1
        sleep 1000 9>&- &
        wait
        """
      let run = Run(on: loop) { supervisor in
        let child = supervisor.add(script: script) { rules in
          rules.readiness = .line(containing: "up")
          // A process that the shell starts just after the signal does not get it.
          rules.grace = .milliseconds(200)
        }
        var calls = 0
        child.row.observeNext { [weak child] row in
          guard row.state == state, calls < 3 else { return }
          calls += 1
          switch method {
          case "start": child?.start()
          case "restart": child?.restart()
          default: child?.stop().observe(completed: {})
          }
        }
      }
      run.rows.wait { $0.count > 6 || $0.last?[0].state == .ended }
      folder.write("stay")
      run.use { $0.start() }
      run.stop()
      run.use { $0.start() }
      run.stop()
      run.release()
      #expect(!run.lines.all.contains("doubled"))
    }
  }

  @Test func aStoppedChildStaysStopped() async {
    await withLoop { loop in
      let run = Run(on: loop) { supervisor in
        let child = supervisor.add(script: "exit 1")
        child.row.observeNext { [weak child] row in
          if row.state == .delayed { child?.stop().observe(completed: {}) }
        }
      }
      run.wait { $0.state == .ended }
      #expect(run.states() == [.waiting, .running, .delayed, .ended])
      #expect(run.use { $0.rows[0].restartCount } == 0)
      run.release()
    }
  }

  @Test("A start during a stop wins")
  func startsDuringAStop() async {
    await withLoop { loop in
      let run = Run(on: loop) { supervisor in
        supervisor.add(script: "exec sleep 1000")
        supervisor.add(script: "exec sleep 1000", named: "b")
      }
      run.wait(for: 1) { $0.state == .running }
      let ends = EventLog<Void>()
      let count = run.rows.count
      run.use { supervisor in
        _ = supervisor.stop().observe(completed: { ends.add(()) })
        supervisor.start()
      }
      ends.wait(for: 1)
      run.wait(for: 1, after: count) { $0.state == .running }
      #expect(run.use { $0.rows[0].state } == .running)
      run.stop()
      #expect(run.rows.all.last?.map(\.state) == [.ended, .ended])
      run.release()
    }
  }

  @Test func stopEndsAlsoWhatIsRestartedMeanwhile() async {
    await withLoop { loop in
      let run = Run(on: loop) { supervisor in
        supervisor.add(script: "exec sleep 1000")
        let other = supervisor.add(script: "exec sleep 1000", named: "b")
        supervisor.children[0].row.observeNext { [weak other] row in
          if row.state == .stopping { other?.start() }
        }
      }
      run.wait(for: 1) { $0.state == .running }
      run.stop()
      #expect(run.use { $0.rows.value.map(\.state) } == [.ended, .ended])
      run.release()
    }
  }

  @Test func childrenCanBeRemoved() async {
    await withLoop { loop in
      let run = Run(on: loop) { supervisor in
        supervisor.add(script: "exec sleep 1000")
        supervisor.add(script: "exec sleep 1000", named: "b")
      }
      run.wait(for: 1) { $0.state == .running }
      let ends = EventLog<Void>()
      run.use { supervisor in
        _ = supervisor.remove(supervisor.children[0]).observe(completed: { ends.add(()) })
      }
      ends.wait(for: 1)
      #expect(run.use { $0.rows.value.map(\.name) } == ["b"])
      #expect(run.use { $0.children.count } == 1)
      run.stop()
      run.release()
    }
  }

  @Test func signalsReachTheChild() async {
    await withLoop { loop in
      let run = Run(on: loop) { supervisor in
        let script = """
          trap 'echo hup' HUP
          trap 'echo int; exit 0' INT
          echo up
          while :; do sleep 1000 & wait; done
          """
        supervisor.add(script: script) { rules in
          rules.readiness = .line(containing: "up")
          rules.stopSignal = .interrupt
          // A process that a shell starts in the background ignores this signal.
          rules.grace = .milliseconds(200)
        }
      }
      run.wait { $0.state == .running }
      #expect(run.use { $0.children[0].send(.hangup) })
      run.lines.wait(for: 2)
      run.stop()
      #expect(run.lines.wait(for: 3) == ["up", "hup", "int"])
      #expect(run.rows.all.last?[0].lastStatus == .exited(0))
      run.release()
    }
  }

  @Test("The others in the group have the grace period, too")
  func theGroupHasGrace() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      // The shell ends at once, and the one that it has started ends later.
      let script = """
        (
          trap 'sleep 0.2; echo saved > \(folder["file"]); exit' TERM
          echo up
          while :; do sleep 1000 & wait; done
        ) &
        wait
        """
      let run = Run(on: loop) { supervisor in
        supervisor.add(script: script) { $0.readiness = .line(containing: "up") }
      }
      run.wait { $0.state == .running }
      run.stop()
      #expect(contentsOfShortFile(folder["file"], below: 100) == Array("saved\n".utf8))
      run.release()
    }
  }

  @Test("The guardian is started again when something has killed it")
  func guardianIsRestarted() async {
    await withLoop { loop in
      let run = Run(on: loop) { supervisor in supervisor.add(script: "exec sleep 1000") }
      let child = run.wait { $0.state == .running }.identifier ?? 0
      let first = run.use { $0.guardian.process?.identifier } ?? 0
      kill(first, SIGKILL)
      var second: Int32?
      while second == nil || second == first {
        second = run.use { $0.guardian.process?.identifier }
      }
      run.release()
      waitForEnd(of: child)
    }
  }

  @Test func misuseTraps() async {
    let name = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await withLoop { loop in
        loop.wait {
          let supervisor = Supervisor(on: loop)
          supervisor.add("a", running: "true")
          supervisor.add("a", running: "true")
        }
      }
    }
    #expect(name.says("The supervisor has a child \"a\" already."))
    let rules = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await withLoop { loop in
        loop.wait {
          _ = Supervisor(on: loop).add("a", running: "true") { rules in
            rules.readiness = .line(containing: "x")
            rules.output = .inherited
          }
        }
      }
    }
    #expect(rules.says("Lines are not read from an inherited output."))
  }

  @Test func longLinesAreDivided() async {
    await withLoop { loop in
      let run = Run(on: loop) { supervisor in
        supervisor.add(script: "head -c 200000 /dev/zero | tr '\\0' x; echo; echo end") {
          $0.restart = .never
        }
      }
      let lines = run.lines.wait { $0.last == "end" }
      #expect(lines.map(\.utf8.count) == Array(repeating: 3_500, count: 57) + [500, 3])
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
      [0, 5, 10, 11, 12, 16, 17].map(decide) == [true, true, true, false, false, true, false])
  }

  @Test func successEndsIfOnlyFailuresAreRestarted() {
    var policy = policy { $0.restart = .onFailure }
    #expect(policy.decide(isSuccess: true, healthyFor: .zero, now: .zero) == .end)
    #expect(policy.decide(isSuccess: false, healthyFor: .zero, now: .zero) != .end)
  }
}
