import RunnelStreams
import Testing

@testable import RunnelMQTT

/// Each callback does each thing.
@Suite struct ReentrancyTests {
  enum Place: CaseIterable {
    case message, confirmation, receipt, refusal, state, failure
  }

  enum Action: CaseIterable {
    case close, publish, subscribe, dispose, release
  }

  @Test(arguments: Place.allCases, Action.allCases)
  func callbacksMayDoAnything(_ place: Place, _ action: Action) throws {
    let broker = ScriptedBroker()
    var client: MQTTClient? = try broker.client()
    let observation = Disposable()
    var count = 0
    func act(_ here: Place) {
      guard here == place else { return }
      count += 1
      if count > 3 { return }
      switch action {
      case .close: client?.close()
      case .publish:
        client?.publish(MQTTMessage("again", quality: .exactlyOnce)).observe(
          succeeded: { _ in act(.receipt) }, failed: { _ in })
      case .subscribe:
        guard let client else { return }
        observation.add(client.subscribe(to: "other").observe(failed: { _ in }))
      case .dispose: observation.dispose()
      case .release:
        observation.dispose()
        client = nil
      }
    }
    observation.add(
      client?.subscribe(to: "a", confirmed: { act(.confirmation) }).observe(
        next: { _ in act(.message) }, failed: { _ in }) ?? .none)
    client?.state.observeNext { if $0 == .online { act(.state) } }
    client?.publish(MQTTMessage("b", quality: .atLeastOnce)).observe(
      succeeded: { _ in act(.receipt) }, failed: { _ in })
    broker.settle()
    broker.answers = false
    client?.publish(MQTTMessage("c", quality: .atLeastOnce)).observe(
      succeeded: { _ in }, failed: { _ in act(.refusal) })
    client?.subscribe(to: "refused").observe(failed: { _ in act(.failure) })
    broker.settle()
    if !broker.peer.hasEnded {
      for case .publish(let packet) in broker.peer.packets where packet.topic == "c" {
        broker.peer.send(.puback(.init(id: packet.id, reason: .quotaExceeded)))
      }
      for case .subscribe(let packet) in broker.peer.packets
      where packet.filters[0].filter == "refused" {
        broker.peer.send(.suback(.init(id: packet.id, reasons: [.notAuthorized])))
      }
      broker.peer.publish("a", "1", .atLeastOnce, id: 1)
      broker.peer.publish("a", "2", .exactlyOnce, id: 2)
      broker.settle()
    }
    broker.answers = true
    broker.advance(.seconds(1))
    #expect(count > 0)
    if action != .close && action != .release { #expect(client?.state.value == .online) }
    client?.close()
    broker.settle()
    #expect(broker.peer.hasEnded)
  }
}
