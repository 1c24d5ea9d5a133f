import Glibc
import RunnelLoop
import RunnelStreams

/// Says which signals come; SIGTERM ends it.
@MainActor func listenToSignals() {
  let loop = EventLoop.main
  loop.signals(.user1, .user2, .hangup).observeNext { say("\($0)") }
  loop.execute { say("ready") }
  loop.run(until: loop.signals(.terminate))
  say("end")
}

/// Says what becomes of a write that nobody will read, and becomes a shell that makes one.
@MainActor func writeToABrokenPipe() {
  signal(SIGPIPE, SIG_DFL)
  _ = EventLoop.main
  var ends: [Int32] = [0, 0]
  pipe(&ends)
  close(ends[0])
  let written = write(ends[1], "x", 1)
  say(written < 0 && errno == EPIPE ? "EPIPE" : "\(written)")
  let words = ["/bin/sh", "-c", "kill -PIPE $$; echo alive"]
  var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
  execv("/bin/sh", &arguments)
}

/// Prints lines for ever, without a service.
@MainActor func talkForEver() {
  EventStream<Int, Never>.interval(.milliseconds(1), on: EventLoop.main)
    .observeNext { say("\($0)") }
  EventLoop.main.run()
}
