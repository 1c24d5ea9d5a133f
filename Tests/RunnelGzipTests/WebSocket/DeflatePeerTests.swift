import RunnelGzip
import RunnelLoop
import RunnelNet
import RunnelStreams
import TestSupport
import Testing

/// The settings of the peers in Python: `connect` and `serve` take the default, or the arguments of
/// the factory.
private let clientSettings = [
  "\"deflate\"", "client_max_window_bits=True",
  "server_no_context_takeover=True, client_no_context_takeover=True, client_max_window_bits=True",
  "server_max_window_bits=9, client_max_window_bits=9", "server_max_window_bits=15",
]
private let serverSettings = [
  "\"deflate\"", "server_no_context_takeover=True, client_no_context_takeover=True",
  "server_max_window_bits=9, client_max_window_bits=9", "client_max_window_bits=15",
]

@Suite("permessage-deflate with Python's websockets") struct DeflatePeerTests {
  @Test(arguments: clientSettings, [true, false])
  func clientInPythonIsEchoed(_ compression: String, _ usesContext: Bool) async {
    await withLoop { loop in
      let address = loop.wait {
        let server = HTTPServer(on: loop)
        var options = WebSocketOptions()
        options.subprotocols = ["b"]
        var settings = WebSocketDeflate()
        settings.usesContext = usesContext
        options.compress(settings)
        server.webSocket("/", options: options) { $0.messages.bind(to: $0) }
        return (try? server.listen(.tcp("127.0.0.1", port: 0)).address).map { "\($0)" } ?? ""
      }
      #expect(
        WebSocketPeers.client(at: "ws://\(address)/", compression: compression)
          == "4001 b ['permessage-deflate']")
    }
  }

  @Test(arguments: serverSettings, [true, false])
  func serverInPythonEchoes(_ compression: String, _ usesContext: Bool) async {
    await withLoop { loop in
      let process = WebSocketPeers.startServer(compression: compression)
      let port = process.readLine()
      let log = EventLog<String>()
      loop.wait { () -> Void in
        var options = WebSocketOptions()
        var settings = WebSocketDeflate()
        settings.usesContext = usesContext
        options.compress(settings)
        WebSocket.connect(to: "ws://127.0.0.1:\(port)/", options: options, on: loop).observe(
          succeeded: { socket in
            let sent = (0..<100).map { String(repeating: "message \($0 % 7) ", count: $0 * 20) }
            var count = 0
            socket.texts.observe(
              next: { text in
                if text != sent[count] { log.add("another message") }
                count += 1
                if count == sent.count { socket.close(4002, "bye") }
              }, failed: { log.add("\($0)") }, completed: { log.add("completed") })
            for text in sent { _ = socket.send(text) }
          },
          failed: { log.add("\($0)") })
      }
      #expect(process.readAll() == "4002 bye ['permessage-deflate']")
      while log.all.isEmpty { loop.wait {} }
      #expect(log.all == ["completed"])
    }
  }
}
