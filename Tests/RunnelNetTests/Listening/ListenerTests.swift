import CSockets
import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct ListenerTests {
  @Test func reportsChosenPort() async {
    await withLoop { loop in
      let server = Server(on: loop) { _ in }
      #expect(server.address.host == .loopback)
      #expect((server.address.port ?? 0) > 0)
    }
  }

  @Test("The address * accepts IPv4 and IPv6")
  func allAddresses() async {
    await withLoop { loop in
      let peers = EventLog<SocketAddress>()
      let server = Server(on: loop, at: .tcp(port: 0)) { peers.add($0.peer) }
      let port = server.address.port ?? 0
      let four = Peer(to: .ip(.loopback, port: port))
      #expect(peers.wait(for: 1).last?.host == .loopback)
      if server.address.host?.isIPv6 == true, let address = IPAddress("::1") {
        guard let six = Peer(attempting: .ip(address, port: port)) else {
          return print("Skipped: no IPv6 on lo.")
        }
        #expect(peers.wait(for: 2).last?.host == address)
        six.close()
      }
      four.close()
    }
  }

  @Test func usedPortIsRefused() async {
    await withLoop { loop in
      let server = Server(on: loop) { _ in }
      let error = loop.wait { () -> String in
        do {
          _ = try Listener(.address(server.address), on: loop)
          return ""
        } catch {
          return "\(error)"
        }
      }
      #expect(error.hasPrefix("Could not listen at \(server.address): another program listens"))
    }
  }

  @Test("A listener takes no names, and no UDP")
  func unsuitableEndpoints() async {
    await withLoop { loop in
      for endpoint in [Endpoint.tcp("example.org", port: 0), .udp(port: 0), .descriptor(0)] {
        let cause = loop.wait { () -> SocketError.Cause? in
          listeningFailure(at: endpoint, on: loop)
        }
        #expect(cause == .unsuitable || cause == .notASocket)
      }
    }
  }

  @Test("10,000 connections leave no descriptor")
  func leavesNoDescriptors() async {
    await #expect(processExitsWith: .success) {
      await withLoop { loop in
        let server = Server(on: loop) { connection in
          connection.bytes.bind(to: connection.writer)
        }
        let before = loop.wait { openDescriptors }
        for number in 0..<10_000 {
          let peer = server.connect()
          if number % 3 == 0 {
            peer.send("x")
            if peer.receive().isEmpty { exit(2) }
          }
          if number % 2 == 0 { peer.close() } else { peer.reset() }
        }
        // The last connection is accepted after all others.
        let last = server.connect()
        last.send("x")
        if last.receive().isEmpty { exit(2) }
        last.close()
        server.wait(forConnections: 0)
        guard reaches(before, on: loop) else { exit(1) }
      }
    }
  }

  @Test("At the limit of descriptors a listener pauses, serves the others, and recovers")
  func survivesDescriptorLimit() async {
    await #expect(processExitsWith: .success) {
      await withLoop { loop in
        let failures = EventLog<SocketError.Cause>()
        let server = Server(on: loop) { $0.bytes.bind(to: $0.writer) }
        server.use { listener in
          _ = listener.failures.observeNext { failures.add($0.cause) }
        }
        let first = server.connect()
        first.send("a")
        guard first.receive(exactly: 1) == Array("a".utf8) else { exit(1) }
        // The client sockets are opened before the limit is lowered below their number.
        let clients = (0..<20).map { _ in Peer(unconnectedTo: server.address) }
        // The limit is one of numbers, and other tests of the process leave gaps between them.
        let free = (0..<8).map { _ in open("/dev/null", O_RDONLY) }
        for number in free { close(number) }
        var limit = rlimit(rlim_cur: rlim_t(free.max()! + 1), rlim_max: 4_096)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        for client in clients { client.connect(to: server.address) }
        guard failures.wait(for: 3).allSatisfy({ $0 == .tooManyDescriptors }) else { exit(2) }
        let turns = loop.wait { loop.statistics.turns }
        let known = failures.count
        failures.wait(for: known + 4)
        // A few turns for each attempt, and some for the questions of this test.
        guard loop.wait(for: { loop.statistics.turns }) - turns < 100 else { exit(3) }
        first.send("b")
        guard first.receive(exactly: 1) == Array("b".utf8) else { exit(4) }
        for client in clients { client.close() }
        limit.rlim_cur = 4_096
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let last = server.connect()
        last.send("c")
        guard last.receive(exactly: 1) == Array("c".utf8) else { exit(5) }
      }
    }
  }

  @Test func maximumOfConnectionsWaits() async {
    await withLoop { loop in
      let server = Server(on: loop, { $0.maximumConnections = 2 }) { connection in
        connection.bytes.bind(to: connection.writer)
      }
      let peers = (0..<3).map { _ in server.connect() }
      for peer in peers { peer.send("x") }
      #expect(peers[0].receive(exactly: 1).count == 1)
      #expect(peers[1].receive(exactly: 1).count == 1)
      #expect(server.connectionCount == 2)
      peers[0].close()
      #expect(peers[2].receive(exactly: 1).count == 1)
    }
  }

  @Test func connectionsWaitUntilObserved() async {
    await withLoop { loop in
      let listener = Confined<Listener?>(nil)
      let address = loop.wait { () -> SocketAddress? in
        listener.value = try? Listener(.tcp("localhost", port: 0), on: loop)
        return listener.value?.address
      }
      guard let address else {
        Issue.record("There is no listener.")
        return
      }
      let peer = Peer(to: address)
      peer.send("early")
      loop.wait {
        _ = listener.value?.connections.observeNext { $0.bytes.bind(to: $0.writer) }
      }
      #expect(peer.receive(exactly: 5) == Array("early".utf8))
      // Without an observer they wait again.
      peer.close()
    }
  }

  @Test func closedListenerCompletesAndRefuses() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let listener = Confined<Listener?>(nil)
      loop.wait {
        listener.value = try? Listener(.tcp("localhost", port: 0), on: loop)
        listener.value?.connections.observe(
          next: { _ in log.add("next") }, failed: { _ in }, completed: { log.add("completed") })
        listener.value?.close()
        listener.value?.connections.observe(
          next: { _ in }, failed: { _ in }, completed: { log.add("completed again") })
      }
      #expect(log.wait(for: 2) == ["completed", "completed again"])
    }
  }

  @Test("Closing within a time waits for connections, and resets the rest")
  func closesWithinTime() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let server = Server(on: loop) { $0.bytes.bind(to: $0.writer) }
      let (quick, slow) = (server.connect(), server.connect())
      server.wait(forConnections: 2)
      server.use { listener in
        _ = listener.close(within: .milliseconds(50)).observe(completed: { log.add("drained") })
      }
      quick.send("x")
      #expect(quick.receive(exactly: 1).count == 1)
      quick.close()
      #expect(log.wait(for: 1) == ["drained"])
      #expect(slow.receiveError() == ECONNRESET)
    }
  }

  @Test func loopsCanShareAPort() async {
    await withLoop("one") { one in
      let two = EventLoop(name: "two")
      let served = EventLog<String>()
      let first = Server(on: one, { $0.sharesPort = true }) { _ in served.add("one") }
      let second = Server(on: two, at: .address(first.address), { $0.sharesPort = true }) { _ in
        served.add("two")
      }
      // The system hashes the addresses of the clients.
      var peers: [Peer] = []
      while Set(served.all).count < 2 && peers.count < 1_000 {
        peers.append(first.connect())
        served.wait(for: peers.count)
      }
      #expect(Set(served.all) == ["one", "two"])
      _ = second
      two.stop()
      two.join()
    }
  }

  @Test func servesPassedDescriptor() async {
    await withLoop { loop in
      let original = loop.wait { () -> Int32 in
        var address = Peer.system(.ip(.loopback, port: 0))
        let number = runnel_socket(&address, Int32(SOCK_STREAM.rawValue))
        runnel_bind(number, &address)
        listen(number, 5)
        return number
      }
      let server = Server(on: loop, at: .descriptor(original)) { $0.bytes.bind(to: $0.writer) }
      let peer = server.connect()
      peer.send("x")
      #expect(peer.receive(exactly: 1).count == 1)
    }
  }

  @Test("Closing a listener does not close the passed socket for its owner")
  func closingKeepsPassedSocket() async {
    await withLoop { loop in
      let (owner, passed) = loop.wait { () -> (Int32, Int32) in
        var address = Peer.system(.ip(.loopback, port: 0))
        let number = runnel_socket(&address, Int32(SOCK_STREAM.rawValue))
        runnel_bind(number, &address)
        listen(number, 5)
        return (number, dup(number))
      }
      let server = Server(on: loop, at: .descriptor(passed)) { _ in }
      server.use { $0.close() }
      let peer = server.connect()
      _ = fcntl(owner, F_SETFL, 0)
      let accepted = accept(owner, nil, nil)
      #expect(accepted >= 0)
      close(accepted)
      close(owner)
      peer.close()
    }
  }

  @Test("Options that a socket refuses fail the listener, and durations are rounded up")
  func optionsAreChecked() async {
    await withLoop { loop in
      let server = Server(on: loop, { $0.connection.keepAlive = .init(idle: .milliseconds(1)) }) {
        $0.bytes.bind(to: $0.writer)
      }
      let peer = server.connect()
      peer.send("x")
      #expect(peer.receive(exactly: 1).count == 1)
      let error = loop.wait { () -> String in
        let options = ListenerOptions { $0.connection.keepAlive = .init(count: 100_000) }
        do throws(SocketError) {
          _ = try Listener(.tcp("localhost", port: 0), options: options, on: loop)
          return ""
        } catch {
          return "\(error)"
        }
      }
      #expect(error.contains("Could not listen at localhost:0: Invalid argument"))
    }
  }

  @Test("Closing a connection in the callback that reports it is allowed")
  func closingInCallback() async {
    await withLoop { loop in
      let server = Server(on: loop) { $0.close() }
      for _ in 0..<10 { #expect(server.connect().receiveAll().isEmpty) }
      server.wait(forConnections: 0)
    }
  }

  @Test func unusedConnectionIsClosed() async {
    await withLoop { loop in
      let server = Server(on: loop) { _ in }
      #expect(server.connect().receiveAll().isEmpty)
    }
  }

  @Test func servesManyConnectionsAtOnce() async {
    await withLoop { loop in
      let server = Server(on: loop) { $0.lines().map { "\($0)\n" }.bind(to: $0.writer) }
      let peers = (0..<400).map { _ in server.connect() }
      for (number, peer) in peers.enumerated() { peer.send("\(number)\n") }
      for (number, peer) in peers.enumerated() {
        #expect(peer.receive(exactly: "\(number)\n".utf8.count) == Array("\(number)\n".utf8))
      }
      server.wait(forConnections: 400)
      for peer in peers { peer.close() }
      server.wait(forConnections: 0)
    }
  }
}

/// Returns the reason why a listener cannot be created; nil if it can.
func listeningFailure(at endpoint: Endpoint, on loop: EventLoop) -> SocketError.Cause? {
  do throws(SocketError) {
    _ = try Listener(endpoint, on: loop)
    return nil
  } catch {
    return error.cause
  }
}

/// Returns true once the process has a number of open descriptors. The system's libraries open some
/// for a moment, so it is counted several times.
func reaches(_ count: Int, on loop: EventLoop) -> Bool {
  (0..<1_000).contains { _ in loop.wait { openDescriptors } == count }
}

/// The number of open descriptors of this process.
var openDescriptors: Int {
  guard let folder = opendir("/proc/self/fd") else { return -1 }
  defer { closedir(folder) }
  var count = 0
  while readdir(folder) != nil { count += 1 }
  // The two dots, and the descriptor of the folder.
  return count - 3
}
