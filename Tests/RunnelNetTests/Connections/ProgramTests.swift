import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// Connections with programs that people use.
@Suite struct ProgramTests {
  private func withEcho(_ body: @escaping @Sendable (Server, UInt16) -> Void) async {
    await withLoop { loop in
      let server = Server(on: loop) { connection in
        connection.lines().map { "echo \($0)\n" }.bind(to: connection.writer)
      }
      body(server, server.address.port ?? 0)
      server.wait(forConnections: 0)
    }
  }

  @Test func netcat() async {
    await withEcho { _, port in
      #expect(
        shell("printf 'one\\ntwo\\nthree' | timeout 20 nc -N 127.0.0.1 \(port)")
          == "echo one\necho two\necho three\n")
    }
  }

  @Test func socat() async {
    await withEcho { _, port in
      #expect(
        shell("printf 'one\\r\\ntwo\\n' | timeout 20 socat -t 20 - TCP:127.0.0.1:\(port)")
          == "echo one\necho two\n")
    }
  }

  @Test func socatOverUnixSocket() async {
    await withLoop { loop in
      let folder = TemporaryFolder()
      let server = Server(on: loop, at: .unix(folder["socket"])) { $0.bytes.bind(to: $0.writer) }
      let size = 10_000_000
      let output = shell(
        """
        head -c \(size) /dev/zero | timeout 60 socat -t 60 - UNIX-CONNECT:\(folder["socket"]) | wc -c
        """)
      #expect(output == "\(size)\n")
      server.wait(forConnections: 0)
    }
  }

  @Test func curlAsTelnet() async {
    await withEcho { _, port in
      // curl ends when the server does, so the command closes its input after the answer.
      #expect(
        shell("printf 'one\\n' | timeout 20 curl -s -m 1 telnet://127.0.0.1:\(port)")
          == "echo one\n")
    }
  }

  @Test("A client of Runnel talks to a server of socat")
  func socatAsServer() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let folder = TemporaryFolder()
      let path = folder["socket"]
      loop.execute {
        let server = try? ChildProcess(
          "socat", ["UNIX-LISTEN:\(path)", "SYSTEM:tr a-z A-Z"], on: loop)
        let attempt = Connection.connect(to: .unix(path), on: loop).stream
        // The server has just been started.
        attempt.retry(1_000).observe(
          next: { connection in
            _ = connection.write("hello\n")
            connection.finish()
            connection.lines().observe(
              next: { log.add($0) }, failed: { log.add("\($0)") }, completed: { log.add("end") })
          }, failed: { log.add("\($0)") })
        server?.exit.observeNext { log.add("\($0)") }
      }
      #expect(Set(log.wait(for: 3)) == ["HELLO", "end", "\(ProcessStatus.exited(0))"])
    }
  }

  @Test("A peer whose cable is cut is noticed as configured")
  func cutCable() async {
    let name = "runnel\(getpid())"
    guard shell("ip netns add \(name) 2>&1; echo $?").hasSuffix("0\n"), getuid() == 0 else {
      print("Skipped: this machine does not allow network namespaces.")
      return
    }
    defer { _ = shell("ip netns del \(name); ip link del v\(name) 2>/dev/null") }
    let near = "10.\(getpid() % 200 + 20).\(getpid() / 200 % 250).1"
    let far = "10.\(getpid() % 200 + 20).\(getpid() / 200 % 250).2"
    let isReady = shell(
      """
      { ip link add v\(name) type veth peer name peer netns \(name) &&
      ip addr add \(near)/24 dev v\(name) && ip link set v\(name) up &&
      ip netns exec \(name) ip addr add \(far)/24 dev peer &&
      ip netns exec \(name) ip link set peer up; } >&2 && echo ready
      """)
    guard isReady == "ready\n" else {
      print("Skipped: this machine has no virtual network devices.")
      return
    }
    await withLoop { loop in
      let log = EventLog<String>()
      let server = Server(on: loop, at: .tcp(near, port: 0)) { connection in
        log.add("connected")
        connection.timeLimits = TimeLimits(idle: .milliseconds(300))
        connection.closed.observe(failed: { log.add("\($0.cause)") })
        connection.bytes.observe(next: { _ in log.add("bytes") }, failed: { _ in })
      }
      let port = server.address.port ?? 0
      let peer = startThread {
        _ = shell(
          "ip netns exec \(name) timeout 60 sh -c 'echo x; sleep 60' | ip netns exec \(name) nc \(near) \(port)"
        )
      }
      log.wait(for: 2)
      _ = shell("ip link set v\(name) down")
      #expect(log.wait(for: 3) == ["connected", "bytes", "\(SocketError.Cause.timedOut(.idle))"])
      server.wait(forConnections: 0)
      _ = shell("ip netns pids \(name) | xargs -r kill -9")
      pthread_join(peer, nil)
    }
  }
}
