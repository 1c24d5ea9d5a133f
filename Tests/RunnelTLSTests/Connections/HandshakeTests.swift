import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTLS
import RunnelTesting
import TestSupport
import Testing

@Suite struct HandshakeTests {
  @Test(arguments: [
    ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "the peer does not speak TLS here"),
    ("PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n", "the peer does not speak TLS here"),
    ("\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", "the peer does not speak TLS here"),
    ("", "the peer has closed the connection in the handshake."),
  ])
  func garbageFailsServer(_ garbage: String, _ error: String) async throws {
    let certificates = await TestCertificates.shared.value
    let context = try TLSServerContext(certificates: [certificates.identity("server")])
    await withLoop { loop in
      let server = SecureServer(on: loop, context)
      let peer = RawPeer(to: server.port)
      peer.send(garbage)
      if garbage.isEmpty { peer.finish() }
      let failures = server.failures.wait(for: 1)
      #expect(failures[0].hasPrefix(error), "\(failures)")
      // Not more than an alert.
      #expect(peer.receiveAll().count <= 7)
      server.wait(forConnections: 0)
    }
  }

  @Test func randomBytesNeverTrap() async throws {
    let certificates = await TestCertificates.shared.value
    let context = try TLSServerContext(certificates: [certificates.identity("server")])
    await withLoop { loop in
      let server = SecureServer(on: loop, context)
      var random = SeededGenerator(seed: 7)
      for round in 0..<200 {
        let peer = RawPeer(to: server.port)
        // Half of them look like the first record of a handshake.
        let count = Int.random(in: 1...600, using: &random)
        var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        if round % 2 == 0 {
          bytes = [22, 3, 1, UInt8(count >> 8), UInt8(count & 255), 1, 0] + bytes
        }
        peer.send(bytes)
        peer.finish()
        server.failures.wait(for: round + 1)
      }
      server.wait(forConnections: 0)
    }
  }

  @Test func plainServerFailsClient() async throws {
    let certificates = await TestCertificates.shared.value
    let client = try TLSClientContext(roots: certificates.roots)
    await withLoop { loop in
      let listener = Confined<Listener?>(nil)
      let port = loop.wait {
        let made = makeListener(on: loop)
        listener.value = made
        made.connections.observeNext { _ = $0.write("220 ready\r\n") }
        return made.address.port ?? 0
      }
      let answer = loop.exchange(with: port, client)
      let text = "Could not secure the connection to localhost:\(port): the peer does not speak TLS"
      #expect(answer.hasPrefix(text), "\(answer)")
      loop.wait { listener.value?.close() }
    }
  }

  @Test func silentPeerReachesTimeLimit() async throws {
    let certificates = await TestCertificates.shared.value
    let context = try TLSServerContext(
      certificates: [certificates.identity("server")],
      options: TLSOptions { $0.handshakeTimeout = .milliseconds(1) })
    await withLoop { loop in
      let server = SecureServer(on: loop, context)
      let peer = RawPeer(to: server.port)
      #expect(server.failures.wait(for: 1) == ["\(SocketError.Cause.timedOut(.handshake))"])
      #expect(peer.receiveAll() == [])
      server.wait(forConnections: 0)
    }
  }

  @Test func disposingEndsHandshake() async throws {
    let certificates = await TestCertificates.shared.value
    let context = try TLSServerContext(certificates: [certificates.identity("server")])
    await withLoop { loop in
      let listener = Confined<Listener?>(nil)
      let log = EventLog<String>()
      let observation = Confined<Disposable?>(nil)
      let port = loop.wait {
        let made = makeListener(on: loop)
        listener.value = made
        made.connections.observeNext { plain in
          observation.value = plain.tls(context).observe(
            succeeded: { _ in log.add("succeeded") }, failed: { _ in log.add("failed") })
          log.add("begun")
        }
        return made.address.port ?? 0
      }
      let peer = RawPeer(to: port)
      log.wait(for: 1)
      loop.execute { observation.value?.dispose() }
      #expect(peer.receiveAll() == [])
      #expect(log.all == ["begun"])
      loop.wait {
        #expect(listener.value?.connectionCount == 0)
        listener.value?.close()
      }
    }
  }

  @Test func resettingPlainConnectionFailsHandshake() async throws {
    let certificates = await TestCertificates.shared.value
    let context = try TLSServerContext(certificates: [certificates.identity("server")])
    await withLoop { loop in
      let listener = Confined<Listener?>(nil)
      let log = EventLog<String>()
      let port = loop.wait {
        let made = makeListener(on: loop)
        listener.value = made
        made.connections.observeNext { plain in
          plain.tls(context).observe(
            succeeded: { _ in log.add("succeeded") }, failed: { log.add("\($0.cause)") })
          plain.reset()
        }
        return made.address.port ?? 0
      }
      let peer = RawPeer(to: port)
      #expect(peer.receiveAll() == [])
      let failure = log.wait(for: 1)[0]
      #expect(failure.hasPrefix("the peer has closed the connection in the handshake."))
      loop.wait { listener.value?.close() }
    }
  }

  @Test("A protocol with STARTTLS goes on with bytes that the plain connection has read")
  func startsAfterPlainLine() async throws {
    let certificates = await TestCertificates.shared.value
    let ofServer = try TLSServerContext(certificates: [certificates.identity("server")])
    let ofClient = try TLSClientContext(roots: certificates.roots)
    await withLoop { loop in
      let listener = Confined<Listener?>(nil)
      let log = EventLog<String>()
      let port = loop.wait {
        let made = makeListener(on: loop)
        listener.value = made
        made.connections.observeNext { plain in
          plain.lines().take(1).stream.filter { $0 == "STARTTLS" }.flatMap { _ in
            plain.tls(ofServer).stream
          }.observe(next: { echo($0) }, failed: { log.add("\($0)") })
        }
        return made.address.port ?? 0
      }
      loop.execute {
        Connection.connect(to: .tcp("127.0.0.1", port: port), on: loop).stream.flatMap { plain in
          // The server reads the line and the first bytes of the handshake together.
          _ = plain.write("STARTTLS\n")
          return plain.tls(ofClient, host: "localhost").stream
        }.observe(
          next: { secure in
            _ = secure.write("hello\n")
            secure.lines().take(1).observe(
              next: { log.add($0) }, completed: { secure.close() })
          }, failed: { log.add("\($0)") })
      }
      #expect(log.wait(for: 1) == ["echo hello"])
      loop.wait { listener.value?.close() }
    }
  }
}
