import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct LoopGroupListenerTests {
  private func causeOfListening(
    _ group: LoopGroup, at endpoint: Endpoint, sharesPort: Bool = false
  ) -> SocketError.Cause? {
    var options = ListenerOptions()
    options.sharesPort = sharesPort
    do throws(SocketError) {
      try group.listen(endpoint, options: options) { _ in }
      return nil
    } catch {
      return error.cause
    }
  }

  @Test("A second program cannot listen at the port of a group, unless the group shares it")
  func portIsExclusive() async {
    await withGroup { group in
      let alone = group.serve(echo)
      #expect(causeOfListening(group, at: .address(alone.address)) == .addressInUse)
      let shared = group.serve(sharesPort: true, echo)
      #expect(causeOfListening(group, at: .address(shared.address)) == .addressInUse)
      #expect(causeOfListening(group, at: .address(shared.address), sharesPort: true) == nil)
    }
  }

  @Test func unsuitableEndpointsAreRefused() async {
    await withGroup { group in
      #expect(causeOfListening(group, at: .udp(port: 0)) == .unsuitable)
      #expect(causeOfListening(group, at: .tcp("example.org", port: 0)) == .unsuitable)
      #expect(causeOfListening(group, at: .tcp("192.0.2.1", port: 0)) == .notLocal)
      #expect(causeOfListening(group, at: .unix("/none/socket")) == .noFolder)
    }
  }

  @Test func listensInBothFamilies() async {
    await withGroup { group in
      let listener = group.serve(at: .tcp(port: 0), echo)
      for number in 0..<20 {
        let peer = Peer(to: .ip(.loopback, port: listener.address.port ?? 0))
        peer.send("\(number % 10)\n")
        #expect(peer.receive(exactly: 2) == Array("\(number % 10)\n".utf8))
      }
    }
  }

  @Test func loopsShareUnixSocket() async {
    let folder = TemporaryFolder()
    await withGroup { group in
      let path = folder["server"]
      let listener = group.serve(at: .unix(path), echo)
      #expect(listener.address == .unix(path))
      let peers = (0..<100).map { _ in Peer(to: listener.address) }
      for peer in peers {
        peer.send("x\n")
        #expect(peer.receive(exactly: 2) == [120, 10])
      }
      listener.close()
      #expect(access(path, F_OK) < 0)
      group.settle()
      // The open connections go on.
      peers[0].send("y\n")
      #expect(peers[0].receive(exactly: 2) == [121, 10])
    }
  }

  @Test func loopCanListen() async {
    await withGroup { group in
      let listener = group.loops[1].wait { group.serve(echo) }
      let peer = Peer(to: listener.address)
      peer.send("x\n")
      #expect(peer.receive(exactly: 2) == [120, 10])
    }
  }

  @Test func releasedListenerGoesOn() async {
    await withGroup { group in
      let address = group.serve(echo).address
      group.settle()
      let peer = Peer(to: address)
      peer.send("x\n")
      #expect(peer.receive(exactly: 2) == [120, 10])
    }
  }

  @Test func closingFreesPortAndKeepsConnections() async {
    await withGroup { group in
      // Other tests use ports of 127.0.0.1, and one of them could take the port when it is free.
      let listener = group.serve(at: .tcp("127.0.0.2", port: 0), echo)
      let peers = (0..<30).map { _ in Peer(to: listener.address) }
      for peer in peers {
        peer.send("a\n")
        #expect(peer.receive(exactly: 2) == [97, 10])
      }
      listener.close()
      listener.close()
      group.settle()
      // A process that another test is starting holds the socket until it executes its program.
      let end = ContinuousClock.now + longestWait
      var cause: SocketError.Cause?
      repeat {
        cause = causeOfListening(group, at: .address(listener.address))
      } while cause == .addressInUse && ContinuousClock.now < end
      #expect(cause == nil)
      for peer in peers {
        peer.send("b\n")
        #expect(peer.receive(exactly: 2) == [98, 10])
      }
    }
  }

  @Test func countsConnections() async {
    let group = LoopGroup(name: "test", count: 3)
    let listener = group.serve(echo)
    #expect(await listener.connectionCount == 0)
    let peers = await ManualContext.onThread { _ in
      let peers = (0..<30).map { _ in Peer(to: listener.address) }
      for peer in peers {
        peer.send("a\n")
        #expect(peer.receive(exactly: 2) == [97, 10])
      }
      return peers
    }
    #expect(await listener.connectionCount == 30)
    for peer in peers[..<10] { peer.close() }
    while await listener.connectionCount != 20 {}
    group.stop()
    #expect(await listener.connectionCount == 0)
    await ManualContext.onThread { _ in group.join() }
  }

  @Test("Closing within a time completes on the observer's loop when the clients have finished")
  func closingWaitsForClients() async {
    await withLoop { loop in
      let group = LoopGroup(name: "test", count: 3)
      let listener = group.serve(echo)
      let peers = (0..<30).map { _ in Peer(to: listener.address) }
      for peer in peers {
        peer.send("a\n")
        #expect(peer.receive(exactly: 2) == [97, 10])
      }
      let log = EventLog<Bool>()
      loop.wait {
        _ = listener.close(within: .seconds(600)).observe(completed: { log.add(loop.isCurrent) })
      }
      for peer in peers {
        #expect(log.count == 0)
        peer.finish()
        #expect(peer.receiveError() == 0)
      }
      for peer in peers { peer.close() }
      #expect(log.wait(for: 1) == [true])
      group.stop()
      group.join()
    }
  }

  @Test(arguments: [true, false])
  func closingResetsLateClients(byStop: Bool) async {
    await withLoop { loop in
      let group = LoopGroup(name: "test", count: 3)
      let listener = group.serve(echo)
      let peers = (0..<30).map { _ in Peer(to: listener.address) }
      for peer in peers {
        peer.send("a\n")
        #expect(peer.receive(exactly: 2) == [97, 10])
      }
      let log = EventLog<Bool>()
      loop.wait {
        _ = listener.close(within: byStop ? .seconds(600) : .zero)
          .observe(completed: { log.add(true) })
      }
      if byStop { group.stop() }
      for peer in peers { #expect(peer.receiveError() == ECONNRESET) }
      #expect(log.wait(for: 1) == [true])
      // After the end, closing completes at once.
      group.stop()
      group.join()
      loop.wait {
        _ = listener.close(within: .seconds(600)).observe(completed: { log.add(false) })
      }
      #expect(log.wait(for: 2) == [true, false])
    }
  }

  @Test func closingInsideHandlerIsSafe() async {
    await withGroup { group in
      let place = Monitor<GroupListener?>(nil)
      let listener = group.serve { connection in
        place.wait { $0 }?.close()
        echo(connection)
      }
      place.withLock { $0 = listener }
      let peer = Peer(to: listener.address)
      peer.send("a\n")
      #expect(peer.receive(exactly: 2) == [97, 10])
      place.withLock { $0 = nil }
    }
  }

  @Test func limitHoldsForEachLoop() async {
    await withGroup(2) { group in
      var options = ListenerOptions()
      options.maximumConnections = 1
      let accepted = EventLog<String>()
      let listener: GroupListener
      do {
        listener = try group.listen(
          .abstract("runnel-\(UInt64.random(in: .min ... .max))"), options: options
        ) { _ in
          accepted.add(EventLoop.current?.name ?? "none")
        }
      } catch {
        Issue.record(error)
        return
      }
      // A connection that the handler does not use is closed, and makes room for the next one.
      let peers = (0..<10).map { _ in Peer(to: listener.address) }
      for peer in peers { #expect(peer.receiveError() == 0) }
      #expect(accepted.count == 10)
    }
  }

  @Test("A lack of descriptors is reported on the loop, which goes on")
  func lackOfDescriptorsIsReported() async {
    await #expect(processExitsWith: .success) {
      await withGroup(2) { group in
        let failures = EventLog<String>()
        guard
          let listener = try? group.listen(
            .tcp("127.0.0.1", port: 0),
            failed: { failures.add("\($0.cause) \(EventLoop.current != nil)") }, echo)
        else { fatalError("The group does not listen.") }
        group.settle()
        var limit = rlimit(rlim_cur: 200, rlim_max: 200)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        var used: [Int32] = []
        while case let number = dup(0), number >= 0 { used.append(number) }
        close(used.removeLast())
        let refused = Peer(to: listener.address)
        let cause = SocketError.Cause.tooManyDescriptors
        precondition(failures.wait(for: 1)[0] == "\(cause) true")
        precondition(refused.receive().isEmpty)
        for number in used { close(number) }
        let peer = Peer(to: listener.address)
        peer.send("a\n")
        precondition(peer.receive(exactly: 2) == [97, 10])
      }
    }
  }
}
