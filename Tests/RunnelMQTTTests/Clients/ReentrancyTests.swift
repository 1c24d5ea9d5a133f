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
        client?.publish(MQTTMessage("again", qos: .exactlyOnce)).observe(
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
    client?.publish(MQTTMessage("b", qos: .atLeastOnce)).observe(
      succeeded: { _ in act(.receipt) }, failed: { _ in })
    broker.settle()
    broker.answers = false
    client?.publish(MQTTMessage("c", qos: .atLeastOnce)).observe(
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

  @Test("A message that the observer of the state publishes is sent at once")
  func stateObserverPublishes() throws {
    let broker = ScriptedBroker()
    let client = try broker.client()
    client.state.filter { $0 == .online }.observeNext { _ in
      try? client.send(MQTTMessage("here"))
    }
    broker.settle()
    #expect(broker.peer.brief == ["publish 0 here "])
    broker.crash()
    broker.advance(.seconds(1))
    #expect(broker.peer.brief == ["publish 0 here "])
  }

  @Test("A source that goes on publishes at once")
  func resumedSourcePublishes() throws {
    let broker = ScriptedBroker()
    let client = try broker.client { $0.queueBytes = 2_000 }
    let source = PublishingSource(client)
    source.publish(8)
    broker.settle()
    #expect(broker.peer.packets.count == 1 + 8 + 1)
  }
}

/// A source that publishes once more when it goes on.
private final class PublishingSource: PausableSource {
  private let client: MQTTClient

  init(_ client: MQTTClient) {
    self.client = client
  }

  func publish(_ count: Int) {
    Delivery.from(self) {
      for _ in 0..<count { try? client.send(MQTTMessage("a")) }
    }
  }

  func pause() {}
  func resume() { try? client.send(MQTTMessage("last")) }
}
