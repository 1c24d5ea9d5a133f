import RunnelLoop
import RunnelNet
import RunnelTLS
import TestSupport
import Testing

@Suite struct NegotiationTests {
  @Test(arguments: [
    ("main.test", "CN=server"), ("other.test", "CN=other"), ("a.wild.test", "CN=other"),
    ("OTHER.test", "CN=other"), ("unknown.test", "CN=server"), ("127.0.0.1", "CN=server"),
  ])
  func serverChoosesCertificateByName(_ host: String, _ subject: String) async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(
      certificates: [certificates.identity("server"), certificates.identity("other")])
    let client = try TLSClientContext(roots: certificates.roots, verification: .withoutHostName)
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      let log = EventLog<String>()
      loop.connect(to: peer.port, client, host: host, log) { connection in
        log.add(connection.tlsSession?.peerCertificate?.subject ?? "none")
        connection.close()
      }
      #expect(log.wait(for: 1) == [subject])
      let isName = host != "127.0.0.1"
      #expect(peer.sessions.wait(for: 1).map(\.hostName) == [isName ? host : nil])
    }
  }

  @Test(
    arguments: [
      (["h2", "http/1.1"], ["http/1.1", "h2"], "h2"),
      (["http/1.1"], ["h2", "http/1.1"], "http/1.1"),
      (["h2"], [], nil), ([], ["h2"], nil), (["h2"], ["mqtt"], "failure"),
    ] as [([String], [String], String?)])
  func applicationProtocolIsAgreedOn(
    _ ofServer: [String], _ ofClient: [String], _ expected: String?
  ) async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(
      certificates: [certificates.identity("server")],
      options: TLSOptions { $0.applicationProtocols = ofServer })
    let client = try TLSClientContext(
      roots: certificates.roots, options: TLSOptions { $0.applicationProtocols = ofClient })
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      let log = EventLog<String>()
      loop.connect(to: peer.port, client, log) { connection in
        log.add(connection.tlsSession?.applicationProtocol ?? "none")
        connection.close()
      }
      let answer = log.wait(for: 1)[0]
      if expected == "failure" {
        #expect(answer.contains("supports none of the application protocols of this end (ALPN)"))
        #expect(peer.failures.wait(for: 1)[0].contains("offers none of the application protocols"))
      } else {
        #expect(answer == expected ?? "none")
        #expect(peer.sessions.wait(for: 1).map(\.applicationProtocol) == [expected])
      }
    }
  }

  @Test func versionsWithoutOverlapFail() async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(
      certificates: [certificates.identity("server")],
      options: TLSOptions { $0.minimumVersion = .tls13 })
    let client = try TLSClientContext(
      roots: certificates.roots, options: TLSOptions { $0.maximumVersion = .tls12 })
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      let answer = loop.exchange(with: peer.port, client)
      #expect(answer.contains("supports no version of TLS of this end"), "\(answer)")
      #expect(peer.failures.wait(for: 1)[0].contains("shares no version of TLS with this end"))
    }
  }
}
