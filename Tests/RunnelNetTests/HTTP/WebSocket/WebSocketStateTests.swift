import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@testable import RunnelNet

/// Every event in every phase of a ``WebSocketChannel``.
@Suite struct WebSocketStateTests {
  enum Phase: CaseIterable {
    /// Open, with an observer. The other open phases have none.
    case observed
    case full, discarding, closing, ended
  }

  enum Event: CaseIterable {
    case text, ping, closeFrame, violation
    /// The end of the connection.
    case end, reset
    /// 31 seconds without an event.
    case silence
    case send, close, abort
    /// Another observer is added.
    case observation
  }

  private final class Fixture {
    let client: RawClient
    let socket: WebSocket
    private let record = SocketLog()

    init(in phase: Phase) throws {
      var opened: WebSocket?
      client = try RawClient { opened = $0 }
      socket = try #require(opened)
      switch phase {
      case .observed: record.observe(socket)
      case .full, .discarding:
        record.observeEnd(of: socket)
        client.send(.text("a"))
        if phase == .discarding { client.advance(by: .seconds(61)) }
      case .closing:
        record.observe(socket)
        socket.close(4000)
      case .ended:
        client.send(.close(1000))
      }
      client.advance()
      _ = client.receive()
    }

    var phase: Phase {
      switch socket.channel.phase {
      case .open(.empty): .observed
      case .open(.full): .full
      case .open(.discarding): .discarding
      case .closing: .closing
      case .ended: .ended
      }
    }

    /// The lines of the log without the texts of errors, and the frames that the peer has received.
    func takeLog() -> [String] {
      record.lines.map { $0.hasPrefix("failed") ? "failed" : $0 }
        + client.receive().map { event in
          switch event {
          case .message: "< message"
          case .ping: "< ping"
          case .pong: "< pong"
          case .close(let closure): "< close \(closure)"
          }
        }
    }

    func run(_ event: Event) {
      switch event {
      case .text: client.send(.text("x"))
      case .ping: client.send(Frame(opcode: 9))
      case .closeFrame: client.send(.close(1000))
      case .violation: client.send(Frame(opcode: 3))
      case .end: client.pair.near.finish()
      case .reset: client.pair.near.reset()
      case .silence: client.advance(by: .seconds(31))
      case .send: _ = socket.send([])
      case .close: socket.close(4001)
      case .abort: socket.channel.abort(.timedOut)
      case .observation: record.observe(socket)
      }
      client.advance()
    }
  }

  @Test func channelChangesAsDrawn() throws {
    let table = try stateTable { (phase: Phase, event: Event?) in
      let fixture = try Fixture(in: phase)
      #expect(fixture.phase == phase)
      if let event { fixture.run(event) }
      return (["\(fixture.phase)"] + fixture.takeLog()).joined(separator: ", ")
    }
    #expect(
      table == """
        observed: observed
          text: observed, x
          ping: observed, < pong
          closeFrame: ended, completed, closed: 1000, < close 1000
          violation: ended, failed, closed: 1002, < close 1002
          end: ended, failed, closed: 1006
          reset: ended, failed, closed: 1006
          silence: observed, < ping
          send: observed, < message
          close: closing, < close 4001
          abort: ended, failed, closed: 1006
        full: full
          end: ended, closed: 1006
          reset: ended, closed: 1006
          send: full, < message
          close: closing, < close 4001
          abort: ended, closed: 1006
          observation: observed, a
        discarding: discarding
          ping: discarding, < pong
          closeFrame: ended, closed: 1000, < close 1000
          violation: ended, closed: 1002, < close 1002
          end: ended, closed: 1006
          reset: ended, closed: 1006
          silence: discarding, < ping
          send: discarding, < message
          close: closing, < close 4001
          abort: ended, closed: 1006
          observation: observed
        closing: closing
          closeFrame: ended, completed, closed: 1000
          violation: ended, completed, closed: 1002
          end: ended, completed, closed: 1006
          reset: ended, completed, closed: 1006
          silence: ended, completed, closed: 1006
          abort: ended, failed, closed: 1006
        ended: ended
          observation: ended, completed, closed: 1000
        """)
  }
}
