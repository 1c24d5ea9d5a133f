import Foundation
import RunnelLoop
import RunnelNet
import RunnelTLS
import TestSupport
import Testing

@Suite struct TLSCertificateTests {
  @Test func peerCertificateIsDescribed() async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(certificates: [certificates.identity("server")])
    let client = try TLSClientContext(roots: certificates.roots)
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      let found = EventLog<TLSSession?>()
      let log = EventLog<String>()
      for _ in 0..<2 {
        loop.connect(to: peer.port, client, log) { connection in
          found.add(connection.tlsSession)
          connection.close()
        }
      }
      let sessions = found.wait(for: 2)
      let certificate = sessions[0]?.peerCertificate
      #expect(certificate == sessions[1]?.peerCertificate)
      #expect(certificate?.subject == "CN=server")
      #expect(certificate?.issuer == "CN=Test Intermediate")
      #expect(certificate?.names == ["localhost", "main.test", "127.0.0.1"])
      let now = Int(Date().timeIntervalSince1970)
      #expect(certificate?.validity.contains(now) == true)
      #expect(certificate.map { $0.validity.upperBound - $0.validity.lowerBound } == 30 * 86_400)
      #expect(certificate?.pem == certificates.text("leaf.pem"))
      let base64 = certificates.text("leaf.pem").split(separator: "\n").dropFirst().dropLast()
      #expect(certificate.map { Data($0.der) } == Data(base64Encoded: base64.joined()))
      #expect(sessions[0]?.hostName == "localhost")
    }
  }
}
