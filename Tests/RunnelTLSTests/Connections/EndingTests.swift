import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTLS
import TestSupport
import Testing

@Suite struct EndingTests {
  /// Logs the pieces and the end of what a connection receives.
  private static func record(_ connection: Connection, _ log: EventLog<String>) {
    connection.lines().observe(
      next: { log.add($0) }, failed: { log.add("failed: \($0.cause)") },
      completed: { log.add("completed") })
  }

  /// The connection below TLS, which tests cut.
  private func withPair(
    _ version: TLSVersion = .tls13,
    _ body:
      @escaping @Sendable (
        EventLoop, SecureServer,
        _ connect: @escaping (@escaping @Sendable (Connection, Connection) -> Void) -> Void,
        EventLog<String>
      ) -> Void,
    server handle: @escaping @Sendable (Connection, EventLog<String>) -> Void
  ) async throws {
    let certificates = await TestCertificates.shared.value
    let ofServer = try TLSServerContext(certificates: [certificates.identity("server")])
    let ofClient = try TLSClientContext(
      roots: certificates.roots, options: TLSOptions { $0.maximumVersion = version })
    await withLoop { loop in
      let log = EventLog<String>()
      let server = SecureServer(on: loop, ofServer) { handle($0, log) }
      let connect = { (use: @escaping @Sendable (Connection, Connection) -> Void) in
        loop.execute {
          Connection.connect(to: .tcp("127.0.0.1", port: server.port), on: loop).stream
            .flatMap { plain in
              plain.tls(ofClient, host: "localhost").stream.map { (plain, $0) }
            }.observe(next: { use($0, $1) }, failed: { log.add("\($0)") })
        }
      }
      body(loop, server, connect, log)
    }
  }

  @Test(arguments: [TLSVersion.tls12, .tls13])
  func endWithoutCloseNotifyIsTruncation(_ version: TLSVersion) async throws {
    try await withPair(version) { _, server, connect, log in
      connect { plain, secure in
        _ = secure.write("one\ntwo\n")
        secure.writer.flush()
        // The peer gets the end of the stream below TLS.
        plain.finish()
        secure.bytes.observe(failed: { _ in })
      }
      let truncated = "failed: \(SocketError.Cause.truncated)"
      #expect(log.wait(for: 3) == ["one", "two", truncated])
      server.wait(forConnections: 0)
    } server: { connection, log in
      Self.record(connection, log)
    }
  }

  @Test("A truncated end also fails a stream that is bound to its own writer")
  func truncationFailsBoundStream() async throws {
    try await withPair { _, server, connect, log in
      connect { plain, secure in
        _ = secure.write("one\n")
        secure.writer.flush()
        plain.finish()
        secure.bytes.observe(failed: { _ in })
      }
      #expect(log.wait(for: 1) == ["failed: \(SocketError.Cause.truncated)"])
      server.wait(forConnections: 0)
      #expect(log.all.count == 1)
    } server: { connection, log in
      connection.lines().do(failed: { log.add("failed: \($0.cause)") }).map { "\($0)\n" }
        .bind(to: connection.writer)
    }
  }

  @Test(arguments: [TLSVersion.tls12, .tls13])
  func resetIsNoCompletion(_ version: TLSVersion) async throws {
    try await withPair(version) { _, server, connect, log in
      connect { plain, secure in
        _ = secure.write("one\n")
        secure.bytes.observe(next: { _ in plain.reset() }, completed: { log.add("local end") })
      }
      let end = log.wait(for: 3).sorted()
      #expect(end == ["failed: \(SocketError.Cause.reset)", "local end", "one"].sorted())
      server.wait(forConnections: 0)
    } server: { connection, log in
      connection.lines().take(1).observe(
        next: { log.add($0) },
        completed: {
          Self.record(connection, log)
          _ = connection.write("now\n")
        })
    }
  }

  @Test(arguments: [TLSVersion.tls12, .tls13])
  func finishingKeepsOtherDirection(_ version: TLSVersion) async throws {
    try await withPair(version) { _, server, connect, log in
      connect { _, secure in
        _ = secure.write("question\n")
        secure.finish()
        secure.closed.observe(completed: { log.add("closed") }, failed: { log.add("\($0)") })
        Self.record(secure, log)
      }
      #expect(log.wait(for: 5) == ["question", "end of question", "answer", "completed", "closed"])
      server.wait(forConnections: 0)
    } server: { connection, log in
      connection.staysOpenAfterEnd = true
      connection.lines().observe(
        next: { log.add($0) }, failed: { log.add("\($0)") },
        completed: {
          log.add("end of question")
          _ = connection.write("answer\n")
          connection.finish()
        })
    }
  }

