import CSockets
import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import TestSupport
import Testing

@Suite struct AcknowledgementTests {
  @Test("A peer that vanishes while bytes are on their way fails the connection")
  func peerVanishes() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let server = Server(on: loop, { $0.connection.acknowledgementTimeout = .milliseconds(300) }) {
        connection in
        connection.lines().observe(
          next: { _ in
            log.add("line")
            _ = connection.write("heartbeat\n")
          }, failed: { log.add("\($0.cause)") })
      }
      let peer = server.connect()
      peer.send("a\n")
      _ = peer.receive(exactly: 10)
      peer.loseEverything()
      // It still sends, but the system drops what it gets, and so acknowledges nothing.
      peer.send("b\n")
      let failure = "\(SocketError.Cause.timedOut(.acknowledgement))"
      #expect(log.wait(for: 3) == ["line", "line", failure])
      server.wait(forConnections: 0)
    }
  }

  @Test("A peer that is alive but reads nothing does not")
  func peerReadsNothing() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let limit = Duration.milliseconds(100)
      let server = Server(on: loop, { $0.connection.acknowledgementTimeout = limit }) {
        connection in
        connection.closed.observe(failed: { log.add("\($0.cause)") })
        log.add("open")
        _ = connection.write([UInt8](repeating: 1, count: 10_000_000))
      }
      let peer = server.connect(receiveBuffer: 4_096)
      // Ten times the limit pass.
      loop.execute { _ = loop.schedule(after: limit * 10) { log.add("later") } }
      #expect(log.wait(for: 2).sorted() == ["later", "open"])
      #expect(server.connectionCount == 1)
      #expect(peer.receive(exactly: 10_000_000).count == 10_000_000)
    }
  }
}
