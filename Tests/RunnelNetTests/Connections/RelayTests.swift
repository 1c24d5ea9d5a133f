import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct RelayTests {
  /// A proxy to another server, on the same loop.
  private func proxy(to address: SocketAddress, on loop: EventLoop) -> Server {
    Server(on: loop) { client in
      Connection.connect(to: .address(address), on: loop).observe(
        succeeded: { client.relay(to: $0) }, failed: { _ in client.reset() })
    }
  }

  @Test func relaysBothWaysWithHalfCloses() async {
    let sent = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    await withLoop { loop in
      let server = Server(on: loop) { connection in
        connection.staysOpenAfterEnd = true
        var received: [UInt8] = []
        connection.bytes.observe(
          next: { received += $0 }, failed: { _ in },
          completed: {
            _ = connection.write(received)
            connection.finish()
          })
      }
      let proxy = proxy(to: server.address, on: loop)
      let peer = proxy.connect()
      peer.send(sent)
      peer.finish()
      #expect(peer.receiveAll() == sent)
      proxy.wait(forConnections: 0)
      server.wait(forConnections: 0)
    }
  }

  @Test("A peer that does not read stops the other one; memory stays bounded")
  func pausesForSlowReader() async {
    await withLoop { loop in
      let source = Confined<Connection?>(nil)
      let server = Server(on: loop) { connection in
        source.value = connection
        _ = connection.write([UInt8](repeating: 1, count: 50_000_000))
        connection.finish()
      }
      let proxy = proxy(to: server.address, on: loop)
      let peer = proxy.connect(receiveBuffer: 4_096)
      #expect(peer.receive(exactly: 1_000).count == 1_000)
      // The server cannot write everything while the peer does not read.
      let waiting = loop.wait { source.value?.writer.waitingCount ?? 0 }
      #expect(waiting > 20_000_000)
      #expect(peer.receiveAll().count == 50_000_000 - 1_000)
      loop.wait { source.value = nil }
    }
  }

  @Test func resetIsPassedOn() async {
    await withLoop { loop in
      let failures = EventLog<SocketError.Cause>()
      let server = Server(on: loop) { connection in
        connection.bytes.observe(next: { _ in }, failed: { failures.add($0.cause) })
      }
      let proxy = proxy(to: server.address, on: loop)
      let peer = proxy.connect()
      peer.send("x")
      server.wait(forConnections: 1)
      peer.reset()
      #expect(failures.wait(for: 1) == [.reset])
      proxy.wait(forConnections: 0)
    }
  }

  @Test("The client is reset when the server fails while neither sends")
  func failureOfIdleServerIsPassedOn() async {
    await withLoop { loop in
      let accepted = Confined<Connection?>(nil)
      let server = Server(on: loop) { accepted.value = $0 }
      let proxy = proxy(to: server.address, on: loop)
      let peer = proxy.connect()
      server.wait(forConnections: 1)
      loop.wait {
        accepted.value?.reset()
        accepted.value = nil
      }
      #expect(peer.receiveError() == ECONNRESET)
      proxy.wait(forConnections: 0)
    }
  }

  @Test func disposalStopsAndReleases() async {
    await withLoop { loop in
      let relay = Confined<Disposable?>(nil)
      let server = Server(on: loop) { $0.bytes.bind(to: $0.writer) }
      let proxy = Server(on: loop) { client in
        Connection.connect(to: .address(server.address), on: loop).observe(
          succeeded: { relay.value = client.relay(to: $0) }, failed: { _ in })
      }
      let peer = proxy.connect()
      peer.send("x")
      #expect(peer.receive(exactly: 1).count == 1)
      loop.wait { relay.value?.dispose() }
      #expect(peer.receiveAll().isEmpty)
      proxy.wait(forConnections: 0)
      server.wait(forConnections: 0)
      loop.wait { relay.value = nil }
    }
  }
}
