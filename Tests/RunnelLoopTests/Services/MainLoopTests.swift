import RunnelLoop
import TestSupport
import Testing

@Suite struct MainLoopTests {
  @Test func allKindsOfWorkMakeProgress() async {
    await withFixture(["progress"]) { fixture in
      #expect(fixture.remainingLines() == ["[20, 20, 20, 20, 20]"])
      #expect(fixture.wait() == .exit(0))
    }
  }

  @Test func yieldingTaskDoesNotStarveOthers() async {
    await withFixture(["fairness"]) { fixture in
      #expect(fixture.remainingLines() == ["timers and descriptors ran"])
      #expect(fixture.wait() == .exit(0))
    }
  }

  @Test func runsRepeatedly() async {
    await withFixture(["rerun"]) { fixture in
      #expect(
        fixture.remainingLines() == [
          "run", "until Jim", "until 7", "until nothing", "failed true", "for true",
          "stopped before",
        ])
      #expect(fixture.wait() == .exit(0))
    }
  }

  @Test func runsWithoutMoreDescriptors() async {
    await withFixture(["starved"]) { fixture in
      #expect(fixture.remainingLines() == ["SIGUSR1", "queue"])
      #expect(fixture.wait() == .exit(0))
    }
  }

  /// The limit allows the three standard descriptors and `count` more.
  @Test(arguments: 1...6) func creationTrapsWithoutDescriptors(_ count: Int) async {
    let script = "exec 2>&1; ulimit -n \(3 + count); exec \"$0\" starved"
    await withProcess(["/bin/sh", "-c", script, Fixture.path]) { fixture in
      let lines = fixture.remainingLines()
      #expect(lines.contains { $0.contains("An event loop could not open its descriptors") })
      #expect(fixture.wait() != .exit(0))
    }
  }

  @Test func lostReaderOfOutputEndsTheProcess() async {
    let script = """
      exec 3>&1
      { "$0" talking; echo "exit $?" >&3; } | head -1
      """
    await withProcess(["/bin/sh", "-c", script, Fixture.path]) { fixture in
      #expect(fixture.remainingLines() == ["0", "exit 141"])
    }
  }

  @Test(arguments: [
    ("nested", "run() was called inside one of its callbacks"),
    ("offMain", "EventLoop.main runs on the main thread only"),
  ])
  func misuseTraps(_ command: String, _ message: String) async {
    await withProcess(["/bin/sh", "-c", "exec \(Fixture.path) \(command) 2>&1"]) { fixture in
      let lines = fixture.remainingLines()
      #expect(lines.contains { $0.contains(message) })
      #expect(fixture.wait() != .exit(0))
    }
  }
}
