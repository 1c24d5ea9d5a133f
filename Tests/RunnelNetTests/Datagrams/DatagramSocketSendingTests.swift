import CSockets
import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct DatagramSocketSendingTests {
  @Test func connectedSocketHasOnePeer() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let (peer, stranger) = (DatagramPeer(), DatagramPeer())
      let station = Station(on: loop) { socket in
        do {
          try socket.connect(to: peer.address)
        } catch {
          Issue.record(error)
        }
        socket.datagrams.observeNext { log.add($0.text) }
        #expect(socket.send(Array("hello".utf8)))
        #expect(socket.peer == peer.address)
      }
      #expect(peer.receiveText() == "hello")
      stranger.send("from a stranger", to: station.address)
      peer.send("from the peer", to: station.address)
      #expect(log.wait(for: 1) == ["from the peer"])
      // Another address can still be sent to.
      #expect(station.use { $0.send([33], to: stranger.address) })
      #expect(stranger.receiveText() == "!")
    }
  }

  @Test("A connected socket reports that nobody listens at its peer, and goes on")
  func survivesUnreachablePeer() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let address = DatagramPeer.unusedAddress()
      let station = Station(on: loop) { socket in
        socket.failures.observeNext { log.add("\($0)") }
        socket.datagrams.observe(
          next: { log.add($0.text) }, failed: { _ in log.add("failed") },
          completed: { log.add("completed") })
        do {
          try socket.connect(to: address)
        } catch {
          Issue.record(error)
        }
        #expect(socket.send([1]))
      }
      let failure = SocketError.Cause.refused
      #expect(log.wait(for: 1) == ["Could not write to \(address): \(failure)"])
      let peer = DatagramPeer(at: address)
      peer.send("late", to: station.address)
      #expect(log.wait(for: 2).last == "late")
      #expect(station.use { $0.send([65]) })
      #expect(peer.receiveText() == "A")
      station.use { $0.close() }
      #expect(log.all.last == "completed")
    }
  }

  @Test("A socket that does not receive reports an unreachable peer when it sends again")
  func nextSendReportsUnreachablePeer() async {
    await withLoop { loop in
      let log = EventLog<SocketError.Cause>()
      let address = DatagramPeer.unusedAddress()
      let station = Station(on: loop) { socket in
        socket.failures.observeNext { log.add($0.cause) }
        do {
          try socket.connect(to: address)
        } catch {
          Issue.record(error)
        }
        #expect(socket.send([1]))
      }
      let peer = DatagramPeer(at: address)
      #expect(station.use { $0.send([66]) })
      #expect(peer.receiveText() == "B")
      #expect(log.all == [.refused])
    }
  }

  @Test func tooLongDatagramIsReported() async {
    await withLoop { loop in
      let log = EventLog<SocketError>()
      let peer = DatagramPeer()
      let station = Station(on: loop) { socket in
        socket.failures.observeNext { log.add($0) }
      }
      let isSent = station.use { socket in
        [
          socket.send([UInt8](repeating: 0, count: 65_508), to: peer.address),
          socket.send([UInt8](repeating: 0, count: 65_507), to: peer.address),
        ]
      }
      #expect(isSent == [false, true])
      #expect(peer.receive()?.count == 65_507)
      #expect(log.all.map(\.cause) == [.datagramTooLong(count: 65_508)])
      #expect(
        "\(log.all[0])" == """
          Could not write to \(peer.address): a datagram of 65508 bytes is too long. UDP carries at \
          most 65,507 bytes, and a socket that does not fragment carries what fits the network, \
          often 1,472. Send smaller datagrams.
          """)
    }
  }

  @Test func broadcastNeedsItsOption() async {
    await withLoop { loop in
      let log = EventLog<SocketError.Cause>()
      let address = SocketAddress.ip(IPAddress(255, 255, 255, 255), port: 9)
      let refused = Station(on: loop) { socket in
        socket.failures.observeNext { log.add($0.cause) }
      }
      #expect(!refused.use { $0.send([1], to: address) })
      let allowed = Station(on: loop, DatagramOptions { $0.allowsBroadcast = true }) { socket in
        socket.failures.observeNext { log.add($0.cause) }
      }
      _ = allowed.use { $0.send([1], to: address) }
      // A machine without a network has no route.
      #expect(log.all.filter { $0 != .unreachable } == [.broadcastNotAllowed])
    }
  }

  @Test func deinitCanSend() async {
    final class Session {
      let socket: DatagramSocket
      let peer: SocketAddress

      init(_ socket: DatagramSocket, _ peer: SocketAddress) {
        self.socket = socket
        self.peer = peer
      }

      deinit { socket.send(Array("bye".utf8), to: peer) }
    }
    await withLoop { loop in
      let peer = DatagramPeer()
      let station = Station(on: loop) { socket in
        let session = Session(socket, peer.address)
        socket.datagrams.take(1).observeNext { _ in withExtendedLifetime(session) {} }
      }
      station.release()
      peer.send("go", to: station.address)
      #expect(peer.receiveText() == "bye")
    }
  }

  // MARK: - Waiting

  private func name() -> String { "runnel-\(UInt64.random(in: .min ... .max))" }

  /// The queue of a Unix socket that nobody reads is full after some datagrams. Those of UDP never
  /// are on one machine.
  @Test("Datagrams wait in order while the peer has no room", arguments: [true, false])
  func datagramsWaitForRoom(isConnected: Bool) async {
    await withLoop { loop in
      let peer = DatagramPeer(at: .abstract(name()))
      let station = Station(on: loop, at: .address(.unnamed)) { socket in
        guard isConnected else { return }
        do {
          try socket.connect(to: peer.address)
        } catch {
          Issue.record(error)
        }
      }
      guard case .abstract = station.address else {
        Issue.record("The system has chosen no name.")
        return
      }
      let count = 300
      let (accepted, waiting) = station.use { socket in
        let accepted = (0..<count).map { number in
          isConnected
            ? socket.send(Array("\(number)".utf8))
            : socket.send(Array("\(number)".utf8), to: peer.address)
        }
        return (accepted, socket.waitingCount)
      }
      #expect(accepted.allSatisfy { $0 })
      #expect(waiting > 0)
      for number in 0..<count {
        let text = peer.receiveText()
        if text != "\(number)" { Issue.record("\(text ?? "nil") instead of \(number)") }
      }
      #expect(station.use { $0.waitingCount } == 0)
    }
  }

  @Test func fullQueueDropsDatagrams() async {
    await withLoop { loop in
      let writable = EventLog<Bool>()
      let peer = DatagramPeer(at: .abstract(name()))
      let options = DatagramOptions { $0.waitingLimit = 10_000 }
      let station = Station(on: loop, at: .abstract(name()), options) { socket in
        socket.isWritable.observeNext { writable.add($0) }
      }
      let bytes = [UInt8](repeating: 0, count: 936)
      let accepted = station.use { socket in
        var count = 0
        while socket.send(bytes, to: peer.address) { count += 1 }
        return (count, socket.waitingCount)
      }
      #expect(accepted.1 == 10)
      #expect(writable.all == [true, false])
      for _ in 0..<accepted.0 { #expect(peer.receive()?.count == 936) }
      #expect(writable.wait(for: 3) == [true, false, true])
      #expect(station.use { $0.send([1], to: peer.address) })
      #expect(peer.receive() == [1])
    }
  }

  @Test func closingDropsWaitingDatagrams() async {
    await withLoop { loop in
      let writable = EventLog<Bool>()
      let peer = DatagramPeer(at: .abstract(name()))
      let station = Station(on: loop, at: .abstract(name())) { socket in
        socket.isWritable.observeNext { writable.add($0) }
      }
      let counts = station.use { socket in
        for _ in 0..<1_000 { socket.send([1], to: peer.address) }
        let before = socket.waitingCount
        socket.close()
        return (before, socket.waitingCount, socket.send([1], to: peer.address))
      }
      #expect(counts.0 > 0 && counts.1 == 0 && !counts.2)
      #expect(writable.all == [true, false])
    }
  }

  @Test("A socket without a peer traps when it should send to one")
  func sendingWithoutPeerTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await withLoop { loop in
        let station = Station(on: loop)
        _ = station.use { $0.send([1]) }
      }
    }
    #expect(result.says("needs a peer"))
  }

  // MARK: - Unix sockets

  @Test func unixSocketsExchangeDatagrams() async {
    let folder = TemporaryFolder()
    await withLoop { loop in
      let log = EventLog<Datagram>()
      let path = folder["server"]
      let options = DatagramOptions { $0.permissions = 0o600 }
      let server = Station(on: loop, at: .unix(path), options) { socket in
        socket.datagrams.observeNext {
          log.add($0)
          socket.send($0.bytes, to: $0.sender)
        }
      }
      #expect(server.address == .unix(path))
      var status = stat()
      #expect(lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
      let peer = DatagramPeer(at: .unix(folder["peer"]))
      peer.send("hello", to: server.address)
      #expect(peer.receiveText() == "hello")
      #expect(log.all == [Datagram(Array("hello".utf8), from: peer.address)])
      server.use { $0.close() }
      #expect(lstat(path, &status) < 0)
    }
  }

  @Test func staleUnixSocketIsReplaced() async {
    let folder = TemporaryFolder()
    await withLoop { loop in
      let path = folder["server"]
      // The file stays when its socket is closed.
      _ = DatagramPeer(at: .unix(path))
      DatagramPeer.waitUntilClosed(.unix(path))
      let server = Station(on: loop, at: .unix(path))
      let cause = loop.wait {
        do throws(SocketError) {
          _ = try DatagramSocket(.unix(path), on: loop)
          return nil as SocketError.Cause?
        } catch {
          return error.cause
        }
      }
      #expect(cause == .addressInUse)
      server.use { $0.close() }
    }
  }
}