  @Test(arguments: [TLSVersion.tls12, .tls13])
  func closingCompletesPeer(_ version: TLSVersion) async throws {
    try await withPair(version) { _, server, connect, log in
      connect { _, secure in
        _ = secure.write("last\n")
        secure.close()
        #expect(!secure.writer.isOpen)
      }
      #expect(log.wait(for: 2) == ["last", "completed"])
      server.wait(forConnections: 0)
    } server: { connection, log in
      Self.record(connection, log)
    }
  }

  @Test func releasedConnectionFinishes() async throws {
    try await withPair { _, server, connect, log in
      connect { _, secure in _ = secure.write("last\n") }
      #expect(log.wait(for: 2) == ["last", "completed"])
      server.wait(forConnections: 0)
    } server: { connection, log in
      Self.record(connection, log)
    }
  }

  @Test func resettingInCallbackStopsDelivery() async throws {
    try await withPair { _, server, connect, log in
      connect { _, secure in
        _ = secure.write("one\ntwo\nthree\n")
        Self.record(secure, log)
      }
      log.wait(for: 2)
      server.wait(forConnections: 0)
      #expect(log.all[0] == "server one")
      #expect(log.all[1].hasPrefix("failed: "))
      #expect(log.count == 2)
    } server: { connection, log in
      connection.lines().observe(next: { line in
        log.add("server \(line)")
        connection.reset()
      })
    }
  }

  @Test func disposingInCallbackKeepsRest() async throws {
    try await withPair { _, server, connect, log in
      connect { _, secure in
        _ = secure.write("one\ntwo\nthree\n")
        secure.finish()
      }
      #expect(log.wait(for: 4) == ["first one", "two", "three", "completed"])
      server.wait(forConnections: 0)
    } server: { connection, log in
      connection.lines().take(1).observe(
        next: { log.add("first \($0)") }, completed: { Self.record(connection, log) })
    }
  }

  @Test func writesAfterResetFailWriter() async throws {
    try await withPair { loop, server, connect, log in
      connect { _, secure in
        secure.closed.observe(completed: { log.add("closed") }, failed: { log.add("\($0.cause)") })
        secure.bytes.observe(
          next: { _ in _ = secure.write([UInt8](repeating: 1, count: 10_000_000)) },
          failed: { _ in log.add("reading failed") })
      }
      #expect(log.wait(for: 2).sorted() == ["reading failed", "\(SocketError.Cause.reset)"])
      server.wait(forConnections: 0)
    } server: { connection, _ in
      _ = connection.write("go\n")
      connection.bytes.observe(next: { _ in connection.reset() })
    }
  }

  @Test func tlsWithinTLSWorks() async throws {
    let certificates = await TestCertificates.shared.value
    let context = try TLSServerContext(certificates: [certificates.identity("server")])
    let client = try TLSClientContext(roots: certificates.roots)
    try await withPair { _, server, connect, log in
      connect { _, secure in
        secure.tls(client, host: "localhost").observe(
          succeeded: { inner in
            _ = inner.write("hello\n")
            inner.finish()
            Self.record(inner, log)
          }, failed: { log.add("\($0)") })
      }
      #expect(log.wait(for: 2) == ["echo hello", "completed"])
      server.wait(forConnections: 0)
    } server: { connection, log in
      connection.tls(context).observe(succeeded: { echo($0) }, failed: { log.add("\($0)") })
    }
  }

  @Test func opensslClientSeesCloseNotify() async throws {
    let certificates = await TestCertificates.shared.value
    let context = try TLSServerContext(certificates: [certificates.identity("server")])
    let goodbye: @Sendable (Connection) -> Void = { connection in
      _ = connection.write("goodbye\n")
      connection.close()
    }
    await withServer(context, goodbye) { server in
      let command = [
        "/bin/sh", "-c",
        "exec /usr/bin/openssl s_client -connect 127.0.0.1:\(server.port) -ign_eof -msg -CAfile \(certificates["root.pem"]) 2>&1",
      ]
      await withProcess(command) { client in
        let output = client.remainingLines()
        #expect(output.contains("goodbye"))
        let alert = output.contains { $0.hasPrefix("<<<") && $0.contains("close_notify") }
        #expect(alert, "\(output.suffix(20))")
        #expect(client.wait() == .exit(0))
      }
      server.wait(forConnections: 0)
    }
  }
}
