import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTLS
import TestSupport
import Testing

@Suite struct ReleaseTests {
  /// The end of a connection.
  enum Ending: CaseIterable {
    case close, finish, reset, release, peerCloses, peerResets, handshakeFails, disposal
  }

  /// The connections of one test, not retained.
  private final class Watched {
    weak var plain: Connection?
    weak var secure: Connection?
  }

  @Test(arguments: Ending.allCases)
  func connectionsAreReleased(_ ending: Ending) async throws {
    let certificates = await TestCertificates.shared.value
    let name = ending == .handshakeFails ? "strange" : "server"
    let ofServer = try TLSServerContext(certificates: [certificates.identity(name)])
    let ofClient = try TLSClientContext(roots: certificates.roots)
    await withLoop { loop in
      let watched = Confined(Watched())
      let log = EventLog<String>()
      let server = SecureServer(on: loop, ofServer) { connection in
        switch ending {
        case .peerCloses: connection.close()
        case .peerResets: connection.reset()
        default: echo(connection)
        }
      }
      loop.execute {
        Connection.connect(to: .tcp("127.0.0.1", port: server.port), on: loop).observe(
          succeeded: { plain in
            watched.value.plain = plain
            plain.closed.observe(
              completed: { log.add("closed") }, failed: { _ in log.add("closed") })
            let handshake = plain.tls(ofClient, host: "localhost").observe(
              succeeded: { secure in
                watched.value.secure = secure
                _ = secure.write("hello\n")
                switch ending {
                case .close: secure.close()
                case .finish:
                  secure.lines().observe(failed: { _ in })
                  secure.finish()
                case .reset: secure.reset()
                case .peerCloses, .peerResets: secure.lines().observe(failed: { _ in })
                case .release, .handshakeFails, .disposal: break
                }
              }, failed: { _ in })
            if ending == .disposal { handshake.dispose() }
          }, failed: { log.add("\($0)") })
      }
      #expect(log.wait(for: 1) == ["closed"])
      server.wait(forConnections: 0)
      loop.wait {
        #expect(watched.value.plain == nil)
        #expect(watched.value.secure == nil)
      }
    }
  }
}
