import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTLS
import TestSupport
import Testing

@Suite struct SecureWebSocketTests {
  @Test("A WebSocket is opened over an encrypted connection, and echoes")
  func socketsTalkOverTLS() async throws {
    let certificates = await TestCertificates.shared.value
    let context = try TLSServerContext(certificates: [certificates.identity("server")])
    let client = try TLSClientContext(roots: certificates.roots)
    await withLoop { loop in
      let web = Confined<HTTPServer?>(nil)
      loop.wait {
        let server = HTTPServer(on: loop)
        server.webSocket("/") { $0.messages.bind(to: $0) }
        web.value = server
      }
      let server = SecureServer(on: loop, context) { web.value?.serve($0, isSecure: true) }
      let log = EventLog<String>()
      loop.wait { () -> Void in
        HTTPClient(on: loop, tls: client).webSocket("wss://localhost:\(server.port)/").observe(
          succeeded: { socket in
            socket.closed.observe { log.add("closed \($0)") }
            socket.messages.observe(
              next: { message in
                switch message {
                case .text(let text): log.add(text)
                case .binary(let bytes):
                  log.add("\(bytes.count) bytes")
                  socket.close()
                }
              }, failed: { log.add("\($0)") })
            _ = socket.send("hello")
            _ = socket.send([UInt8](repeating: 7, count: 300_000))
          }, failed: { log.add("\($0)") })
      }
      #expect(log.wait(for: 3) == ["hello", "300000 bytes", "closed 1000"])
      loop.wait { web.value = nil }
    }
  }
}
