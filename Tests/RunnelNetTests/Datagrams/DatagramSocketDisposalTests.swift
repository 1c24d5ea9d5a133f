import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct DatagramSocketDisposalTests {
  @Test func closingInsideNextCompletesAfterIt() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let station = Station(on: loop)
      let peer = DatagramPeer()
      for text in ["a", "b", "c"] { peer.send(text, to: station.address) }
      station.perform { socket in
        socket.datagrams.observe(
          next: {
            log.add("begin \($0.text)")
            if $0.text == "b" { socket.close() }
            log.add("end \($0.text)")
          }, completed: { log.add("completed") })
        socket.failures.observe(completed: { log.add("failures completed") })
      }
      log.wait(for: 6)
      loop.wait {}
      #expect(
        log.all == [
          "begin a", "end a", "begin b", "failures completed", "end b", "completed",
        ])
    }
  }

  @Test func closingInsideFailureIsSafe() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let address = DatagramPeer.unusedAddress()
      let station = Station(on: loop) { socket in
        socket.failures.observe(
          next: { _ in
            log.add("failure")
            socket.close()
          }, completed: { log.add("no more failures") })
        socket.datagrams.observe(completed: { log.add("completed") })
        do {
          try socket.connect(to: address)
        } catch {
          Issue.record(error)
        }
        socket.send([1])
      }
      log.wait(for: 3)
      loop.wait {}
      #expect(Set(log.all) == ["failure", "completed", "no more failures"] && log.count == 3)
      #expect(station.use { !$0.isOpen })
    }
  }

  @Test func closedSocketCompletesAtOnce() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let station = Station(on: loop) { socket in
        socket.close()
        socket.close()
        socket.datagrams.observe(completed: { log.add("completed") })
        socket.failures.observe(completed: { log.add("failures completed") })
        log.add("\(socket.send([1], to: socket.address)) \(socket.isOpen)")
      }
      #expect(log.all == ["completed", "failures completed", "false false"])
      withExtendedLifetime(station) {}
    }
  }

  @Test func disposingInsideNextStopsDelivery() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let observation = Confined<Disposable?>(nil)
      let station = Station(on: loop)
      let peer = DatagramPeer()
      for text in ["a", "b", "c"] { peer.send(text, to: station.address) }
      station.use { socket in
        observation.value = socket.datagrams.observeNext {
          log.add($0.text)
          if $0.text == "b" { observation.value?.dispose() }
        }
      }
      log.wait(for: 2)
      station.use { socket in
        observation.value = nil
        socket.datagrams.observeNext { log.add("then \($0.text)") }
      }
      #expect(log.wait(for: 3) == ["a", "b", "then c"])
      station.use { $0.close() }
    }
  }

  @Test func sendingInsideNextIsNotReentrant() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let station = Station(on: loop) { socket in
        socket.datagrams.take(3).observe(
          next: {
            log.add("begin \($0.text)")
            socket.send($0.bytes + [33], to: socket.address)
            log.add("end \($0.text)")
          }, completed: { log.add("completed") })
      }
      DatagramPeer().send("x", to: station.address)
      #expect(
        log.wait(for: 7) == [
          "begin x", "end x", "begin x!", "end x!", "begin x!!", "end x!!", "completed",
        ])
    }
  }

  @Test func observationRetainsSocket() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let observation = Confined<Disposable?>(nil)
      let probe = Confined<WeakSocket>(WeakSocket())
      let station = Station(on: loop) { socket in
        probe.value.socket = socket
        observation.value = socket.datagrams.observeNext { log.add($0.text) }
      }
      station.release()
      DatagramPeer().send("a", to: station.address)
      #expect(log.wait(for: 1) == ["a"])
      #expect(loop.wait { probe.value.socket != nil })
      loop.wait {
        observation.value?.dispose()
        observation.value = nil
      }
      #expect(loop.wait { probe.value.socket == nil })
      DatagramPeer.waitUntilClosed(station.address)
    }
  }

  @Test func releaseOnOtherThreadClosesOnLoop() async {
    await withLoop { loop in
      let log = EventLog<Bool>()
      let station = Station(on: loop) { socket in
        socket.failures.observe(completed: { log.add(loop.isCurrent) })
        socket.isWritable.observeNext { _ in }
      }
      station.releaseHere()
      #expect(log.wait(for: 1) == [true])
      loop.wait {}
      DatagramPeer.waitUntilClosed(station.address)
    }
  }

  @Test func stoppedLoopIsReleased() async {
    await ManualContext.onThread { _ in
      let probe = Confined<WeakLoop>(WeakLoop())
      do {
        let loop = EventLoop(name: "stopped")
        probe.value.loop = loop
        let station = Station(on: loop) { socket in socket.datagrams.observeNext { _ in } }
        station.use { $0.close() }
        station.release()
        loop.stop()
        loop.join()
      }
      // The thread of the loop may hold it for a moment after its end.
      while probe.value.loop != nil { sched_yield() }
    }
  }

  @Test func secondObserverTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await withLoop { loop in
        _ = Station(on: loop) { socket in
          socket.datagrams.observeNext { _ in }
          socket.datagrams.observeNext { _ in }
        }
      }
    }
    #expect(result.says("one observer of its datagrams at a time"))
  }

  @Test func useOnOtherThreadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await withLoop { loop in
        let place = Confined<DatagramSocket?>(nil)
        _ = Station(on: loop) { place.value = $0 }
        place.value?.send([1], to: .ip(.loopback, port: 9))
      }
    }
    #expect(result.says("sending a datagram is allowed only on the thread of its EventLoop"))
  }

  /// A connection whose writer is full pauses the socket that feeds it.
  @Test func fullWriterPausesReading() async {
    await withLoop { loop in
      let pair = SocketPair()
      let most = EventLog<Int>()
      let done = EventLog<Bool>()
      let near = dup(pair.near)
      let station = Station(on: loop, DatagramOptions { $0.receiveBuffer = 1 << 20 }) { socket in
        Connection.connect(to: .descriptor(near), on: loop).observe(succeeded: { connection in
          connection.writer.limit = 4_096
          socket.datagrams.do(next: { _ in most.add(connection.writer.waitingCount) })
            .filter { !$0.bytes.isEmpty }.map(\.bytes).bind(to: connection.writer)
          done.add(true)
        })
      }
      done.wait(for: 1)
      let peer = DatagramPeer()
      for _ in 0..<400 { peer.send([UInt8](repeating: 7, count: 1_000), to: station.address) }
      let far = Peer(owning: dup(pair.far))
      #expect(far.receive(exactly: 300_000).count == 300_000)
      #expect(most.all.allSatisfy { $0 <= 6_000 })
      station.use { $0.close() }
    }
  }
}

private struct WeakSocket {
  weak var socket: DatagramSocket?
}

private struct WeakLoop {
  weak var loop: EventLoop?
}
