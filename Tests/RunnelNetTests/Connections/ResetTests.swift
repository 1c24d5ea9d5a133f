import RunnelLoop
import RunnelNet
import RunnelStreams
import TestSupport
import Testing

@Suite struct ResetTests {
  @Test("A reset that arrives together with bytes is reported after them")
  func resetWithBytesIsReported() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let server = Server(on: loop) { connection in
        connection.lines().observe(
          next: { log.add($0) }, failed: { log.add("\($0.cause)") },
          completed: { log.add("completed") })
        log.add("open")
      }
      let peer = server.connect()
      log.wait(for: 1)
      loop.wait {
        // The loop gets one event for both.
        peer.send("bytes\n")
        peer.reset()
      }
      // The system may drop bytes that come with a reset, but never the reset.
      while log.all.last != "\(SocketError.Cause.reset)" {}
      server.wait(forConnections: 0)
      #expect(!log.all.contains("completed"))
    }
  }
}
