import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct ConnectionTests {
  @Test("The server of the guide's first lines answers each line")
  func echoesLines() async {
    await withLoop { loop in
      let server = Server(on: loop) { connection in
        connection.lines().map { "echo \($0)\n" }.bind(to: connection.writer)
      }
      let peer = server.connect()
      peer.send("one\ntwo\r\nthr")
      #expect(peer.receive(exactly: 18) == Array("echo one\necho two\n".utf8))
      peer.send("ee\nlast")
      peer.finish()
      #expect(peer.receiveText() == "echo three\necho last\n")
      server.wait(forConnections: 0)
    }
  }

  @Test func bytesArriveUnchanged() async {
    let sent = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    await withLoop { loop in
      let received = EventLog<[UInt8]>()
      let end = EventLog<Bool>()
      let server = Server(on: loop) { connection in
        connection.bytes.observe(
          next: { received.add($0) }, failed: { _ in end.add(false) }, completed: { end.add(true) })
      }
      let peer = server.connect()
      peer.send(sent)
      peer.close()
      #expect(end.wait(for: 1) == [true])
      #expect(Array(received.all.joined()) == sent)
      #expect(received.all.allSatisfy { !$0.isEmpty && $0.count <= 1 << 16 })
    }
  }

  @Test func nextReaderGetsUnusedBytes() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let server = Server(on: loop) { connection in
        connection.lines().take(1).observe(
          next: { log.add("first \($0)") },
          completed: {
            connection.messages(framed: .lengthPrefixed(by: 1)).observe(
              next: { log.add("then \(String(decoding: $0, as: UTF8.self))") },
              completed: { log.add("end") })
          })
      }
      let peer = server.connect()
      peer.send("hello\n\u{3}abc\u{2}de")
      peer.finish()
      #expect(log.wait(for: 4) == ["first hello", "then abc", "then de", "end"])
    }
  }

  @Test func resetIsReportedOnce() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let server = Server(on: loop) { connection in
        connection.closed.observe(
          completed: { log.add("closed") }, failed: { log.add("closed \($0.cause)") })
        connection.bytes.observe(
          next: { _ in log.add("bytes") }, failed: { log.add("failed \($0.cause)") },
          completed: { log.add("completed") })
      }
      let peer = server.connect()
      peer.send("x")
      log.wait(for: 1)
      peer.reset()
      log.wait(for: 3)
      server.wait(forConnections: 0)
      let reset = "\(SocketError.Cause.reset)"
      #expect(log.all.sorted() == ["bytes", "closed \(reset)", "failed \(reset)"])
    }
  }

  @Test func slowReaderPausesReading() async {
    await withLoop { loop in
      let most = EventLog<Int>()
      let server = Server(on: loop) { connection in
        connection.bytes.do(next: { _ in most.add(connection.writer.waitingCount) })
          .bind(to: connection.writer)
      }
      let peer = server.connect(receiveBuffer: 4_096)
      let sent = [UInt8](repeating: 7, count: 20_000_000)
      let sender = startThread {
        peer.send(sent); peer.finish()
      }
      let other = server.connect()
      other.send("alive")
      #expect(other.receive(exactly: 5) == Array("alive".utf8))
      #expect(peer.receiveAll().count == sent.count)
      pthread_join(sender, nil)
      #expect(most.all.max() ?? 0 <= (1 << 18) + (1 << 16))
    }
  }
}
