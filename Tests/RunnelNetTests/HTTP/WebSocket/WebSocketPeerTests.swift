import RunnelLoop
import RunnelNet
import RunnelStreams
import TestSupport
import Testing

@Suite("WebSockets with Python's websockets") struct WebSocketPeerTests {
  @Test func clientInPythonIsEchoed() async {
    await withLoop { loop in
      let ends = EventLog<String>()
      let server = HTTPFixture(on: loop) { server in
        var options = WebSocketOptions()
        options.subprotocols = ["b"]
        server.webSocket("/", options: options) { socket in
          socket.messages.bind(to: socket)
          socket.closed.observe { ends.add("\($0)") }
        }
      }
      #expect(WebSocketPeers.client(at: "ws://\(server.address)/") == "4001 b []")
      #expect(ends.all == ["4001: bye"])
    }
  }

  @Test func serverInPythonEchoes() async throws {
    await withLoop { loop in
      let process = WebSocketPeers.startServer()
      let port = process.readLine()
      let log = EventLog<String>()
      let done = EventLog<Bool>()
      loop.wait {
        var options = WebSocketOptions()
        options.subprotocols = ["a", "b"]
        WebSocket.connect(to: "ws://127.0.0.1:\(port)/", options: options, on: loop).observe(
          succeeded: { socket in
            log.add(socket.subprotocol ?? "none")
            socket.closed.observe { closure in
              log.add("closed \(closure)")
              done.add(true)
            }
            let sent: [WebSocketMessage] = [
              .text(""), .text("κόσμε"), .binary([]),
              .binary([UInt8](repeating: 7, count: 200_000)),
              .text(String(repeating: "x", count: 70_000)),
            ]
            var count = 0
            socket.messages.observe(
              next: { message in
                if message != sent[count] { log.add("another message") }
                count += 1
                if count == sent.count {
                  socket.close(4002, "bye")
                } else {
                  _ = socket.send(sent[count])
                }
              }, failed: { log.add("\($0)") })
            _ = socket.send(sent[0])
          },
          failed: {
            log.add("\($0)")
            done.add(true)
          })
      }
      #expect(process.readAll() == "4002 bye []")
      while done.all.isEmpty { loop.wait {} }
      #expect(log.all == ["b", "closed 4002: bye"])
    }
  }

  @Test("A server in Python that is not found, or refuses, fails the connection")
  func refusalsFail() async {
    await withLoop { loop in
      let server = HTTPFixture(on: loop) { $0.get("/") { _ in "no socket" } }
      let log = EventLog<String>()
      let url = "ws://\(server.address)/"
      loop.wait { () -> Void in
        WebSocket.connect(to: url, on: loop).observe(
          succeeded: { _ in log.add("open") }, failed: { log.add("\($0)") })
      }
      while log.all.isEmpty { loop.wait {} }
      #expect(log.all == ["The server refused the WebSocket with 200 OK."])
    }
  }
}
