import RunnelLoop
import RunnelNet
import RunnelTLS
import TestSupport
import Testing

@Suite struct VerificationTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let server: String
    var host = "localhost"
    var root = "root"
    var verification = TLSVerification.full
    /// A part of the error; nil if the server is accepted.
    let error: String?

    var testDescription: String { "\(server) for \(host) with \(root), \(verification)" }
  }

  static let cases = [
    Case(server: "server", error: nil),
    Case(server: "server", host: "LOCALHOST.", error: nil),
    Case(server: "server", host: "127.0.0.1", error: nil),
    Case(
      server: "server", host: "127.0.0.2",
      error: "CN=server is valid for localhost, main.test, 127.0.0.1, not for 127.0.0.2."),
    Case(
      server: "server", host: "elsewhere.test",
      error: "CN=server is valid for localhost, main.test, 127.0.0.1, not for elsewhere.test."),
    Case(server: "other", host: "a.wild.test", error: nil),
    Case(server: "other", host: "a.b.wild.test", error: "not for a.b.wild.test."),
    Case(server: "expired", error: "the certificate of CN=expired has expired."),
    Case(
      server: "strange", error: "CN=strange is signed by the unknown authority CN=Unknown Root."),
    Case(server: "self", error: "the certificate of CN=self is self-signed. Add it to the roots"),
    Case(server: "self", root: "self", verification: .withoutHostName, error: nil),
    Case(server: "self", root: "self", error: "CN=self is valid for no name, not for localhost."),
    Case(server: "server", host: "elsewhere.test", verification: .withoutHostName, error: nil),
    Case(server: "strange", verification: .withoutHostName, error: "unknown authority"),
    Case(server: "expired", host: "elsewhere.test", verification: .insecure, error: nil),
    Case(server: "server", host: "", error: "the host is not a valid name."),
  ]

  @Test(arguments: cases, [TLSVersion.tls12, .tls13])
  func clientChecksServer(_ sample: Case, _ version: TLSVersion) async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(certificates: [certificates.identity(sample.server)])
    let client = try TLSClientContext(
      roots: .only(.file(certificates["\(sample.root).pem"])), verification: sample.verification,
      options: TLSOptions { $0.maximumVersion = version })
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      let answer = loop.exchange(with: peer.port, client, host: sample.host)
      if let error = sample.error {
        #expect(answer.hasPrefix("Could not secure the connection to \(sample.host):"), "\(answer)")
        #expect(answer.contains(error), "\(answer)")
      } else {
        #expect(answer == "echo hello")
      }
      peer.wait(forConnections: 0)
    }
  }

  @Test func systemRootsDoNotKnowTestRoot() async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(certificates: [certificates.identity("other")])
    let client = try TLSClientContext()
    let both = try TLSClientContext(roots: .system(and: .file(certificates["root.pem"])))
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      let answer = loop.exchange(with: peer.port, client, host: "other.test")
      #expect(answer.contains("unknown authority CN=Test Root"), "\(answer)")
      #expect(loop.exchange(with: peer.port, both, host: "other.test") == "echo hello")
    }
  }

  @Test func serverLearnsWhyClientRefused() async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(certificates: [certificates.identity("strange")])
    let client = try TLSClientContext(roots: certificates.roots)
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      _ = loop.exchange(with: peer.port, client)
      let failures = peer.failures.wait(for: 1)
      #expect(failures[0].hasPrefix("the peer does not know the authority of the certificate of"))
    }
  }
}
