import RunnelTLS
import TestSupport
import Testing

@Suite struct TLSIdentityTests {
  private func error(_ identity: TLSIdentity) -> String {
    do throws(TLSError) {
      _ = try TLSServerContext(certificates: [identity])
      return "none"
    } catch {
      return "\(error)"
    }
  }

  @Test func unusableSourcesAreNamed() async throws {
    let certificates = await TestCertificates.shared.value
    let server = certificates.identity("server")
    var identity = server
    identity.certificate = .file("/missing.pem")
    #expect(
      error(identity) == "Could not use /missing.pem: there is no such file. Check the path.")
    identity.certificate = .pem("nothing")
    #expect(error(identity).hasPrefix("Could not use the given PEM text: it contains no cert"))
    identity.certificate = .pem("")
    #expect(error(identity).hasPrefix("Could not use the given PEM text: it contains no cert"))
    let text = certificates.text("server.pem")
    identity.certificate = .pem(
      text + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----")
    #expect(error(identity).contains("certificate 3 is damaged"))
    identity.certificate = .pem(text)
    #expect(error(identity) == "none")
    identity.key = .file(certificates["other.key"])
    #expect(
      error(identity).contains("other.key: the key does not belong to the certificate of CN="))
    identity.key = .file(certificates["server.pem"])
    #expect(error(identity).contains("server.pem: it contains no private key."))
    identity.key = "/"
    #expect(error(identity).hasPrefix("Could not use /: "))
    #expect(throws: TLSError.self) { try TLSServerContext(certificates: []) }
    #expect(throws: TLSError.self) { try TLSClientContext(roots: .only("/missing.pem")) }
  }

  @Test func encryptedKeyNeedsPassphrase() async throws {
    let certificates = await TestCertificates.shared.value
    var identity = certificates.identity("server")
    identity.key = .file(certificates["encrypted.key"])
    #expect(error(identity).contains("the key is encrypted. Give its passphrase"))
    identity.passphrase = "wrong"
    #expect(error(identity).contains("the passphrase does not fit."))
    identity.passphrase = "secret"
    #expect(error(identity) == "none")
  }

  @Test func invalidOptionsAreRefused() async throws {
    let certificates = await TestCertificates.shared.value
    let identity = certificates.identity("server")
    let reversed = TLSOptions {
      $0.minimumVersion = .tls13
      $0.maximumVersion = .tls12
    }
    #expect(throws: TLSError.self) {
      try TLSServerContext(certificates: [identity], options: reversed)
    }
    #expect(throws: TLSError.self) {
      try TLSClientContext(options: TLSOptions { $0.applicationProtocols = [""] })
    }
  }
}
