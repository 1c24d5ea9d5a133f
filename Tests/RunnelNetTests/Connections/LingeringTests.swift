import RunnelLoop
import RunnelNet
import RunnelStreams
import TestSupport
import Testing

@Suite struct LingeringTests {
  @Test("Closing another connection in a callback leaves the bytes being read intact")
  func closingAnotherConnectionKeepsBytes() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let other = Confined<Connection?>(nil)
      let server = Server(on: loop) { connection in
        guard other.value != nil else {
          other.value = connection
          _ = connection.write("welcome\n")
          return
        }
        connection.lines().observe(
          next: { line in
            // The other connection has unread bytes, which closing it reads.
            if log.count == 0 { other.value?.close() }
            log.add(line)
          }, completed: { log.add("end") })
      }
      let noisy = server.connect()
      #expect(noisy.receive(exactly: 8) == Array("welcome\n".utf8))
      noisy.send([UInt8](repeating: UInt8(ascii: "x"), count: 10_000))
      let peer = server.connect()
      peer.send("one\ntwo\nthree\n")
      peer.finish()
      while log.all.last != "end" {}
      #expect(log.all == ["one", "two", "three", "end"])
    }
  }
}
