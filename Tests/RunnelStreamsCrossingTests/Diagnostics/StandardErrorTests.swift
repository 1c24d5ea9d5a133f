import Glibc
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct StandardErrorTests {
  /// A pair of descriptors: the log writes to the second.
  private struct Ends {
    let reading: Int32
    let writing: Int32

    static func pipe() -> Ends {
      var ends: [Int32] = [0, 0]
      #expect(Glibc.pipe(&ends) == 0)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return Ends(reading: ends[0], writing: ends[1])
    }

    static func sockets() -> Ends {
      var ends: [Int32] = [0, 0]
      #expect(
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
          == 0)
      return Ends(reading: ends[0], writing: ends[1])
    }

    /// The reading end is a terminal's program side.
    static func terminal() -> Ends {
      let main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var (unlocked, number): (Int32, Int32) = (0, 0)
      // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
      _ = ioctl(main, 0x4004_5431, &unlocked)
      _ = ioctl(main, 0x8004_5430, &number)
      return Ends(reading: main, writing: open("/dev/pts/\(number)", O_RDWR | O_NOCTTY))
    }

    /// Reads the available bytes without waiting.
    func read() -> String {
      let flags = fcntl(reading, F_GETFL)
      _ = fcntl(reading, F_SETFL, flags | O_NONBLOCK)
      var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
      while case let count = Glibc.read(reading, &buffer, buffer.count), count > 0 {
        bytes += buffer.prefix(count)
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// True if bytes are available, or become so within a number of milliseconds.
    func hasBytes(within milliseconds: Int32 = 0) -> Bool {
      var state = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      return poll(&state, 1, milliseconds) > 0
    }

    /// True if the reading end is at the end of the file.
    var hasEnded: Bool {
      // A child that is being started may hold a copy of the other end for a moment.
      var state = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      var byte: UInt8 = 0
      return poll(&state, 1, 10_000) > 0 && Glibc.read(reading, &byte, 1) == 0
    }

    func close() {
      Glibc.close(reading)
      Glibc.close(writing)
    }
  }

  private func write(_ message: String, to errors: inout StandardError) {
    let format = errors.lineFormat
    let entry = LogEntry(time: .zero, level: .error, name: "a", message: message)
    errors.write(format.bytes(entry), in: format)
  }

  private func lines(_ text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: true) { $0 == "\n" || $0 == "\r\n" }
  }

  private let start = "1970-01-01T00:00:00.000Z"

  // MARK: Lines

  @Test func aLineIsThereWhenTheCallReturns() {
    let ends = Ends.pipe()
    var errors = StandardError(ends.writing)
    write("One.", to: &errors)
    #expect(ends.read() == "\(start) error a: One.\n")
    errors.format = .json
    write("Two.", to: &errors)
    #expect(ends.read().hasPrefix("{\"time\":\"\(start)\""))
    #expect(errors.droppedCount == 0)
    ends.close()
  }

  @Test("Under systemd lines have a priority, until the descriptor is redirected")
  func journalIsRecognised() {
    let (journal, other) = (Ends.sockets(), Ends.pipe())
    var status = stat()
    fstat(journal.writing, &status)
    var errors = StandardError(journal.writing, journal: "\(status.st_dev):\(status.st_ino)")
    write("One.", to: &errors)
    #expect(journal.read() == "<3>a: One.\n")
    dup2(other.writing, journal.writing)
    write("Two.", to: &errors)
    #expect(other.read() == "\(start) error a: Two.\n")
    journal.close()
    other.close()
  }

  // MARK: Full and broken descriptors

  @Test("Nobody reads: no call waits, lines are dropped and counted, and later ones are whole")
  func aFullDescriptorDropsLines() {
    for (name, ends) in [("pipe", Ends.pipe()), ("socket", .sockets()), ("terminal", .terminal())] {
      #expect(ends.reading >= 0 && ends.writing >= 0, "\(name)")
      guard ends.writing >= 0 else { continue }
      var errors = StandardError(ends.writing)
      var count = 0
      func writeNext() {
        count += 1
        write("\(count) " + String(repeating: "x", count: 900), to: &errors)
      }
      while errors.droppedCount < 3 { writeNext() }
      // The system moves what a terminal has at times of its own, so there can be room again between two dropped lines.
      var (text, delivered, reported) = ("", [Int](), 0)
      while reported < errors.droppedCount || delivered.count + reported < count {
        if !ends.hasBytes() { writeNext() }
        let hasMore = ends.hasBytes(within: 10_000)
        #expect(hasMore, "\(name)")
        guard hasMore else { break }
        text += ends.read()
        (delivered, reported) = ([], 0)
        for line in lines(text) where text.last?.isNewline == true {
          if line.contains("Lines before the last one were dropped. lines=") {
            reported += line.split(separator: "=").last.flatMap { Int($0) } ?? 0
          } else {
            let number = line.split(separator: " ").dropFirst(3).first.flatMap { Int($0) } ?? 0
            #expect(line == "\(start) error a: \(number) " + String(repeating: "x", count: 900))
            #expect(number > delivered.last ?? 0, "\(name)")
            delivered.append(number)
          }
        }
      }
      #expect(reported == errors.droppedCount && delivered.count + reported == count, "\(name)")
      ends.close()
    }
  }

  @Test("A pipe without a reader drops lines, even where SIGPIPE would end the process")
  func aPipeWithoutAReaderDropsLines() async {
    await #expect(processExitsWith: .exitCode(3)) {
      let ends = Ends.pipe()
      Glibc.close(ends.reading)
      signal(SIGPIPE, SIG_DFL)
      var errors = StandardError(ends.writing)
      for _ in 1...3 { errors.write([65, 10], in: .text) }
      exit(errors.droppedCount == 3 ? 3 : 1)
    }
  }

  @Test func aClosedDescriptorDropsLinesUntilItIsOpenAgain() {
    let (ends, other) = (Ends.pipe(), Ends.pipe())
    let number = fcntl(ends.writing, F_DUPFD_CLOEXEC, 700)
    Glibc.close(number)
    var errors = StandardError(number)
    write("One.", to: &errors)
    #expect(errors.droppedCount == 1)
    dup2(other.writing, number)
    write("Two.", to: &errors)
    #expect(lines(other.read()).first == "\(start) error a: Two.")
    Glibc.close(number)
    ends.close()
    other.close()
  }

  @Test("After a redirection the old pipe is given up, so that its reader sees the end")
  func redirectionClosesTheOldPipe() {
    let (old, new) = (Ends.pipe(), Ends.pipe())
    var errors = StandardError(old.writing)
    write("One.", to: &errors)
    dup2(new.writing, old.writing)
    write("Two.", to: &errors)
    #expect(lines(old.read()) == ["\(start) error a: One."])
    #expect(old.hasEnded)
    #expect(lines(new.read()) == ["\(start) error a: Two."])
    old.close()
    new.close()
  }

  @Test("The mode of the shared descriptor stays, and a file gets all lines")
  func modesStay() throws {
    var template = Array("/tmp/runnel-log-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    defer { unlink(template) }
    let ends = Ends.pipe()
    for number in [file, ends.writing] {
      let flags = fcntl(number, F_GETFL)
      var errors = StandardError(number)
      for index in 1...20 { write("\(index)", to: &errors) }
      #expect(fcntl(number, F_GETFL) == flags)
      #expect(errors.droppedCount == 0)
    }
    #expect(lseek(file, 0, SEEK_END) == off_t(ends.read().utf8.count))
    Glibc.close(file)
    ends.close()
  }

  // MARK: Processes

  @Test("What was logged is there after kill -9, from several threads, in whole lines")
  func linesSurviveAKill() async throws {
    let result = await #expect(
      processExitsWith: .signal(SIGKILL), observing: [\.standardErrorContent]
    ) {
      let threads = (0..<4).map { thread in
        startThread { for index in 0..<20 { Log("t\(thread)").error("\(index).") } }
      }
      for thread in threads { pthread_join(thread, nil) }
      kill(getpid(), SIGKILL)
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    for thread in 0..<4 {
      let own = lines(output).compactMap {
        $0.split(separator: " error t\(thread): ").dropFirst().last.map(String.init)
      }
      #expect(own == (0..<20).map { "\($0)." })
    }
  }

  @Test("Without a free descriptor, a pipe is written while it has room, in whole lines")
  func withoutDescriptorsThePipeIsPolled() async {
    await #expect(processExitsWith: .exitCode(3)) {
      alarm(60)
      let ends = Ends.pipe()
      dup2(ends.writing, STDERR_FILENO)
      // Descriptors 0 to 2 are open, so no other one can be opened.
      var three = rlimit(rlim_cur: 3, rlim_max: 3)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &three)
      let text = String(repeating: "x", count: 3_000)
      var count = 0
      while Log.droppedCount == 0 {
        Log("a").error(text)
        count += 1
      }
      let lines = ends.read().split(separator: "\n")
      let isWhole = lines.allSatisfy { $0.hasSuffix("error a: \(text)") }
      exit(isWhole && lines.count == count - 1 && count > 10 ? 3 : 1)
    }
  }

  // MARK: Re-entrancy

  private struct Talkative: CustomStringConvertible, Sendable {
    var description: String {
      Log("inner").error("I am described.")
      return "described \(Log.droppedCount)"
    }
  }

  @Test("A value whose description logs, and a hook that logs, neither hang nor recurse")
  func loggingWhileLoggingWorks() async throws {
    let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent])
    {
      alarm(60)
      Log("outer").error("First.", ["value": Talkative()])
      let standard = Hooks.log
      Hooks.log = { entry in
        standard(entry)
        Log("hook").error("Seen.")
      }
      Log("outer").error("Second.")
      Hooks.log = standard
      Log.format = .json
      Log.level = .critical
      Log("outer").error("Third.")
      Log("outer").critical("Fourth.")
      exit(3)
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let found = lines(output).map { $0.drop { $0 != " " }.dropFirst() }
    #expect(
      found.prefix(4) == [
        "error inner: I am described.", "error outer: First. value=\"described 0\"",
        "error outer: Second.", "error hook: Seen.",
      ])
    #expect(lines(output).dropFirst(4).count == 1)
    #expect(lines(output).last?.contains("\"message\":\"Fourth.\"") == true)
  }

  @Test(
    "An entry of another library is written at any level, and once if the hook writes it again")
  func entriesOfOtherLibrariesAreWritten() async throws {
    let result = await #expect(processExitsWith: .exitCode(3), observing: [\.standardErrorContent])
    {
      alarm(60)
      let entry = LogEntry(level: .debug, name: "images", message: "Decoded.")
      Log.write(entry)
      Hooks.log = { Log.write(LogEntry(level: $0.level, name: "hook", message: $0.message)) }
      Log.write(entry)
      exit(3)
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let found = lines(output).map { $0.drop { $0 != " " }.dropFirst() }
    #expect(found == ["debug images: Decoded.", "debug hook: Decoded."])
  }
}
