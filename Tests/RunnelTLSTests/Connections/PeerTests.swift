import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTLS
import TestSupport
import Testing

/// Connections to other implementations of TLS.
@Suite struct PeerTests {
  @Test(arguments: [("-tls1_2", TLSVersion.tls12), ("-tls1_3", .tls13)])
  func opensslClientGetsEcho(_ option: String, _ version: TLSVersion) async throws {
    let certificates = await TestCertificates.shared.value
    let context = try TLSServerContext(certificates: [certificates.identity("server")])
    await withServer(context) { server in
      let command = [
        "/usr/bin/openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", option, "-quiet",
        "-no_ign_eof", "-CAfile", certificates["root.pem"], "-verify_return_error",
        "-verify_hostname", "main.test", "-servername", "main.test",
      ]
      await withProcess(command) { client in
        client.write("hello")
        #expect(client.readLine() == "echo hello")
        // "Q" ends the client with close_notify.
        client.write("Q")
        #expect(client.wait() == .exit(0))
        server.wait(forConnections: 0)
      }
      let sessions = server.sessions.all
      #expect(sessions.map(\.version) == [version])
      #expect(sessions.map(\.hostName) == ["main.test"])
      #expect(server.failures.all == [])
    }
  }

  @Test(arguments: [("-tls1_2", TLSVersion.tls12), ("-tls1_3", .tls13)])
  func opensslServerAnswers(_ option: String, _ version: TLSVersion) async throws {
    let certificates = await TestCertificates.shared.value
    let context = try TLSClientContext(roots: certificates.roots)
    let command = [
      "/usr/bin/openssl", "s_server", "-accept", "127.0.0.1:0", option, "-rev", "-naccept", "1",
      "-cert", certificates["server.pem"], "-cert_chain", certificates["middle.pem"], "-key",
      certificates["server.key"],
    ]
    await withProcess(command) { server in
      let port = acceptedPort(of: server)
      let loop = EventLoop(name: "client")
      let log = EventLog<String>()
      loop.connect(to: port, context, log) { connection in
        log.add("\(connection.tlsSession?.version == version)")
        log.add(connection.tlsSession?.peerCertificate?.subject ?? "none")
        _ = connection.write("hello\n")
        connection.lines().take(1).observe(
          next: { log.add($0) }, completed: { connection.close() })
      }
      #expect(log.wait(for: 3) == ["true", "CN=server", "olleh"])
      #expect(server.wait() == .exit(0))
      loop.stop()
      loop.join()
    }
  }

  @Test func curlGetsAnAnswer() async throws {
    let certificates = await TestCertificates.shared.value
    let context = try TLSServerContext(
      certificates: [certificates.identity("server")],
      options: TLSOptions { $0.applicationProtocols = ["http/1.1"] })
    let answer: @Sendable (Connection) -> Void = { connection in
      connection.lines().filter { $0.isEmpty }.take(1).observe(completed: {
        _ = connection.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhello\n")
        connection.close()
      })
    }
    await withServer(context, answer) { server in
      let command = [
        "/usr/bin/curl", "--silent", "--show-error", "--cacert", certificates["root.pem"],
        "https://127.0.0.1:\(server.port)/",
      ]
      await withProcess(command) { curl in
        #expect(curl.remainingLines() == ["hello"])
        #expect(curl.wait() == .exit(0))
      }
      #expect(server.sessions.all.map(\.applicationProtocol) == ["http/1.1"])
    }
  }
}

/// The port of a server of `openssl`, which prints it when it listens.
func acceptedPort(of server: Fixture) -> UInt16 {
  while let line = server.readLine() {
    if line.hasPrefix("ACCEPT") {
      return line.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
    }
  }
  return 0
}
