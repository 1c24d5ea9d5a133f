import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// The stream of a connection that is bound to its own writer: the form of the guide.
@Suite struct BindingTests {
  /// Echoes lines, and logs the failures of the stream before the binding.
  private static func echo(_ connection: Connection, _ log: EventLog<String>) {
    connection.lines(longest: 100)
      .do(failed: { log.add("\($0.cause)") }, completed: { log.add("completed") })
      .map { "echo \($0)\n" }
      .bind(to: connection.writer)
  }

  @Test("Each of 50 resets fails the bound stream once")
  func resets() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let server = Server(on: loop) { Self.echo($0, log) }
      for number in 0..<50 {
        let peer = server.connect()
        peer.send("a\n")
        _ = peer.receive(exactly: 7)
        // Every other reset meets answers that are being written.
        if number % 2 == 0 { peer.send(String(repeating: "b\n", count: 1_000)) }
        peer.reset()
      }
      #expect(Set(log.wait(for: 50)) == ["\(SocketError.Cause.reset)"])
      server.wait(forConnections: 0)
      #expect(log.all.count == 50)
    }
  }

  @Test("A peer that closes without reading the answers fails the bound stream")
  func closesWithoutReading() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let server = Server(on: loop) { Self.echo($0, log) }
      for _ in 0..<20 {
        let peer = server.connect()
        peer.send(String(repeating: "some line\n", count: 10_000))
        peer.close()
      }
      // Either the end or the reset that the answers have caused comes first.
      let ends: Set = ["\(SocketError.Cause.reset)", "completed"]
      #expect(Set(log.wait(for: 20)).isSubset(of: ends))
      server.wait(forConnections: 0)
      #expect(log.all.count == 20)
    }
  }

  @Test func lineThatIsTooLong() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let server = Server(on: loop) { Self.echo($0, log) }
      let peer = server.connect()
      peer.send(String(repeating: "x", count: 101))
      #expect(log.wait(for: 1) == ["\(SocketError.Cause.tooLong(limit: 100))"])
      server.wait(forConnections: 0)
      #expect(log.all.count == 1)
    }
  }

  @Test func idleLimit() throws {
    let pair = try Pair()
    let log = EventLog<String>()
    pair.far.timeLimits.idle = .seconds(5)
    Self.echo(pair.far, log)
    pair.scheduler.advance(by: .seconds(6))
    #expect(log.all == ["\(SocketError.Cause.timedOut(.idle))"])
    #expect(!pair.far.isOpen)
  }

  @Test("A connection may be gone when a place after it has room again")
  func releasedWhilePaused() async {
    await withLoop { loop in
      let worker = EventLoop(name: "worker")
      let gate = Monitor(false)
      let log = EventLog<String>()
      let server = Server(on: loop) { connection in
        connection.lines().via(worker, backlog: Backlog(elements: 1)) {
          $0.do(next: { _ in _ = gate.wait { $0 ? true : nil } })
        }
        .observe(next: { _ in }, failed: { log.add("\($0.cause)") })
      }
      let peer = server.connect()
      peer.send(String(repeating: "a\n", count: 1_000))
      server.wait(forConnections: 1)
      peer.reset()
      server.wait(forConnections: 0)
      gate.withLock { $0 = true }
      #expect(log.wait(for: 1) == ["\(SocketError.Cause.reset)"])
      worker.stop()
      worker.join()
    }
  }

  @Test("A stream without an end stops when its writer refuses it")
  func endlessStreamStops() throws {
    let pair = try Pair()
    pair.far.writer.limit = 1_000
    EventStream<Int, Never>.sequence(1...Int.max).map { "\($0)\n" }.bind(to: pair.far.writer)
    #expect(!pair.far.writer.isOpen)
  }

  @Test("A binding that survives the failure of its connection's stream ends after it")
  func survivingBindingEnds() throws {
    let pair = try Pair()
    let ticks = Subject<String, Never>()
    let lines = pair.far.lines().ignoreFailure()
    let binding = EventStream.merge(lines, ticks.stream).bind(to: pair.far.writer)
    pair.scheduler.run()
    pair.network.reset(pair.far)
    pair.scheduler.run()
    #expect(binding.isDisposed && !ticks.isObserved)
  }

  @Test("A failure reaches observers before a crossing")
  func failureCrosses() async {
    await withLoop { loop in
      let worker = EventLoop(name: "worker")
      let log = EventLog<String>()
      let server = Server(on: loop) { connection in
        connection.lines().do(failed: { log.add("\($0.cause)") })
          .via(worker) { $0.map { "\($0)\n" } }
          .bind(to: connection.writer)
      }
      let peer = server.connect()
      peer.send("a\n")
      _ = peer.receive(exactly: 2)
      peer.reset()
      #expect(log.wait(for: 1) == ["\(SocketError.Cause.reset)"])
      server.wait(forConnections: 0)
      worker.stop()
      worker.join()
    }
  }

  @Test("A writer that is finished ends the binding, and the connection")
  func finishEndsBinding() throws {
    let pair = try Pair()
    let log = EventLog<String>()
    Self.echo(pair.far, log)
    pair.far.finish()
    pair.scheduler.run()
    #expect(log.all.isEmpty)
    var ended = false
    pair.near.bytes.observe(next: { _ in }, completed: { ended = true })
    pair.scheduler.run()
    #expect(ended)
  }

  @Test("A binding of another stream ends with the connection")
  func otherStream() throws {
    let pair = try Pair()
    let ticks = Subject<String, Never>()
    let binding = ticks.bind(to: pair.far.writer)
    pair.network.reset(pair.far)
    pair.scheduler.run()
    #expect(binding.isDisposed)
    #expect(!ticks.isObserved)
  }

  // MARK: - Writable

  @Test(
    "While isWritable is true, a write of any size is taken", arguments: [Overflow.wait, .fail])
  func writableMeansTaken(_ overflow: Overflow) async {
    await withLoop { loop in
      let total = 85 * 60_000
      let server = Server(on: loop, { $0.connection.sendBuffer = 4_096 }) { connection in
        let writer = connection.writer
        writer.overflow = overflow
        var sent = 0
        writer.isWritable.stream.observeNext { isWritable in
          while writer.isWritable.value && sent < total {
            #expect(writer.write([UInt8](repeating: 1, count: 60_000)))
            sent += 60_000
          }
          if sent == total { writer.finish() }
        }
      }
      #expect(server.connect().receiveAll().count == total)
    }
  }
}
