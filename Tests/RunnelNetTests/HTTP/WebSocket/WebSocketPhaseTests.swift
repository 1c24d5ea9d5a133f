import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelNet

/// Every event in every phase of a ``WebSocketChannel``. A new phase or event does not compile until
/// the table below has its row.
@Suite struct WebSocketPhaseTests {
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

  /// The phase after an event, and the log.
  private static func outcome(of event: Event, in phase: Phase) -> (Phase, [String]) {
    switch phase {
    case .observed:
      switch event {
      case .text: (.observed, ["x"])
      case .ping: (.observed, ["< pong"])
      case .closeFrame: (.ended, ["completed", "closed: 1000", "< close 1000"])
      case .violation: (.ended, ["failed", "closed: 1002", "< close 1002"])
      case .end, .reset, .abort: (.ended, ["failed", "closed: 1006"])
      case .silence: (.observed, ["< ping"])
      case .send: (.observed, ["< message"])
      case .close: (.closing, ["< close 4001"])
      case .observation: (.observed, [])
      }
    case .full:
      switch event {
      // Reading pauses.
      case .text, .ping, .closeFrame, .violation, .silence: (.full, [])
      case .end, .reset, .abort: (.ended, ["closed: 1006"])
      case .send: (.full, ["< message"])
      case .close: (.closing, ["< close 4001"])
      case .observation: (.observed, ["a"])
      }
    case .discarding:
      switch event {
      case .text: (.discarding, [])
      case .ping: (.discarding, ["< pong"])
      case .closeFrame: (.ended, ["closed: 1000", "< close 1000"])
      case .violation: (.ended, ["closed: 1002", "< close 1002"])
      case .end, .reset, .abort: (.ended, ["closed: 1006"])
      case .silence: (.discarding, ["< ping"])
      case .send: (.discarding, ["< message"])
      case .close: (.closing, ["< close 4001"])
      case .observation: (.observed, [])
      }
    case .closing:
      switch event {
      case .text, .ping, .send, .close, .observation: (.closing, [])
      case .closeFrame: (.ended, ["completed", "closed: 1000"])
      case .violation: (.ended, ["completed", "closed: 1002"])
      case .end, .reset, .silence: (.ended, ["completed", "closed: 1006"])
      case .abort: (.ended, ["failed", "closed: 1006"])
      }
    case .ended:
      switch event {
      case .text, .ping, .closeFrame, .violation, .end, .reset, .silence, .send, .close, .abort:
        (.ended, [])
      // The socket has ended before it was observed.
      case .observation: (.ended, ["completed", "closed: 1000"])
      }
    }
  }

  @Test("Every event in every phase", arguments: Phase.allCases, Event.allCases)
  func eventLeadsToPhase(_ phase: Phase, _ event: Event) throws {
    let fixture = try Fixture(in: phase)
    #expect(fixture.phase == phase)
    fixture.run(event)
    let (next, log) = Self.outcome(of: event, in: phase)
    #expect(fixture.phase == next)
    #expect(fixture.takeLog() == log)
  }
}
