import RunnelBus
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// Every event of a link in every state.
@Suite struct LinkStateTests {
  private enum State: CaseIterable {
    case connecting, unconfirmed, online, offline, refused, leaving, left
  }

  private enum Event: CaseIterable {
    case publish, removeSticky, arrive, confirm, refuse, cut, time, leave, dispose
  }

  /// A transport that does only what the test says.
  private final class Transport: RetainingTransport, AcknowledgingTransport {
    let name = "memory://manual"
    let virtual = TestScheduler()
    var scheduler: any Scheduler { virtual }
    let current = Property(LinkState.connecting)
    var state: ReadOnlyProperty<LinkState> { current.readOnly }
    var receiver: TransportReceiver?
    var finished: [(Result<Void, TransportError>) -> Void] = []
    var users = 0

    func check(topic: String) throws(TransportError) {}
    func check(pattern: String) throws(TransportError) {}
    func connect() -> Disposable {
      users += 1
      return Disposable { self.users -= 1 }
    }
    func subscribe(
      to patterns: [TransportPattern], _ receiver: TransportReceiver
    ) -> Disposable {
      self.receiver = receiver
      return Disposable { self.receiver = nil }
    }
    func send(
      _ message: TransportMessage, _ finish: @escaping (Result<Void, TransportError>) -> Void
    ) {
      finished.append(finish)
    }

    func lose() {
      current.value = .offline(since: .zero, reason: .unreachable(reason: "Cut."))
      for finish in exchange(&finished, with: []) {
        finish(.failure(.unreachable(reason: "Cut.")))
      }
    }
  }

  @Test func linkChangesAsDrawn() throws {
    let table = try stateTable { (state: State, event: Event?) in
      let transport = Transport()
      let bus = EventBus(coder: .json)
      var left = 0
      let link = try bus.join(transport, exporting: ["#"], importing: ["#"])
      if state != .connecting { transport.current.value = .online }
      if state != .connecting && state != .unconfirmed && state != .refused {
        transport.receiver?.confirmed()
      }
      switch state {
      case .connecting, .unconfirmed, .online: break
      case .offline: transport.lose()
      case .refused: transport.receiver?.failed(.refusedTopic("#", reason: "No."))
      case .leaving:
        try bus.publish(0, on: "a")
        link.leave().observe(completed: { left += 1 })
      case .left: link.dispose()
      }
      switch event {
      case .publish: try bus.publish(1, on: "a")
      case .removeSticky: bus.removeSticky(on: "a")
      case .arrive:
        transport.receiver?.receive(TransportMessage(topic: "b", payload: Array("1".utf8)))
      case .confirm: transport.receiver?.confirmed()
      case .refuse: transport.receiver?.failed(.refusedTopic("#", reason: "No."))
      case .cut: transport.lose()
      case .time:
        if state != .left { transport.current.value = .online }
        for finish in exchange(&transport.finished, with: []) { finish(.success(())) }
      case .leave: link.leave().observe(completed: { left += 1 })
      case .dispose: link.dispose()
      case nil: break
      }
      let counts = link.counts
      let parts: [(String, Int)] = [
        ("on the way", transport.finished.count), ("waiting", counts.waiting),
        ("sent", counts.sent), ("received", counts.received), ("dropped", counts.dropped),
        ("left", left), ("subscribed", transport.receiver == nil ? 0 : 1),
        ("connected", transport.users),
      ]
      let state =
        switch link.state.value {
        case .connecting: "connecting"
        case .online: "online"
        case .offline(_, .closed): "closed"
        case .offline(_, .refusedTopic): "refused"
        case .offline: "offline"
        }
      return ([state] + parts.filter { $1 > 0 }.map { "\($0) \($1)" }).joined(separator: ", ")
    }
    #expect(
      table == """
        connecting: connecting, subscribed 1, connected 1
          publish: connecting, waiting 1, subscribed 1, connected 1
          removeSticky: connecting, waiting 1, subscribed 1, connected 1
          arrive: connecting, received 1, subscribed 1, connected 1
          cut: offline, subscribed 1, connected 1
          leave: closed, left 1
          dispose: closed
        unconfirmed: connecting, subscribed 1, connected 1
          publish: connecting, on the way 1, waiting 1, subscribed 1, connected 1
          removeSticky: connecting, on the way 1, waiting 1, subscribed 1, connected 1
          arrive: connecting, received 1, subscribed 1, connected 1
          confirm: online, subscribed 1, connected 1
          refuse: refused, subscribed 1, connected 1
          cut: offline, subscribed 1, connected 1
          leave: closed, left 1
          dispose: closed
        online: online, subscribed 1, connected 1
          publish: online, on the way 1, waiting 1, subscribed 1, connected 1
          removeSticky: online, on the way 1, waiting 1, subscribed 1, connected 1
          arrive: online, received 1, subscribed 1, connected 1
          refuse: refused, subscribed 1, connected 1
          cut: offline, subscribed 1, connected 1
          leave: closed, left 1
          dispose: closed
        offline: offline, subscribed 1, connected 1
          publish: offline, waiting 1, subscribed 1, connected 1
          removeSticky: offline, waiting 1, subscribed 1, connected 1
          arrive: offline, received 1, subscribed 1, connected 1
          time: connecting, subscribed 1, connected 1
          leave: closed, left 1
          dispose: closed
        refused: refused, subscribed 1, connected 1
          publish: refused, waiting 1, subscribed 1, connected 1
          removeSticky: refused, waiting 1, subscribed 1, connected 1
          arrive: refused, received 1, subscribed 1, connected 1
          confirm: online, subscribed 1, connected 1
          cut: offline, subscribed 1, connected 1
          leave: closed, left 1
          dispose: closed
        leaving: online, on the way 1, waiting 1, connected 1
          cut: offline, waiting 1, connected 1
          time: closed, sent 1, left 1
          dispose: closed, on the way 1, dropped 1, left 1
        left: closed
          leave: closed, left 1
        """)
  }
}
