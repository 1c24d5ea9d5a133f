import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@testable import RunnelNet

/// Every event of a server's connection in every state.
@Suite struct ServerConnectionStateTests {
  private enum State: CaseIterable {
    case firstRequest, nextRequest, restOfHead, handling, responding, settling, upgraded, closed
  }

  private enum Event: CaseIterable {
    case head, blankLine, body, nonsense, peerFinishes, peerResets, reply, failure, drain, second
    case minutes
  }

  @Test func connectionChangesAsDrawn() throws {
    let table = try stateTable { (state: State, event: Event?) in
      let pair = try Pair()
      let near = pair.near
      let server = HTTPServer(on: pair.network)
      let reply = Subject<HTTPResponse, any Error>()
      let pieces = Subject<[UInt8], any Error>()
      server.get("/") { _ in "home" }
      server.get("/later") { _ in HTTPReply.later(reply.stream) }
      server.get("/pieces") { _ in HTTPResponse(body: HTTPBody(pieces.stream)) }
      server.post("/now") { _ in "without the body" }
      server.get("/upgrade") { _ in
        HTTPReply(.upgrade(HTTPResponse(HTTPStatus(101))) { _ in {} })
      }
      var received = 0
      near.bytes.observe(next: { received += $0.count }, failed: { _ in })
      func pass() { pair.scheduler.advance(by: .milliseconds(1)) }
      func send(_ text: String) {
        _ = near.write(text)
        pass()
      }
      server.serve(pair.far)
      let connection = try #require(server.connections.served.first)
      switch state {
      case .firstRequest: break
      case .nextRequest: send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      case .restOfHead: send("GET / HT")
      case .handling: send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
      case .responding: send("GET /pieces HTTP/1.1\r\nHost: a\r\n\r\n")
      case .settling: send("POST /now HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n")
      case .upgraded: send("GET /upgrade HTTP/1.1\r\nHost: a\r\n\r\n")
      case .closed: send("nonsense\r\n\r\n")
      }
      received = 0
      switch event {
      case .head: send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      case .blankLine: send("\r\n")
      case .body: send(String(repeating: "x", count: 100))
      case .nonsense: send("\u{1}\r\n\r\n")
      case .peerFinishes: near.finish()
      case .peerResets: near.reset()
      case .reply:
        reply.next(HTTPResponse())
        pieces.completed()
      case .failure:
        reply.failed(HTTPError(.notFound))
        pieces.failed(HTTPError(.notFound))
      case .drain:
        server.close().observe(completed: {})
        pair.scheduler.advance(by: .seconds(3))
      case .second: pair.scheduler.advance(by: .seconds(1))
      case .minutes: pair.scheduler.advance(by: .seconds(180))
      case nil: break
      }
      pass()
      return Self.text(connection) + (received > 0 ? ", answered" : "")
    }
    #expect(
      table == """
        firstRequest: first request
          head: next request, answered
          body: closed, answered
          nonsense: closed, answered
          peerFinishes: closed
          peerResets: closed
          drain: closed
          minutes: closed
        nextRequest: next request
          head: next request, answered
          body: closed, answered
          nonsense: closed, answered
          peerFinishes: closed
          peerResets: closed
          drain: closed
          minutes: closed
        restOfHead: rest of head
          head: closed, answered
          nonsense: closed, answered
          peerFinishes: closed
          peerResets: closed
          minutes: closed, answered
        handling: handling
          peerFinishes: closed
          peerResets: closed
          reply: next request, answered
          failure: next request, answered
        responding: responding
          peerFinishes: closed
          peerResets: closed
          reply: next request, answered
          failure: closed
        settling: settling
          body: next request
          peerFinishes: closed
          peerResets: closed
          minutes: closed
        upgraded: upgraded
          peerResets: closed
        closed: closed
        """)
  }

  private static func text(_ connection: ServerConnection) -> String {
    switch connection.phase {
    case .idle(.firstRequest): "first request"
    case .idle(.nextRequest): "next request"
    case .idle(.restOfHead): "rest of head"
    case .handling: "handling"
    case .responding: "responding"
    case .settling: "settling"
    case .upgraded: "upgraded"
    case .closed: "closed"
    }
  }
}
