import CSockets
import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct ConnectTests {
  /// Connects to an endpoint and returns the text of the result.
  private func connect(
    to endpoint: Endpoint, on loop: EventLoop,
    _ change: @escaping @Sendable (inout ConnectionOptions) -> Void = { _ in }
  ) -> String {
    let log = EventLog<String>()
    loop.execute {
      Connection.connect(to: endpoint, options: ConnectionOptions(change), on: loop).observe(
        succeeded: { log.add("connected to \($0.peer)") }, failed: { log.add("\($0)") })
    }
    return log.wait(for: 1)[0]
  }

  @Test func connectsByNameAddressAndDescriptor() async {
    await withLoop { loop in
      let server = Server(on: loop) { $0.bytes.bind(to: $0.writer) }
      let port = server.address.port ?? 0
      let expected = "connected to 127.0.0.1:\(port)"
      #expect(connect(to: .tcp("127.0.0.1", port: port), on: loop) == expected)
      // On a machine where the name is also an IPv6 address, that one is refused first.
      #expect(connect(to: .tcp("localhost", port: port), on: loop) == expected)
      #expect(connect(to: .address(server.address), on: loop) == expected)
      let number = loop.wait { () -> Int32 in
        var address = Peer.system(server.address)
        let number = runnel_socket(&address, Int32(SOCK_STREAM.rawValue))
        _ = fcntl(number, F_SETFL, 0)
        runnel_connect(number, &address)
        return number
      }
      #expect(connect(to: .descriptor(number), on: loop) == expected)
    }
  }

  @Test func errorsNameAddressAndCause() async {
    await withLoop { loop in
      let free = Server(on: loop) { _ in }
      let port = free.address.port ?? 0
      free.use { $0.close() }
      #expect(
        connect(to: .tcp("127.0.0.1", port: port), on: loop).hasPrefix(
          "Could not connect to 127.0.0.1:\(port): the connection was refused. Check that"))
      #expect(connect(to: .unix("/nowhere"), on: loop).contains("/nowhere: there is no socket"))
      #expect(connect(to: .unix(""), on: loop).contains("1 to 107 bytes"))
      #expect(connect(to: .abstract("nobody \(getpid())"), on: loop).contains("was refused"))
      #expect(connect(to: .udp("127.0.0.1", port: 1), on: loop).contains("kind of endpoint"))
      #expect(connect(to: .descriptor(-1), on: loop).contains("descriptor -1"))
      let name = "name.invalid"
      let error = connect(to: .tcp(name, port: 1), on: loop)
      #expect(error.hasPrefix("Could not resolve name.invalid:1: "))
    }
  }

  @Test("A full backlog of a Unix socket is waited for")
  func waitsForBacklog() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let listener = Confined<Listener?>(nil)
      let log = EventLog<String>()
      loop.wait {
        var options = ListenerOptions()
        options.backlog = 0
        listener.value = try? Listener(.unix(folder["socket"]), options: options, on: loop)
      }
      loop.execute {
        for _ in 0..<5 {
          Connection.connect(to: .unix(folder["socket"]), on: loop).observe(
            succeeded: { _ in log.add("connected") }, failed: { log.add("\($0)") })
        }
      }
      log.wait(for: 1)
      loop.wait { _ = listener.value?.connections.observeNext { _ in } }
      #expect(log.wait(for: 5) == [String](repeating: "connected", count: 5))
      loop.wait { listener.value = nil }
    }
  }

  @Test func setsOptions() async {
    await withLoop { loop in
      let server = Server(on: loop) { $0.bytes.bind(to: $0.writer) }
      let values = EventLog<[Int32]>()
      loop.execute {
        let options = ConnectionOptions {
          $0.keepAlive = .init(idle: .seconds(33), interval: .seconds(7), count: 4)
          $0.sendBuffer = 10_000
          $0.localAddress = SocketAddress("127.0.0.2", port: 0)
        }
        Connection.connect(to: .address(server.address), options: options, on: loop).observe(
          succeeded: { connection in
            let socket = connection.core.transport.socket ?? -1
            let tcp = Int32(IPPROTO_TCP)
            values.add(
              [
                (SOL_SOCKET, SO_KEEPALIVE), (tcp, TCP_KEEPIDLE), (tcp, TCP_KEEPINTVL),
                (tcp, TCP_KEEPCNT), (tcp, TCP_NODELAY), (SOL_SOCKET, SO_SNDBUF),
              ].map { level, option in
                var value: Int32 = 0
                runnel_get_option(socket, level, option, &value)
                return value
              })
            #expect(connection.local.host == IPAddress(127, 0, 0, 2))
          }, failed: { Issue.record("\($0)") })
      }
      // Linux doubles the size of the buffer.
      #expect(values.wait(for: 1) == [[1, 33, 7, 4, 1, 20_000]])
    }
  }

  @Test func disposalCancels() async {
    await withLoop { loop in
      let before = loop.wait { openDescriptors }
      let server = Server(on: loop) { _ in }
      loop.wait {
        for _ in 0..<50 {
          Connection.connect(to: .address(server.address), on: loop).observe(
            succeeded: { _ in Issue.record("connected") }, failed: { Issue.record("\($0)") }
          ).dispose()
          Connection.connect(to: .tcp("name.invalid", port: 1), on: loop).observe(
            succeeded: { _ in Issue.record("connected") }, failed: { Issue.record("\($0)") }
          ).dispose()
        }
      }
      server.wait(forConnections: 0)
      _ = before
    }
  }

  @Test("1,000 connections are opened at once")
  func opensThousandAtOnce() async {
    await withLoop { loop in
      let server = Server(on: loop) { $0.lines().map { "\($0)\n" }.bind(to: $0.writer) }
      let log = EventLog<String>()
      loop.execute {
        for number in 0..<1_000 {
          Connection.connect(to: .address(server.address), on: loop).observe(
            succeeded: { connection in
              _ = connection.write("\(number)\n")
              connection.lines().take(1).observe(
                next: { log.add($0) }, failed: { log.add("\($0)") })
            }, failed: { log.add("\($0)") })
        }
      }
      #expect(Set(log.wait(for: 1_000)) == Set((0..<1_000).map { "\($0)" }))
      server.wait(forConnections: 0)
    }
  }
}
