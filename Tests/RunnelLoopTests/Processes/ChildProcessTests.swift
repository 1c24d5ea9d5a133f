import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// A process on a loop, and the events of its streams.
private final class Run: Sendable {
  let loop: EventLoop
  let exits = EventLog<ProcessStatus>()
  let pieces = EventLog<[UInt8]>()
  let ends = EventLog<String>()
  private let process = Confined<ChildProcess?>(nil)
  private let observation = Confined<Disposable?>(nil)

  init(
    _ program: String, _ arguments: [String] = [], on loop: EventLoop, observed: Bool = true,
    _ change: @escaping @Sendable (inout ProcessOptions) -> Void = { _ in }
  ) {
    self.loop = loop
    loop.wait { [self] in
      do throws(ProcessError) {
        let process = try ChildProcess(program, arguments, on: loop, change)
        self.process.value = process
        guard observed else { return }
        process.exit.observe(next: { self.exits.add($0) }, completed: { self.ends.add("exit") })
        observation.value = process.standardOutput.observe(
          next: { self.pieces.add($0) }, failed: { self.ends.add("\($0)") },
          completed: { self.ends.add("output") })
      } catch {
        ends.add("\(error)")
      }
    }
  }

  /// Runs a shell script.
  convenience init(
    script: String, on loop: EventLoop, observed: Bool = true,
    _ change: @escaping @Sendable (inout ProcessOptions) -> Void = { _ in }
  ) {
    self.init("/bin/sh", ["-c", script], on: loop, observed: observed, change)
  }

  /// Runs a closure with the process on its loop.
  func use<Output: Sendable>(_ body: @escaping @Sendable (ChildProcess) -> Output) -> Output {
    loop.wait { [process] in
      guard let process = process.value else { fatalError("The process did not start.") }
      return body(process)
    }
  }

  var status: ProcessStatus? { exits.wait(for: 1).first }

  /// Waits until the process is reaped, if it is not observed. Otherwise the loop may end before, and the
  /// testing library then sees the zombie instead of the processes of other tests.
  func waitForExit() {
    use { process in _ = process.exit.observeNext { self.exits.add($0) } }
    exits.wait(for: 1)
  }

  /// The whole output, after the process has ended and all bytes are read.
  var text: String {
    ends.wait(for: 2)
    return String(decoding: pieces.all.joined(), as: UTF8.self)
  }

  /// Releases the process on the calling thread, which need not be that of the loop.
  func releaseHere() { process.value = nil }

  func release() {
    loop.wait { [process, observation] in
      observation.value?.dispose()
      process.value = nil
    }
  }
}

extension EventLoop {
  /// Waits until the loop watches only its own mailbox and clock, so that every child is reaped.
  fileprivate func waitForChildren() {
    let isDone = EventLog<Void>()
    @Sendable func check() {
      if statistics.descriptors == 2 { return isDone.add(()) }
      _ = schedule(after: .milliseconds(1)) { check() }
    }
    execute { check() }
    isDone.wait(for: 1)
  }
}

@Suite struct ChildProcessTests {
  // MARK: - Exit

  @Test func sendsExitStatusOnce() async {
    await withLoop { loop in
      for code in [0, 1, 7, 255] as [Int32] {
        let run = Run(script: "exit \(code)", on: loop)
        #expect(run.status == .exited(code))
        #expect(run.ends.wait(for: 2).sorted() == ["exit", "output"])
        #expect(run.use { $0.status } == .exited(code))
        let late = EventLog<ProcessStatus>()
        run.use { process in _ = process.exit.observeNext { late.add($0) } }
        #expect(late.all == [.exited(code)])
        #expect(run.exits.count == 1)
      }
      #expect(ProcessStatus.exited(0).isSuccess && !ProcessStatus.exited(1).isSuccess)
    }
  }

