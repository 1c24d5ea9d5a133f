import RunnelLoop
import RunnelNet
import RunnelTLS
import TestSupport
import Testing

/// Certificates that were revoked: lists, and answers that a server sends with its certificate.
@Suite struct RevocationTests {
  struct ListCase: CustomTestStringConvertible, Sendable {
    let server: String
    let lists: [String]
    /// A part of the error; nil if the server is accepted.
    let error: String?

    var testDescription: String { "\(server) with \(lists)" }
  }

  static let listCases = [
    ListCase(server: "server", lists: ["all.crl"], error: nil),
    ListCase(server: "server", lists: ["root.crl", "middle.crl"], error: nil),
    ListCase(server: "server", lists: ["root.crl"], error: "there is no list of revoked"),
    ListCase(server: "renewed", lists: ["root.crl"], error: "was revoked by CN=Test Root."),
    ListCase(server: "renewed", lists: [], error: nil),
    ListCase(server: "server", lists: ["old.crl", "middle.crl"], error: "is out of date"),
  ]

  @Test(arguments: listCases, [TLSVersion.tls12, .tls13])
  func listsAreChecked(_ sample: ListCase, _ version: TLSVersion) async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(certificates: [certificates.identity(sample.server)])
    let client = try TLSClientContext(
      roots: certificates.roots,
      options: TLSOptions {
        $0.maximumVersion = version
        $0.revocationLists = sample.lists.map { .file(certificates[$0]) }
      })
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      let answer = loop.exchange(with: peer.port, client)
      #expect(sample.error.map { answer.contains($0) } ?? (answer == "echo hello"), "\(answer)")
    }
  }

  @Test func aServerRefusesRevokedClients() async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(
      certificates: [certificates.identity("server")],
      clientCertificates: .required(certificates.roots),
      options: TLSOptions { $0.revocationLists = [.file(certificates["root.crl"])] })
    let client = try TLSClientContext(
      roots: certificates.roots, certificate: certificates.identity("client"))
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      _ = loop.exchange(with: peer.port, client)
      #expect(peer.failures.wait(for: 1)[0].contains("CN=client was revoked by CN=Test Root."))
    }
  }

  @Test func damagedListsAreErrors() async throws {
    let certificates = await TestCertificates.shared.value
    for (text, reason) in [
      ("", "it contains no list of revoked certificates"),
      (certificates.text("root.pem"), "it contains no list of revoked certificates"),
      (
        certificates.text("root.crl").replacing("CRL-----\nM", with: "CRL-----\nA"),
        "list 1 is damaged"
      ),
    ] {
      let error = #expect(throws: TLSError.self) {
        _ = try TLSClientContext(options: TLSOptions { $0.revocationLists = [.pem(text)] })
      }
      #expect(error.map { "\($0)" }?.contains(reason) ?? false)
    }
    #expect(throws: TLSError.self) {
      _ = try TLSClientContext(options: TLSOptions { $0.revocationLists = ["/missing.crl"] })
    }
  }

  struct StapleCase: CustomTestStringConvertible, Sendable {
    let server: String
    /// The file of the answer that the server sends.
    let answer: String?
    let error: String?

    var testDescription: String { "\(server) with \(answer ?? "no answer")" }
  }

  static let stapleCases = [
    StapleCase(server: "server", answer: "leaf.ocsp", error: nil),
    StapleCase(server: "server", answer: nil, error: "has sent no answer that"),
    StapleCase(server: "server", answer: "other.ocsp", error: "has sent no valid answer"),
    StapleCase(server: "server", answer: "forged.ocsp", error: "has sent no valid answer"),
    StapleCase(server: "server", answer: "unknown.ocsp", error: "has sent no valid answer"),
    StapleCase(server: "renewed", answer: "renewed.ocsp", error: "CN=renewed was revoked by"),
  ]

  @Test(arguments: stapleCases, [TLSVersion.tls12, .tls13])
  func stapledAnswersAreChecked(_ sample: StapleCase, _ version: TLSVersion) async throws {
    let certificates = await TestCertificates.shared.value
    var identity = certificates.identity(sample.server)
    identity.stapledResponse = sample.answer.map { certificates[$0] }
    let server = try TLSServerContext(certificates: [certificates.identity("other"), identity])
    let client = try TLSClientContext(
      roots: certificates.roots,
      options: TLSOptions {
        $0.maximumVersion = version
        $0.requiresStapledResponse = true
      })
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      // A resumed session would have no answer.
      for _ in 0..<2 {
        let answer = loop.exchange(with: peer.port, client)
        #expect(sample.error.map { answer.contains($0) } ?? (answer == "echo hello"), "\(answer)")
      }
    }
  }

  @Test func anInsecureClientChecksNothing() async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(certificates: [certificates.identity("strange")])
    let client = try TLSClientContext(
      verification: .insecure, options: TLSOptions { $0.requiresStapledResponse = true })
    await withLoop { loop in
      let peer = SecureServer(on: loop, server)
      #expect(loop.exchange(with: peer.port, client) == "echo hello")
    }
  }

  @Test func damagedAnswerIsAnError() async throws {
    let certificates = await TestCertificates.shared.value
    var identity = certificates.identity("server")
    for file in ["root.pem", "missing"] {
      identity.stapledResponse = certificates[file]
      #expect(throws: TLSError.self) { _ = try TLSServerContext(certificates: [identity]) }
    }
  }

  @Test func opensslGetsTheAnswer() async throws {
    let certificates = await TestCertificates.shared.value
    var identity = certificates.identity("server")
    identity.stapledResponse = certificates["leaf.ocsp"]
    let context = try TLSServerContext(certificates: [identity])
    await withServer(context) { server in
      let command =
        "exec /usr/bin/openssl s_client -connect 127.0.0.1:\(server.port) -status </dev/null 2>&1"
      await withProcess(["/bin/sh", "-c", command]) { client in
        let lines = client.remainingLines()
        #expect(lines.contains { $0.contains("Cert Status: good") }, "\(lines)")
      }
    }
  }
}
