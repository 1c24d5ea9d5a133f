import RunnelBus
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// Every event of a client of the broker in memory in every state.
@Suite struct TestBrokerStateTests {
  private enum State: CaseIterable {
    case unused, cut, connecting, online, subscribed, held
  }

  private enum Event: CaseIterable {
    case connect, disconnect, cut, heal, stop, arrive, resume, unsubscribe, send, time
  }

  @Test func clientChangesAsDrawn() {
    let table = stateTable { (state: State, event: Event?) in
      let scheduler = TestScheduler()
      let broker = TestBroker(on: scheduler)
      let client = broker.client("client")
      var (received, confirmations) = (0, 0)
      var results: [String] = []
      let receiver = TransportReceiver(
        confirmed: { confirmations += 1 }, message: { _ in received += 1 })
      func inject() {
        broker.inject(TransportMessage(topic: "a", payload: [], isAcknowledged: true))
      }
      var connection = Disposable.none
      var subscription = Disposable.none
      if state != .unused { connection = client.connect() }
      if state == .subscribed || state == .held {
        subscription = client.subscribe(
          to: [TransportPattern("a", isAcknowledged: true)], receiver)
      }
      if state != .unused && state != .connecting { scheduler.advance(by: .milliseconds(1)) }
      if state == .cut { client.cut() }
      if state == .held {
        receiver.pause()
        inject()
      }
      switch event {
      case .connect: _ = client.connect()
      case .disconnect: connection.dispose()
      case .cut: client.cut()
      case .heal: client.heal()
      case .stop: broker.stop()
      case .arrive: inject()
      case .resume: if state == .held { receiver.resume() }
      case .unsubscribe: subscription.dispose()
      case .send:
        client.send(TransportMessage(topic: "b", payload: [])) { result in
          if case .failure = result { results.append("failed") } else { results.append("sent") }
        }
      case .time: scheduler.advance(by: .seconds(2))
      case nil: break
      }
      let name =
        switch client.state.value {
        case .connecting: "connecting"
        case .online: "online"
        case .offline(_, .closed): "closed"
        case .offline: "offline"
        }
      let counts = [("confirmed", confirmations), ("received", received)].filter { $1 > 0 }
      return ([name] + counts.map { "\($0) \($1)" } + results).joined(separator: ", ")
    }
    #expect(
      table == """
        unused: offline
          connect: connecting
          send: offline, failed
        cut: offline
          disconnect: closed
          send: offline, failed
        connecting: connecting
          disconnect: closed
          cut: offline
          stop: offline
          send: connecting, failed
          time: online
        online: online
          disconnect: closed
          cut: offline
          stop: offline
          send: online, sent
        subscribed: online, confirmed 1
          disconnect: closed, confirmed 1
          cut: offline, confirmed 1
          stop: offline, confirmed 1
          arrive: online, confirmed 1, received 1
          send: online, confirmed 1, sent
        held: online, confirmed 1
          disconnect: closed, confirmed 1
          cut: offline, confirmed 1
          stop: offline, confirmed 1
          resume: online, confirmed 1, received 1
          send: online, confirmed 1, sent
        """)
  }
}
