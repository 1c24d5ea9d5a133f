import CSockets
import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct EndingTests {
  @Test func releaseWritesWaitingBytes() async {
    await withLoop { loop in
      let server = Server(on: loop) { _ = $0.write([UInt8](repeating: 1, count: 5_000_000)) }
      let peer = server.connect(receiveBuffer: 4_096)
      #expect(peer.receiveAll().count == 5_000_000)
    }
  }

  @Test("A peer that still sends gets all bytes before the end")
  func lingersForPeerThatSends() async {
    await withLoop { loop in
      let server = Server(on: loop) { _ = $0.write("goodbye") }
      let peer = server.connect()
      peer.send([UInt8](repeating: 1, count: 100_000))
      #expect(peer.receiveText() == "goodbye")
      peer.close()
      server.wait(forConnections: 0)
    }
  }

  @Test func releaseOnOtherThreadClosesOnLoop() async {
    await withLoop { loop in
      let kept = EventLog<Void>()
      let connection = Confined<Connection?>(nil)
      let server = Server(on: loop) {
        connection.value = $0
        kept.add(())
      }
      let peer = server.connect()
      kept.wait(for: 1)
      connection.value = nil
      #expect(peer.receiveAll().isEmpty)
      server.wait(forConnections: 0)
    }
  }

  @Test("The end of the peer finishes this end, after the waiting bytes")
  func endOfPeerFinishes() async {
    await withLoop { loop in
      let server = Server(on: loop) { connection in
        connection.bytes.observe(next: { _ in _ = connection.write("answer") }, failed: { _ in })
      }
      let peer = server.connect()
      peer.send("question")
      peer.finish()
      #expect(peer.receiveText() == "answer")
    }
  }

  @Test func canStayOpenAfterEnd() async {
    await withLoop { loop in
      let server = Server(on: loop) { connection in
        connection.staysOpenAfterEnd = true
        connection.bytes.observe(
          next: { _ in }, failed: { _ in },
          completed: {
            _ = loop.schedule(after: .milliseconds(1)) {
              _ = connection.write("late answer")
              connection.finish()
            }
          })
      }
      let peer = server.connect()
      peer.finish()
      #expect(peer.receiveText() == "late answer")
      server.wait(forConnections: 0)
    }
  }

  @Test func finishedEndStillReads() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let server = Server(on: loop) { connection in
        _ = connection.write("first")
        connection.finish()
        #expect(!connection.write("second"))
        connection.lines().observe(
          next: { log.add($0) }, failed: { log.add("\($0)") }, completed: { log.add("end") })
      }
      let peer = server.connect()
      #expect(peer.receiveText() == "first")
      peer.send("still\n")
      peer.finish()
      #expect(log.wait(for: 2) == ["still", "end"])
      server.wait(forConnections: 0)
    }
  }

  @Test("close() writes the waiting bytes and completes the stream; nothing more is sent")
  func closeCompletes() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let server = Server(on: loop) { connection in
        connection.lines().observe(
          next: {
            log.add($0)
            _ = connection.write("bye")
            connection.close()
          }, failed: { log.add("\($0)") }, completed: { log.add("end") })
        connection.closed.observe(completed: { log.add("closed") })
      }
      let peer = server.connect()
      peer.send("one\ntwo\n")
      #expect(peer.receiveText() == "bye")
      peer.close()
      #expect(log.wait(for: 3) == ["one", "end", "closed"])
    }
  }

  @Test func resetTellsPeer() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let server = Server(on: loop) { connection in
        connection.bytes.observe(
          next: { _ in connection.reset() }, failed: { log.add("\($0)") },
          completed: { log.add("end") })
      }
      let peer = server.connect()
      peer.send("x")
      #expect(peer.receiveError() == ECONNRESET)
      #expect(log.wait(for: 1) == ["end"])
    }
  }

  @Test("A reset is noticed although nobody reads")
  func resetIsNoticedWithoutReader() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let kept = Confined<Connection?>(nil)
      let server = Server(on: loop) { connection in
        kept.value = connection
        connection.closed.observe(
          completed: { log.add("closed") }, failed: { log.add("\($0.cause)") })
      }
      let peer = server.connect()
      server.wait(forConnections: 1)
      peer.reset()
      #expect(log.wait(for: 1) == ["\(SocketError.Cause.reset)"])
      loop.wait { kept.value = nil }
    }
  }

  @Test("A writer that outlives its connection ends with the peer")
  func writerEndsWithPeer() async {
    await withLoop { loop in
      let room = Confined(PushStream<String>())
      let server = Server(on: loop) { connection in
        room.value.bind(to: connection.writer)
        connection.lines().observe(next: { room.value.next("\($0)\n") }, failed: { _ in })
      }
      let (one, two) = (server.connect(), server.connect())
      server.wait(forConnections: 2)
      one.send("hello\n")
      #expect(one.receive(exactly: 6) == Array("hello\n".utf8))
      #expect(two.receive(exactly: 6) == Array("hello\n".utf8))
      one.close()
      server.wait(forConnections: 1)
      two.send("alone\n")
      #expect(two.receive(exactly: 6) == Array("alone\n".utf8))
      two.close()
      server.wait(forConnections: 0)
      #expect(!loop.wait { room.value.isObserved })
    }
  }

  @Test("Disposal in the middle keeps the unread bytes for the next reader")
  func disposalKeepsUnreadBytes() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let kept = Confined<Connection?>(nil)
      let server = Server(on: loop) { connection in
        kept.value = connection
        var reading: Disposable?
        reading = connection.lines().observe(
          next: {
            log.add($0)
            reading?.dispose()
          }, failed: { _ in }, completed: { log.add("end") })
      }
      let peer = server.connect()
      peer.send("one\ntwo\nthree")
      #expect(log.wait(for: 1) == ["one"])
      loop.wait {
        _ = kept.value?.lines().observe(
          next: { log.add($0) }, failed: { _ in }, completed: { log.add("end") })
      }
      peer.finish()
      #expect(log.wait(for: 4) == ["one", "two", "three", "end"])
      loop.wait { kept.value = nil }
    }
  }

  @Test("A connection is closed in each callback, and others go on", arguments: 0..<6)
  func closingInEachCallback(_ place: Int) async {
    await withLoop { loop in
      let server = Server(on: loop) { connection in
        let end = { (here: Int) in if here == place { connection.close() } }
        connection.writer.drained.observe(
          next: { end(0) }, failed: { _ in }, completed: { end(1) })
        connection.closed.observe(completed: { end(2) }, failed: { _ in end(2) })
        connection.writer.isWritable.observeNext { _ in end(3) }
        connection.bytes.observe(
          next: {
            _ = connection.write($0)
            end(4)
          }, failed: { _ in end(5) }, completed: { end(5) })
      }
      for _ in 0..<20 {
        let (one, two) = (server.connect(), server.connect())
        one.send("x")
        two.send("x")
        one.reset()
        _ = two.receive()
        two.close()
      }
      server.wait(forConnections: 0)
    }
  }

  @Test("An object writes in its deinit, while its connection is released")
  func writingInDeinit() async {
    final class Session {
      let connection: Connection
      init(_ connection: Connection) { self.connection = connection }
      deinit { _ = connection.write("farewell") }
    }
    await withLoop { loop in
      let server = Server(on: loop) { connection in
        let session = Session(connection)
        connection.lines().observe(
          next: { [session] line in _ = session.connection.write(line) }, failed: { _ in })
      }
      let peer = server.connect()
      peer.send("hi\n")
      #expect(peer.receive(exactly: 2) == Array("hi".utf8))
      peer.finish()
      // The end of the peer has finished the writer before the session is released.
      #expect(["", "farewell"].contains(peer.receiveText()))
      server.wait(forConnections: 0)
    }
  }

  @Test("A descriptor that is closed and used again in one turn is not mixed up")
  func reusedDescriptor() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let others = Confined<[Connection]>([])
      let server = Server(on: loop) { connection in
        others.value.append(connection)
        connection.lines().observe(
          next: { line in
            log.add(line)
            // Both are readable in this turn. The first one closes the other, and a new connection
            // gets its descriptor at once.
            guard line == "first" else { return }
            for other in others.value where other !== connection { other.reset() }
            Connection.connect(to: .address(server0.value ?? .unnamed), on: loop).observe(
              succeeded: {
                _ = $0.write("third\n")
                others.value.append($0)
              }, failed: { log.add("\($0)") })
          }, failed: { log.add("\($0)") })
      }
      server0.value = server.address
      let (one, two) = (server.connect(), server.connect())
      server.wait(forConnections: 2)
      loop.wait {
        one.send("first\n")
        two.send("second\n")
      }
      while !log.all.contains("third") {}
      #expect(log.all == ["first", "third"] || log.all == ["second", "first", "third"])
      loop.wait { others.value = [] }
    }
  }

  private let server0 = Confined<SocketAddress?>(nil)

  @Test("A child process that is started meanwhile does not keep a connection open")
  func childDoesNotInherit() async {
    await withLoop { loop in
      let connection = Confined<Connection?>(nil)
      let child = Confined<ChildProcess?>(nil)
      let started = EventLog<Void>()
      let server = Server(on: loop) {
        connection.value = $0
        child.value = try? ChildProcess("cat", [], on: loop) { $0.input = .piped }
        started.add(())
      }
      let peer = server.connect()
      started.wait(for: 1)
      loop.wait { connection.value = nil }
      #expect(peer.receiveAll().isEmpty)
      let ended = EventLog<Void>()
      loop.execute {
        child.value?.exit.observeNext { _ in ended.add(()) }
        child.value?.standardInput.finish()
      }
      ended.wait(for: 1)
      loop.wait { child.value = nil }
    }
  }

  @Test("A process that has inherited the socket does not keep the peer waiting")
  func inheritedSocketStillEnds() async {
    await withLoop { loop in
      let connection = Confined<Connection?>(nil)
      let copies = EventLog<Int32>()
      let server = Server(on: loop) {
        connection.value = $0
        // A fork has the same open file as a duplicate.
        copies.add(dup($0.core.transport.socket ?? -1))
      }
      let peer = server.connect()
      let copy = copies.wait(for: 1)[0]
      loop.wait {
        _ = connection.value?.write("bye")
        connection.value = nil
      }
      #expect(peer.receiveText() == "bye")
      close(copy)
    }
  }
}
