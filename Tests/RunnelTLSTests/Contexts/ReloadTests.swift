import RunnelLoop
import RunnelNet
import RunnelTLS
import TestSupport
import Testing

@Suite struct ReloadTests {
  private func subject(_ loop: EventLoop, _ port: UInt16, _ context: TLSClientContext) -> String {
    let log = EventLog<String>()
    loop.connect(to: port, context, log) { connection in
      log.add(connection.tlsSession?.peerCertificate?.subject ?? "none")
      connection.close()
    }
    return log.wait(for: 1)[0]
  }

  @Test func laterHandshakesUseNewCertificate() async throws {
    let certificates = await TestCertificates.shared.value
    certificates.copy("server", to: "reloaded")
    let server = try TLSServerContext(certificates: [certificates.identity("reloaded")])
    let client = try TLSClientContext(roots: certificates.roots)
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      let log = EventLog<String>()
      let open = Confined<Connection?>(nil)
      loop.connect(to: peer.port, client, log) { connection in
        open.value = connection
        connection.lines().observe(next: { log.add($0) })
        _ = connection.write("before\n")
      }
      log.wait(for: 1)
      certificates.copy("renewed", to: "reloaded")
      #expect(subject(loop, peer.port, client) == "CN=server")
      #expect(throws: Never.self) { try server.reload() }
      #expect(subject(loop, peer.port, client) == "CN=renewed")
      loop.execute { _ = open.value?.write("after\n") }
      #expect(log.wait(for: 2) == ["echo before", "echo after"])
      #expect(throws: Never.self) {
        try server.reload(certificates: [certificates.identity("server")])
      }
      #expect(subject(loop, peer.port, client) == "CN=server")
      loop.wait { open.value = nil }
    }
  }

  @Test func failedReloadKeepsCertificates() async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(certificates: [certificates.identity("server")])
    let client = try TLSClientContext(roots: certificates.roots)
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      #expect(throws: TLSError.self) {
        try server.reload(certificates: [certificates.identity("missing")])
      }
      #expect(subject(loop, peer.port, client) == "CN=server")
      #expect(throws: Never.self) { try server.reload() }
      #expect(subject(loop, peer.port, client) == "CN=server")
    }
  }
}
