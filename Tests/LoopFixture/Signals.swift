import Glibc
import RunnelLoop
import RunnelStreams

/// Prints the signals that arrive, and ends with SIGTERM.
@MainActor func observeSignals() {
  let loop = EventLoop.main
  loop.signals(.user1, .user2, .hangup).observeNext { printLine("\($0)") }
  loop.execute { printLine("ready") }
  loop.run(until: loop.signals(.terminate))
  printLine("end")
}

/// Prints the result of a write without a reader, then becomes a shell that sends itself SIGPIPE.
@MainActor func writeToBrokenPipe() {
  signal(SIGPIPE, SIG_DFL)
  _ = EventLoop.main
  var ends: [Int32] = [0, 0]
  pipe(&ends)
  close(ends[0])
  let written = write(ends[1], "x", 1)
  printLine(written < 0 && errno == EPIPE ? "EPIPE" : "\(written)")
  let words = ["/bin/sh", "-c", "kill -PIPE $$; echo alive"]
  var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
  execv("/bin/sh", &arguments)
}

/// Prints lines forever, without a service.
@MainActor func printForever() {
  EventStream<Int, Never>.interval(.milliseconds(1), on: EventLoop.main)
    .observeNext { printLine("\($0)") }
  EventLoop.main.run()
}
