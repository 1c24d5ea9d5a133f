import RunnelTesting
import TestSupport
import Testing

/// Boards in several processes.
@Suite struct FailoverTests {
  @Test("Three boards over a broker, of which one at a time is killed under load, lose nothing")
  func killedBoardsLoseNothing() async {
    let script = #filePath.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    await ManualContext.onThread { _ in
      let command = ["/usr/bin/python3", "\(script)/failover.py", BoardProgram.path, "4"]
      withProcessHere(
        ["/bin/sh", "-c", "PATH=/usr/sbin:/usr/bin exec \"$0\" \"$@\" 2>&1"] + command
      ) {
        process in
        let lines = process.remainingLines()
        let ending = process.wait()
        #expect(ending == .exit(0), "\(lines)")
        #expect(lines.last?.hasSuffix("all was seen once") == true)
      }
    }
  }
}
