import RunnelLoop
import RunnelNet
import RunnelTLS
import TestSupport
import Testing

@Suite struct ResumptionTests {
  /// Connects, exchanges a line so that tickets arrive, and returns whether the session was resumed.
  private func connect(
    _ loop: EventLoop, _ port: UInt16, _ context: TLSClientContext, host: String = "localhost"
  ) -> String {
    let log = EventLog<String>()
    loop.connect(to: port, context, host: host, log) { connection in
      let session = connection.tlsSession
      _ = connection.write("hello\n")
      connection.lines().take(1).observe(
        next: { _ in
          log.add("\(session?.isResumed ?? false) \(session?.peerCertificate?.subject ?? "none")")
        }, failed: { log.add("\($0)") }, completed: { connection.close() })
    }
    return log.wait(for: 1)[0]
  }

  @Test(arguments: [TLSVersion.tls12, .tls13], [false, true])
  func clientResumesSession(_ version: TLSVersion, withCertificate: Bool) async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(
      certificates: [certificates.identity("server"), certificates.identity("other")],
      clientCertificates: withCertificate ? .required(certificates.roots) : .ignored)
    let client = try TLSClientContext(
      roots: certificates.roots,
      certificate: withCertificate ? certificates.identity("client") : nil,
      options: TLSOptions { $0.maximumVersion = version })
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      #expect(connect(loop, peer.port, client) == "false CN=server")
      #expect(connect(loop, peer.port, client) == "true CN=server")
      #expect(connect(loop, peer.port, client) == "true CN=server")
      // Another host has sessions of its own, with the same server too.
      #expect(connect(loop, peer.port, client, host: "other.test") == "false CN=other")
      #expect(connect(loop, peer.port, client, host: "other.test") == "true CN=other")
      #expect(peer.sessions.all.map(\.isResumed) == [false, true, true, false, true])
      let subjects = Set(peer.sessions.all.map { $0.peerCertificate?.subject })
      #expect(subjects == [withCertificate ? "CN=client" : nil])
    }
  }

  @Test(arguments: [true, false])
  func resumptionCanBeDisabled(onServer: Bool) async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(
      certificates: [certificates.identity("server")],
      options: TLSOptions { $0.resumesSessions = !onServer })
    let client = try TLSClientContext(
      roots: certificates.roots, options: TLSOptions { $0.resumesSessions = onServer })
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      for _ in 0..<2 { #expect(connect(loop, peer.port, client) == "false CN=server") }
    }
  }

  @Test func opensslResumesSession() async throws {
    let certificates = await TestCertificates.shared.value
    let folder = TemporaryFolder()
    let context = try TLSServerContext(certificates: [certificates.identity("server")])
    await withServer(context) { server in
      for option in ["-sess_out", "-sess_in"] {
        let command = [
          "/usr/bin/openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-quiet",
          "-no_ign_eof", "-CAfile", certificates["root.pem"], option, folder["session"],
        ]
        await withProcess(command) { client in
          client.write("hello")
          #expect(client.readLine() == "echo hello")
          client.write("Q")
          #expect(client.wait() == .exit(0))
        }
      }
      #expect(server.sessions.all.map(\.isResumed) == [false, true])
    }
  }

  @Test func sessionOfOpensslServerIsResumed() async throws {
    let certificates = await TestCertificates.shared.value
    let context = try TLSClientContext(roots: certificates.roots)
    let command = [
      "/usr/bin/openssl", "s_server", "-accept", "127.0.0.1:0", "-rev", "-naccept", "2",
      "-cert", certificates["server.pem"], "-cert_chain", certificates["middle.pem"], "-key",
      certificates["server.key"],
    ]
    await withProcess(command) { server in
      let port = acceptedPort(of: server)
      let loop = EventLoop(name: "client")
      #expect(connect(loop, port, context) == "false CN=server")
      #expect(connect(loop, port, context) == "true CN=server")
      loop.stop()
      loop.join()
    }
  }

  @Test func reloadForgetsSessions() async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(certificates: [certificates.identity("server")])
    let client = try TLSClientContext(roots: certificates.roots)
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      #expect(connect(loop, peer.port, client) == "false CN=server")
      #expect(throws: Never.self) { try server.reload() }
      #expect(connect(loop, peer.port, client) == "false CN=server")
      #expect(connect(loop, peer.port, client) == "true CN=server")
      #expect(throws: Never.self) { try client.reload() }
      #expect(connect(loop, peer.port, client) == "false CN=server")
    }
  }
}
