import RunnelLoop
import RunnelNet
import RunnelTLS
import TestSupport
import Testing

@Suite struct ClientCertificateTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let demand: @Sendable (TLSRoots) -> TLSClientCertificates
    let client: String?
    /// A part of the client's error; nil if it is accepted.
    let error: String?
    let testDescription: String

    init(
      _ name: String, _ demand: @escaping @Sendable (TLSRoots) -> TLSClientCertificates,
      _ client: String?, _ error: String?
    ) {
      self.demand = demand
      self.client = client
      self.error = error
      testDescription = "\(name), \(client ?? "none")"
    }
  }

  static let cases = [
    Case("required", { .required($0) }, "client", nil),
    Case("required", { .required($0) }, nil, "certificate"),
    Case(
      "required", { .required($0) }, "strange", "the authority of the certificate of this client"),
    Case("requested", { .requested($0) }, "client", nil),
    Case("requested", { .requested($0) }, nil, nil),
    Case(
      "requested", { .requested($0) }, "strange", "the authority of the certificate of this client"),
    Case("ignored", { _ in .ignored }, "client", nil),
  ]

  @Test(arguments: cases, [TLSVersion.tls12, .tls13])
  func serverChecksClient(_ sample: Case, _ version: TLSVersion) async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(
      certificates: [certificates.identity("server")],
      clientCertificates: sample.demand(certificates.roots))
    let client = try TLSClientContext(
      roots: certificates.roots, certificate: sample.client.map { certificates.identity($0) },
      options: TLSOptions { $0.maximumVersion = version })
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      let answer = loop.exchange(with: peer.port, client)
      if let error = sample.error {
        #expect(answer.contains(error), "\(answer)")
        let reason = sample.client == nil ? "the client has sent no certificate" : "CN=strange"
        #expect(peer.failures.wait(for: 1)[0].contains(reason))
      } else {
        #expect(answer == "echo hello", "\(peer.failures.all)")
        let subject = peer.sessions.all.first?.peerCertificate?.subject
        let isShown = !sample.testDescription.hasPrefix("ignored") && sample.client != nil
        #expect(subject == (isShown ? "CN=client" : nil))
      }
      peer.wait(forConnections: 0)
    }
  }

  @Test func missingCertificateNamesRemedy() async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(
      certificates: [certificates.identity("server")],
      clientCertificates: .required(certificates.roots))
    let client = try TLSClientContext(roots: certificates.roots)
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      let answer = loop.exchange(with: peer.port, client)
      // A client of TLS 1.3 has finished its handshake when the server checks its certificate.
      #expect(answer.hasPrefix("Could not read from 127.0.0.1:"), "\(answer)")
      #expect(answer.hasSuffix("the peer requires a client certificate. Give the context one."))
    }
  }
}
