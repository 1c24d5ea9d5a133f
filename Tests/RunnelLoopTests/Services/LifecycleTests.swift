import Glibc
import RunnelLoop
import TestSupport
import Testing

@Suite struct LifecycleTests {
  @Test(arguments: [Signal.terminate, .interrupt])
  func shutsDownInReverseOrder(_ signal: Signal) async {
    await withFixture(["service"]) { fixture in
      #expect(fixture.readLine() == "ready")
      fixture.send(signal)
      #expect(
        fixture.remainingLines() == [
          "shut down third", "shut down second", "shut down first", "reason shut down by \(signal)",
          "failures second", "unfinished ",
        ])
      #expect(fixture.wait() == .exit(1))
    }
  }

  @Test func shutsDownOnRequest() async {
    await withFixture(["service"]) { fixture in
      #expect(fixture.readLine() == "ready")
      fixture.write("enough")
      #expect(fixture.lines(to: "reason shut down on request").count == 4)
      #expect(fixture.wait() == .exit(1))
    }
  }

  @Test func manyTerminationsCauseOneShutdown() async {
    await withFixture(["service"]) { fixture in
      #expect(fixture.readLine() == "ready")
      for _ in 0..<10_000 { fixture.send(.terminate) }
      let lines = fixture.remainingLines()
      #expect(lines.filter { $0.hasPrefix("shut down") }.count == 3)
      #expect(lines.last == "unfinished ")
      #expect(fixture.wait() == .exit(1))
    }
  }

  @Test func lateTerminationsDoNotEndProcess() async {
    await withFixture(["service"]) { fixture in
      #expect(fixture.readLine() == "ready")
      var lines: [String] = []
      fixture.send(.terminate)
      while let line = fixture.readLine() {
        lines.append(line)
        for _ in 0..<1_000 { fixture.send(.terminate) }
      }
      #expect(lines.count == 6)
      #expect(fixture.wait() == .exit(1))
    }
  }

  @Test(arguments: [("hanging", "hanging"), ("ignoring", "hanging"), ("blocked", "blocked")])
  func secondInterruptEndsProcess(_ command: String, _ step: String) async {
    await withFixture([command]) { fixture in
      #expect(fixture.readLine() == "ready")
      fixture.send(.interrupt)
      #expect(fixture.readLine() == step)
      fixture.send(.terminate)
      fixture.send(.hangup)
      fixture.send(.interrupt)
      #expect(fixture.remainingLines() == [])
      #expect(fixture.wait() == .signal(.interrupt))
    }
  }

  @Test func firstInterruptAfterTerminationIsFirst() async {
    await withFixture(["hanging"]) { fixture in
      #expect(fixture.readLine() == "ready")
      fixture.send(.terminate)
      #expect(fixture.readLine() == "hanging")
      fixture.send(.interrupt)
      fixture.send(.terminate)
      // The fixture stops observing SIGINT after the first one, so one of the next is immediate.
      var ending = fixture.endingIfAny()
      while ending == nil {
        fixture.send(.interrupt)
        ending = fixture.endingIfAny()
      }
      #expect(ending == .signal(.interrupt))
    }
  }

  @Test func deadlineEndsRun() async {
    await withFixture(["late"]) { fixture in
      #expect(fixture.readLine() == "ready")
      fixture.send(.terminate)
      #expect(
        fixture.remainingLines() == [
          "reason shut down by SIGTERM", "failures ", "unfinished stuck",
        ])
      #expect(fixture.wait() == .exit(1))
    }
  }

  @Test func hangingStepLeavesTimeForOthers() async {
    await withFixture(["sharing"]) { fixture in
      #expect(fixture.readLine() == "ready")
      fixture.send(.terminate)
      #expect(
        fixture.remainingLines() == [
          "quick", "last", "reason shut down by SIGTERM", "failures ", "unfinished stuck",
        ])
      #expect(fixture.wait() == .exit(1))
    }
  }

  @Test func stepBeyondItsLimitIsCancelled() async {
    await withFixture(["limited"]) { fixture in
      #expect(fixture.readLine() == "ready")
      fixture.send(.terminate)
      #expect(
        fixture.remainingLines() == [
          "first", "reason shut down by SIGTERM", "failures hanging", "unfinished ",
        ])
      #expect(fixture.wait() == .exit(1))
    }
  }

  @Test func hangingSetupLeavesTimeForSteps() async {
    await withFixture(["neverSetUp"]) { fixture in
      #expect(fixture.readLine() == "waiting")
      fixture.send(.terminate)
      #expect(
        fixture.remainingLines() == [
          "shut down opened", "reason shut down by SIGTERM", "failures ", "unfinished setup",
        ])
      #expect(fixture.wait() == .exit(1))
    }
  }

  @Test func lostReaderOfOutputShutsDown() async {
    let script = """
      exec 3>&1
      { "$0" talkingService; echo "exit $?" >&3; } | head -1
      """
    await withProcess(["/bin/sh", "-c", script, Fixture.path]) { fixture in
      #expect(fixture.remainingLines() == ["0", "shut down", "exit 0"])
    }
  }

  @Test func failedSetupRunsShutdownSteps() async {
    await withFixture(["failing"]) { fixture in
      #expect(
        fixture.remainingLines() == [
          "shut down opened", "reason setup failed: Broken()",
          "failures ", "unfinished ",
        ])
      #expect(fixture.wait() == .exit(1))
    }
  }

  @Test func interruptedSetupRunsShutdownSteps() async {
    await withFixture(["starting"]) { fixture in
      #expect(fixture.readLine() == "waiting")
      fixture.send(.hangup)
      fixture.send(.terminate)
      #expect(
        fixture.remainingLines() == [
          "shut down late", "shut down opened", "reason shut down by SIGTERM", "failures ",
          "unfinished ",
        ])
      #expect(fixture.wait() == .exit(0))
    }
  }

  @Test func stoppedLoopRunsNoShutdownSteps() async {
    await withFixture(["stopped"]) { fixture in
      #expect(
        fixture.remainingLines() == ["reason loop stopped", "failures ", "unfinished two one"])
      #expect(fixture.wait() == .exit(1))
    }
  }

  @Test func reloadsOnHangup() async {
    await withFixture(["service"]) { fixture in
      #expect(fixture.readLine() == "ready")
      for _ in 0..<3 {
        fixture.send(.hangup)
        #expect(fixture.lines(to: "reloaded") == ["reload", "reloaded"])
      }
      // Reloads do not overlap for any number of signals, and the last signal causes one.
      for _ in 0..<1_000 { fixture.send(.hangup) }
      #expect(fixture.readLine() == "reload")
      fixture.send(.terminate)
      let lines = fixture.lines(to: "shut down third")
      let expected = (0..<lines.count - 1).map { $0 % 2 == 0 ? "reloaded" : "reload" }
      #expect(Array(lines.dropLast()) == expected)
    }
  }

  @Test func failedReloadIsReportedWithItsLocation() async {
    await withFixture(["failing-reload"]) { fixture in
      #expect(fixture.readLine() == "ready")
      for _ in 0..<2 {
        fixture.send(.hangup)
        let report = fixture.readLine() ?? ""
        #expect(report.hasPrefix("The reload added at LoopFixture/Services.swift:"))
        #expect(report.hasSuffix(" failed: Broken(). The service continues."))
      }
      fixture.send(.terminate)
      #expect(fixture.wait() == .exit(0))
    }
  }

  @Test func otherLoopTraps() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let loop = EventLoop(name: "other")
      _ = loop.runUntilTerminated { _ in }
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(output.contains("runUntilTerminated needs EventLoop.main"))
  }
}
