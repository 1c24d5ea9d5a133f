import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTLS
import TestSupport
import Testing

@Suite struct HTTPClientTests {
  /// Runs a body with the port of an HTTPS server on the loop. It answers with its own protocol and
  /// the count of its connections.
  private func withHTTPS(
    _ context: TLSServerContext, _ body: @escaping @Sendable (EventLoop, UInt16) -> Void
  ) async {
    await withLoop { loop in
      let count = Confined(0)
      let https = Confined<HTTPServer?>(nil)
      loop.wait {
        let made = HTTPServer(on: loop)
        made.get("/") { request in "\(request.isSecure) \(count.value)" }
        made.get("/long") { _ in String(repeating: "x", count: 3_000_000) }
        https.value = made
      }
      let peer = SecureServer(on: loop, context) { connection in
        count.value += 1
        https.value?.serve(connection, isSecure: true)
      }
      body(loop, peer.port)
    }
  }

  /// Requests URLs, one after the other, and returns the bodies or errors.
  private func results(
    _ urls: [String], on loop: EventLoop,
    _ makeClient: @escaping @Sendable () throws(TLSError) -> HTTPClient
  ) -> [String] {
    let log = EventLog<String>()
    loop.execute {
      do {
        let client = try makeClient()
        client.proxies = HTTPProxies()
        request(urls[...], client, log)
      } catch {
        for _ in urls { log.add("\(error)") }
      }
    }
    return log.wait(for: urls.count)
  }

  @Test func secureConnectionsAreUsedAgain() async throws {
    let certificates = await TestCertificates.shared.value
    let roots = certificates.roots
    let server = try TLSServerContext(
      certificates: [certificates.identity("server")],
      options: TLSOptions { $0.applicationProtocols = ["h2", "http/1.1"] })
    await withHTTPS(server) { loop, port in
      let base = "https://localhost:\(port)"
      let results = results([base + "/", base + "/", base + "/long", base + "/"], on: loop) {
        () throws(TLSError) in try HTTPClient(on: loop, roots: roots)
      }
      #expect(results[0] == "true 1")
      #expect(results[1] == "true 1")
      #expect(results[2].utf8.count == 3_000_000)
      #expect(results[3] == "true 1")
    }
  }

  @Test func unknownCertificatesAreRefused() async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(certificates: [certificates.identity("server")])
    let roots = certificates.roots
    await withHTTPS(server) { loop, port in
      let unknown = results(["https://localhost:\(port)/"], on: loop) { () throws(TLSError) in
        try HTTPClient(on: loop, roots: .system)
      }
      #expect(unknown[0].hasPrefix("Could not secure the connection to localhost:\(port)"))
      // The certificate has the name "localhost" and the address 127.0.0.1, not the other one.
      let other = results(
        ["https://[::ffff:127.0.0.1]:\(port)/", "https://127.0.0.1:\(port)/"], on: loop
      ) {
        () throws(TLSError) in try HTTPClient(on: loop, roots: roots)
      }
      #expect(other[0].hasPrefix("Could not secure the connection"))
      #expect(other[1] == "true 1")
    }
  }

  @Test func anotherProtocolIsRefused() async throws {
    let certificates = await TestCertificates.shared.value
    let server = try TLSServerContext(
      certificates: [certificates.identity("server")],
      options: TLSOptions { $0.applicationProtocols = ["h2"] })
    let context = try TLSClientContext(
      roots: certificates.roots,
      options: TLSOptions { $0.applicationProtocols = ["h2", "http/1.1"] })
    await withHTTPS(server) { loop, port in
      let results = results(["https://localhost:\(port)/"], on: loop) { () throws(TLSError) in
        HTTPClient(on: loop, tls: context)
      }
      #expect(results[0].contains("the server has chosen the application protocol \"h2\""))
    }
  }
}

/// Requests URLs one after the other.
private func request(_ urls: ArraySlice<String>, _ client: HTTPClient, _ log: EventLog<String>) {
  guard let url = urls.first else { return }
  client.get(url).text().observe(
    succeeded: {
      log.add($0)
      request(urls.dropFirst(), client, log)
    },
    failed: {
      log.add("\($0)")
      request(urls.dropFirst(), client, log)
    })
}