  @Test func signalEndsProcess() async {
    await withLoop { loop in
      for signal in [Signal.terminate, .kill, .hangup, .user1] {
        let run = Run("cat", on: loop) { $0.input = .piped }
        #expect(run.use { $0.send(signal) })
        #expect(run.status == .ended(by: signal))
        #expect(run.use { $0.send(signal) } == false)
        run.release()
      }
    }
  }

  @Test func leavesNoZombie() async {
    await withLoop { loop in
      let identifiers = (0..<20).map { number in
        let run = Run(script: "exit \(number)", on: loop, observed: false)
        let identifier = run.use { $0.identifier }
        run.release()
        return identifier
      }
      loop.waitForChildren()
      // A reaped process is no longer a child.
      for identifier in identifiers {
        var info = siginfo_t()
        #expect(waitid(P_PID, id_t(identifier), &info, WEXITED | WNOHANG | WNOWAIT) < 0)
      }
    }
  }

  @Test func continuesAfterRelease() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      mkfifo(folder["go"], 0o600)
      let run = Run(
        script: "read line < \(folder["go"]); echo $line > \(folder["done"])", on: loop,
        observed: false
      ) { $0.output = .discarded }
      run.release()
      // Opening the FIFO for writing waits for its reader.
      folder.write("go", "on\n")
      loop.waitForChildren()
      #expect(access(folder["done"], F_OK) == 0)
    }
  }

  @Test func restartedLoopReportsExit() async {
    await withLoop { loop in
      let run = Run("cat", on: loop) { $0.input = .piped }
      let identifier = run.use { $0.identifier }
      loop.stop()
      loop.join()
      kill(identifier, SIGKILL)
      var info = siginfo_t()
      waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT)
      #expect(run.exits.all == [])
      loop.start()
      #expect(run.status == .ended(by: .kill))
    }
  }

  @Test func childReapedByOthersIsUnknown() async {
    await withLoop { loop in
      let run = Run("cat", on: loop) { $0.input = .piped }
      let identifier = run.use { $0.identifier }
      loop.wait {
        kill(identifier, SIGKILL)
        waitpid(identifier, nil, 0)
      }
      #expect(run.status == .unknown)
    }
  }

  @Test func runsTwoHundredAtOnce() async {
    await withLoop { loop in
      let runs = (0..<200).map { number in
        Run(script: "read line; echo $line; exit \(number)", on: loop) { $0.input = .piped }
      }
      for (number, run) in runs.enumerated() {
        run.use { process in
          _ = process.standardInput.write("\(number)\n")
          process.standardInput.finish()
        }
      }
      for (number, run) in runs.enumerated() {
        #expect(run.status == .exited(Int32(number)))
        #expect(run.text == "\(number)\n")
      }
    }
  }

  // MARK: - Timeouts

  @Test func timeoutTerminatesProcess() async {
    await withLoop { loop in
      let run = Run("cat", on: loop) {
        $0.input = .piped
        $0.timeout = .milliseconds(1)
      }
      #expect(run.status == .ended(by: .terminate))
      #expect(run.use { $0.hasTimedOut })
    }
  }

  @Test func killsAfterGracePeriod() async {
    await withLoop { loop in
      let run = Run(script: "trap '' TERM; echo ready; while true; do read line; done", on: loop) {
        $0.input = .piped
      }
      run.pieces.wait(for: 1)
      run.use { $0.terminate(grace: .milliseconds(1)) }
      #expect(run.status == .ended(by: .kill))
      #expect(!run.use { $0.hasTimedOut })
    }
  }

  /// The earliest of all requested times applies.
  @Test(arguments: [(1, 1_000_000_000), (1_000_000_000, 1)])
  func repeatedTerminateKeepsEarliestKill(_ first: Int, _ second: Int) async {
    await withLoop { loop in
      let run = Run(script: "trap '' TERM; echo ready; while true; do read line; done", on: loop) {
        $0.input = .piped
      }
      run.pieces.wait(for: 1)
      run.use {
        $0.terminate(grace: .milliseconds(first))
        $0.terminate(grace: .milliseconds(second))
      }
      #expect(run.status == .ended(by: .kill))
    }
  }

  @Test func terminateKeepsTimeout() async {
    await withLoop { loop in
      let run = Run(script: "trap '' TERM; echo ready; while true; do read line; done", on: loop) {
        $0.input = .piped
        $0.timeout = .milliseconds(500)
        $0.grace = .milliseconds(1)
      }
      run.pieces.wait(for: 1)
      run.use { $0.terminate(grace: .seconds(1_000_000)) }
      #expect(run.status == .ended(by: .kill))
      #expect(run.use { $0.hasTimedOut })
    }
  }

  // MARK: - Pipes

  @Test func readsTenMegabytes() async {
    await withLoop { loop in
      let run = Run("head", ["-c", "10000000", "/dev/zero"], on: loop)
      #expect(run.status == .exited(0))
      run.ends.wait(for: 2)
      #expect(run.pieces.all.reduce(0) { $0 + $1.count } == 10_000_000)
      #expect(run.pieces.all.allSatisfy { $0.count <= 65_536 })
    }
  }

  @Test func echoesWrittenBytes() async {
    await withLoop { loop in
      let run = Run("cat", on: loop) { $0.input = .piped }
      let sent = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
      run.use { process in
        #expect(process.standardInput.isOpen)
        for piece in stride(from: 0, to: sent.count, by: 1_000) {
          #expect(process.standardInput.write(Array(sent[piece..<(piece + 1_000)])))
        }
        process.standardInput.finish()
        #expect(!process.standardInput.isOpen)
        #expect(!process.standardInput.write("more"))
      }
      #expect(run.status == .exited(0))
      run.ends.wait(for: 2)
      #expect(Array(run.pieces.all.joined()) == sent)
    }
  }

  @Test func waitingInputIsBounded() async {
    await withLoop { loop in
      let run = Run(script: "read line; cat >/dev/null; exit 3", on: loop) { $0.input = .piped }
      let end = EventLog<String>()
      let isTaken = run.use { process -> Bool in
        let input = process.standardInput
        input.drained.observe(
          next: {}, failed: { end.add("\($0)") }, completed: { end.add("completed") })
        let piece = [UInt8](repeating: 0, count: 1 << 16)
        while input.write(piece) {}
        // The last write may exceed the limit.
        #expect(input.waitingCount < (1 << 18) + piece.count)
        return input.write(piece)
      }
      #expect(!isTaken)
      run.use { _ = $0.send(.kill) }
      #expect(run.status == .ended(by: .kill))
      #expect(end.wait(for: 1) == ["completed"])
      #expect(!run.use { $0.standardInput.isOpen })
    }
  }

  @Test func drainedSendsWhenAllIsWritten() async {
    await withLoop { loop in
      let run = Run("wc", ["-c"], on: loop) { $0.input = .piped }
      let drained = EventLog<Void>()
      run.use { process in
        process.standardInput.drained.observe(next: { drained.add(()) })
        _ = process.standardInput.write([UInt8](repeating: 0, count: 3 << 20))
        #expect(process.standardInput.waitingCount > 0)
      }
      drained.wait(for: 1)
      run.use { $0.standardInput.finish() }
      #expect(run.text == "\(3 << 20)\n")
    }
  }

  /// SIGPIPE must not end this process.
  @Test func closedInputIsReported() async {
    await withLoop { loop in
      let run = Run(script: "exec <&-; echo closed; exec cat /dev/zero", on: loop, observed: false)
      {
        $0.input = .piped
      }
      let closed = EventLog<Void>()
      run.use { process in
        _ = process.standardOutput.take(1).observe(next: { _ in closed.add(()) })
      }
      closed.wait(for: 1)
      // A child that another test is starting holds the other end until it executes its program.
      var isOpen = true
      while isOpen {
        isOpen = run.use { process in
          _ = process.standardInput.write("unread\n")
          return process.standardInput.isOpen
        }
      }
      _ = run.use { $0.send(.kill) }
      loop.waitForChildren()
    }
  }

  @Test func childContinuesAfterClosingOutput() async {
    await withLoop { loop in
      let run = Run(script: "echo first; exec >&-; read line; exit 5", on: loop) {
        $0.input = .piped
      }
      #expect(run.ends.wait(for: 1) == ["output"])
      #expect(run.pieces.all == [Array("first\n".utf8)])
      run.use { _ = $0.standardInput.write("\n") }
      #expect(run.status == .exited(5))
    }
  }

  /// The output arrives even though another process could still write.
  @Test func grandchildWithPipeDoesNotBlockCompletion() async {
    await withLoop { loop in
      let script = "sleep 1000 & echo $!; exit 4"
      let holding = Run(script: script, on: loop)
      #expect(holding.status == .exited(4))
      let text = holding.text
      #expect(holding.ends.all.sorted() == ["exit", "output"])
      kill(pid_t(text.dropLast()) ?? 0, SIGKILL)
    }
  }

  @Test func pipesErrorsSeparately() async {
    await withLoop { loop in
      let log = EventLog<ProcessOutput>()
      loop.wait {
        _ = loop.output(of: "sh", ["-c", "echo out; echo err >&2; exit 2"]) { $0.errors = .piped }
          .observe(succeeded: { log.add($0) })
      }
      let output = log.wait(for: 1)[0]
      #expect(output.text == "out\n")
      #expect(output.errors == Array("err\n".utf8))
      #expect(output.status == .exited(2))
    }
  }

  @Test func outputBeyondLimitFails() async {
    await withLoop { loop in
      let log = EventLog<ProcessError>()
      loop.wait {
        _ = loop.output(of: "cat", ["/dev/zero"], limit: 100_000).observe(failed: { log.add($0) })
      }
      #expect(log.wait(for: 1) == [.tooMuchOutput(limit: 100_000)])
      loop.waitForChildren()
    }
  }

  // MARK: - Arguments and environment

  @Test func passesArgumentsEnvironmentAndFolder() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let run = Run("/bin/sh", ["-c", "pwd; echo \"$A|$1|$2|$HOME\"", "sh", "a b", ""], on: loop) {
        $0.environment = ["A": "x=y"]
        $0.workingFolder = folder.path
      }
      let name = folder.path.split(separator: "/").last ?? ""
      let lines = run.text.split(separator: "\n")
      #expect(lines.first?.hasSuffix(name) == true)
      #expect(lines.last == "x=y|a b||")
    }
  }

  @Test func childInheritsOnlyStandardDescriptors() async {
    await withLoop { loop in
      // A descriptor that is not closed on exec.
      let pipe = TestPipe()
      let run = Run(script: "ls /proc/self/fd | tr '\\n' ' '", on: loop) { $0.errors = .discarded }
      // The fourth is the folder that is listed.
      #expect(run.text == "0 1 2 3 ")
      withExtendedLifetime(pipe) {}
    }
  }

  @Test func noSignalIsBlockedOrIgnored() async {
    await withLoop { loop in
      loop.wait {
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_SETMASK, &signals, nil)
      }
      let run = Run("grep", ["-E", "Sig(Blk|Ign)", "/proc/self/status"], on: loop)
      loop.wait {
        var signals = sigset_t()
        sigemptyset(&signals)
        pthread_sigmask(SIG_SETMASK, &signals, nil)
      }
      // The C library reserves the first two real-time signals.
      #expect(run.text == "SigBlk:\t0000000000000000\nSigIgn:\t0000000180000000\n")
    }
  }

  @Test func signalsWholeProcessGroup() async {
    await withLoop { loop in
      let run = Run(script: "exec 3<&0; cat <&3 & cat <&3 & echo ready; wait", on: loop) {
        $0.input = .piped
        $0.group = .own
      }
      run.pieces.wait(for: 1)
      let group = run.use { getpgid($0.identifier) == $0.identifier }
      #expect(group)
      #expect(run.use { $0.send(.terminate) })
      #expect(run.status == .ended(by: .terminate))
      #expect(run.text == "ready\n")
    }
  }

  @Test("What remains of a group can be killed when the program has ended")
  func killsTheRestOfTheGroup() async {
    await withLoop { loop in
      let run = Run(script: "sleep 1000 > /dev/null & echo $!", on: loop) {
        $0.group = .ownUntilExit
      }
      #expect(run.status == .exited(0))
      let identifier = Int32(run.text.dropLast()) ?? 0
      #expect(identifier > 0)
      while isRunning(identifier) { sched_yield() }
    }
  }

  private enum Phase: CaseIterable {
    case running, asked, awaitingGroup, ended
  }

  private enum Request: CaseIterable {
    case kill, terminate
  }

  /// True if a process in a phase ends because of a request.
  private func obeys(_ phase: Phase, _ request: Request) -> Bool {
    switch (phase, request) {
    case (.running, .kill), (.running, .terminate): true
    case (.asked, .kill), (.asked, .terminate): true
    case (.awaitingGroup, .kill), (.awaitingGroup, .terminate): false
    case (.ended, .kill), (.ended, .terminate): false
    }
  }

  @Test("A signal has an effect until the program has ended, even if its group runs")
  func eachRequestInEachPhase() async {
    await withLoop { loop in
      for phase in Phase.allCases {
        for request in Request.allCases {
          let script =
            switch phase {
            case .running, .asked: "trap '' TERM; echo ready; sleep 1000"
            case .awaitingGroup: "(trap '' TERM; echo ready; exec sleep 1000) & wait"
            case .ended: "echo ready"
            }
          let run = Run(script: script, on: loop) { $0.group = .ownUntilExit }
          run.pieces.wait(for: 1)
          let identifier = run.use { $0.identifier }
          switch phase {
          case .running: break
          case .asked: run.use { $0.terminate(grace: .seconds(1_000)) }
          case .awaitingGroup:
            run.use { $0.terminate(grace: .seconds(1_000)) }
            // A reaped process does not exist any more.
            while kill(identifier, 0) == 0 { sched_yield() }
          case .ended: #expect(run.status == .exited(0))
          }
          let obeys = obeys(phase, request)
          switch request {
          case .kill: #expect(run.use { $0.send(.kill) } == obeys, "\(phase)")
          case .terminate: run.use { $0.terminate(grace: .zero) }
          }
          if obeys {
            #expect(run.status == .ended(by: .kill), "\(phase), \(request)")
          } else if phase == .awaitingGroup {
            #expect(run.use { $0.status } == nil, "\(request)")
            kill(-identifier, SIGKILL)
            #expect(run.status == .ended(by: .terminate), "\(request)")
          } else {
            #expect(run.use { $0.status } == .exited(0), "\(request)")
          }
        }
      }
    }
  }

  // MARK: - Notifications and lines

  @Test func programCanNotify() async {
    await withLoop { loop in
      let notifications = EventLog<String>()
      let run = Run(script: "echo ready >&3; read line; ls /proc/self/fd", on: loop) {
        $0.hasNotification = true
        $0.input = .piped
      }
      run.use { process in
        _ = process.notification.observe(
          next: { notifications.add(String(decoding: $0, as: UTF8.self)) },
          failed: { notifications.add("\($0)") }, completed: { notifications.add("end") })
      }
      #expect(notifications.wait(for: 1) == ["ready\n"])
      run.use { process in
        _ = process.standardInput.write("go\n")
        process.standardInput.finish()
      }
      #expect(notifications.wait(for: 2).last == "end")
      // The pipe, and what `ls` has opened.
      #expect(run.text.split(separator: "\n") == ["0", "1", "2", "3", "4"])
    }
  }

  @Test func outputIsReadLineByLine() async {
    await withLoop { loop in
      let lines = EventLog<String>()
      let run = Run(script: "echo a; echo b >&2; printf c", on: loop, observed: false) {
        $0.errors = .piped
      }
      run.use { process in
        for stream in [process.outputLines(), process.errorLines()] {
          stream.observe(
            next: { lines.add($0) }, failed: { lines.add("\($0)") }, completed: { lines.add("end") }
          )
        }
      }
      #expect(lines.wait(for: 5).sorted() == ["a", "b", "c", "end", "end"])
      run.waitForExit()
    }
  }

  @Test(arguments: [1, 2, 3, 4, 7, 100])
  func longLinesAreDividedOrFail(_ limit: Int) async {
    await withLoop { loop in
      for divides in [true, false] {
        let lines = EventLog<String>()
        let run = Run(script: "printf 'abc\\nabcd\\n\\nabcdefg'", on: loop, observed: false)
        run.use { process in
          _ = process.outputLines(longest: limit, dividing: divides).observe(
            next: { lines.add($0) }, failed: { lines.add("\($0)") }, completed: { lines.add("end") }
          )
        }
        let all = lines.wait { $0.last == "end" || $0.last?.contains("exceeds") == true }
        run.waitForExit()
        guard divides else {
          #expect((all.last == "end") == (limit >= 7))
          continue
        }
        let expected = ["abc", "abcd", "", "abcdefg"].flatMap { line in
          line.isEmpty
            ? [""]
            : stride(from: 0, to: line.count, by: limit).map {
              String(line.dropFirst($0).prefix(limit))
            }
        }
        #expect(all == expected + ["end"])
      }
    }
  }

  @Test("A part of a long line ends between characters, and keeps its carriage returns")
  func longLinesAreDividedBetweenCharacters() async {
    await withLoop { loop in
      for (limit, text, expected) in [
        (4, "aéé😀é", ["aé", "é", "😀", "é"]), (3, "ab\rcd\r", ["ab\r", "cd"]),
        (3, "😀a", ["\u{FFFD}", "\u{FFFD}a"]),
      ] {
        let lines = EventLog<String>()
        let run = Run("/usr/bin/printf", ["%s\n", text], on: loop, observed: false)
        run.use { process in
          _ = process.outputLines(longest: limit, dividing: true).observe(
            next: { lines.add($0) }, failed: { lines.add("\($0)") }, completed: { lines.add("end") }
          )
        }
        #expect(lines.wait { $0.last == "end" } == expected + ["end"])
        run.waitForExit()
      }
    }
  }

  @Test("Lines that wait for a slow reader come after the end of the program")
  func waitingLinesOutliveTheProgram() async {
    await withLoop { loop in
      var ends: [Int32] = [-1, -1]
      pipe(&ends)
      let (reading, writing) = (ends[0], ends[1])
      let run = Run(script: "seq 1 15000", on: loop, observed: false)
      let kept = Confined<Writer?>(nil)
      run.use { process in
        let writer = try? Writer(writing, on: loop)
        close(writing)
        guard let writer else { return }
        writer.limit = 4_096
        kept.value = writer
        _ = process.outputLines().map { "\($0)\n" }.ignoreFailure().bind(to: writer)
      }
      // The pipe and the writer are full by now, and the program has ended.
      run.waitForExit()
      var text: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(reading, &buffer, buffer.count)
        if count <= 0 { break }
        text += buffer[..<count]
        if text.count >= 78_894 { break }
      }
      close(reading)
      loop.wait { kept.value = nil }
      let numbers = String(decoding: text, as: UTF8.self).split(separator: "\n").map { Int($0) }
      #expect(numbers == Array(1...15_000))
    }
  }

  // MARK: - Failures

  @Test func programThatCannotRunThrows() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      folder.write("plain")
      folder.write("script", "#!/no/such/interpreter\n")
      chmod(folder["script"], 0o755)
      folder.write("garbage", "\u{1}\u{2}\u{3}")
      chmod(folder["garbage"], 0o755)
      func error(
        _ program: String, _ arguments: [String] = [],
        _ change: @escaping @Sendable (inout ProcessOptions) -> Void = { _ in }
      ) -> ProcessError? {
        loop.wait {
          do throws(ProcessError) {
            _ = try ChildProcess(program, arguments, on: loop, change)
            return nil
          } catch {
            return error
          }
        }
      }
      #expect(error("no-such-program") == .missing("no-such-program"))
      #expect(error("") == .missing(""))
      #expect(error(folder["absent"]) == .missing(folder["absent"]))
      #expect(error(folder["script"]) == .missing(folder["script"]))
      #expect(error(folder["plain"]) == .notExecutable(folder["plain"]))
      #expect(error(folder["garbage"]) == .notExecutable(folder["garbage"]))
      #expect(error(folder.path) == .notExecutable(folder.path))
      #expect(
        error("true") { $0.workingFolder = folder["absent"] } == .missingFolder(folder["absent"]))
      #expect(error("true", ["a\0b"]) == .unusable("a\0b"))
      #expect(error("true") { $0.environment = ["A=B": ""] } == .unusable("A=B"))
      #expect(error("true", [String(repeating: "x", count: 1 << 22)]) == .system(E2BIG))
    }
  }

  @Test func throwsAtDescriptorLimit() async {
    await #expect(processExitsWith: .success) {
      await withLoop { loop in
        let log = EventLog<String>()
        loop.wait {
          let first = Int(dup(0))
          let before = openDescriptors
          // Some descriptors below the limit may be open already.
          for free in 0..<200 {
            var limit = rlimit(rlim_cur: rlim_t(first + free), rlim_max: rlim_t(1_024))
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            do throws(ProcessError) {
              let process = try ChildProcess("true", on: loop) {
                $0.input = .piped
                $0.errors = .piped
              }
              process.exit.observeNext { _ in log.add("done") }
              return
            } catch .tooManyDescriptors {
              // The process opens some descriptors meanwhile, but fewer than one per attempt.
              if openDescriptors - before > free / 2 + 4 { log.add("leak") }
            } catch {
              log.add("\(error)")
            }
          }
          log.add("never")
        }
        guard log.wait(for: 1) == ["done"] else { exit(1) }
      }
    }
  }

  @Test func releaseOffLoopEndsInputOnLoop() async {
    await withLoop { loop in
      let places = EventLog<Bool>()
      let run = Run("cat", [], on: loop, observed: false) { $0.input = .piped }
      run.use { process -> Void in
        process.standardInput.drained.observe(
          failed: { _ in }, completed: { places.add(loop.isCurrent) })
      }
      run.releaseHere()
      #expect(places.wait(for: 1) == [true])
      // A child that outlives its loop is never reaped.
      loop.waitForChildren()
    }
  }

  @Test func closesDescriptors() async {
    await #expect(processExitsWith: .success) {
      await withLoop { loop in
        let before = loop.wait { openDescriptors }
        for _ in 0..<50 {
          let run = Run(script: "read line; echo $line", on: loop) { $0.input = .piped }
          run.use { process in
            _ = process.standardInput.write("line\n")
            process.standardInput.finish()
          }
          guard run.text == "line\n" else { exit(2) }
          run.release()
        }
        // The question is a later job, after the previous one has released its resources. The
        // process opens some descriptors meanwhile, but fewer than one per child.
        guard loop.wait(for: { openDescriptors }) - before < 10 else { exit(1) }
      }
    }
  }

  @Test func errorsNameRemedy() {
    #expect("\(ProcessError.missing("x"))".contains("There is no program \"x\". Install it"))
    #expect("\(ProcessError.notExecutable("x"))".contains("chmod +x"))
    #expect("\(ProcessError.missingFolder("x"))".contains("Create it first"))
    #expect("\(ProcessError.tooManyDescriptors)".contains("ulimit -n"))
    #expect("\(ProcessError.tooManyProcesses)".contains("ulimit -u"))
    #expect("\(ProcessError.tooMuchOutput(limit: 5))".contains("more than 5 bytes"))
    #expect("\(ProcessError.system(E2BIG))".contains("errno \(E2BIG)"))
  }
}
