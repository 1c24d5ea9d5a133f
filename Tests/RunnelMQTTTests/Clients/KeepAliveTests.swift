import RunnelNet
import RunnelNetTesting
import RunnelStreams
import Testing

@testable import RunnelMQTT

@Suite struct KeepAliveTests {
  private let broker = ScriptedBroker()

  private func pings(_ peer: ScriptedBroker.Peer) -> Int {
    peer.packets.count { $0 == .pingreq }
  }

  private func advance(_ seconds: Int, _ each: () -> Void = {}) {
    for _ in 0..<seconds {
      broker.advance(.seconds(1))
      each()
    }
  }

  private func secondsUntilGivenUp(_ client: MQTTClient, _ each: () -> Void = {}) -> Int {
    for second in 0..<100 {
      if case .offline(_, .keepAliveTimedOut) = client.state.value { return second }
      advance(1, each)
    }
    return .max
  }

  @Test func idleClientAsks() throws {
    let client = try broker.client { $0.keepAlive = .seconds(20) }
    broker.settle()
    advance(9)
    #expect(pings(broker.peer) == 0)
    advance(6)
    #expect(pings(broker.peer) == 1)
    advance(100)
    #expect(client.state.value == .online && broker.peers.count == 1)
    #expect(5...10 ~= pings(broker.peer))
  }

  @Test func silentBrokerIsGivenUp() throws {
    let client = try broker.client { $0.keepAlive = .seconds(20) }
    broker.settle()
    broker.answers = false
    #expect(secondsUntilGivenUp(client) <= 30)
  }

  @Test("Nothing is asked while bytes go in both directions")
  func busyClientDoesNotAsk() throws {
    let client = try broker.client { $0.keepAlive = .seconds(20) }
    broker.settle()
    advance(100) { try? client.send(MQTTMessage("a", qos: .atLeastOnce)) }
    #expect(pings(broker.peer) == 0 && client.state.value == .online)
  }

  @Test("A silent broker is noticed although messages are sent to it")
  func busyClientNoticesSilence() throws {
    let client = try broker.client { $0.keepAlive = .seconds(20) }
    broker.settle()
    broker.answers = false
    #expect(secondsUntilGivenUp(client) { try? client.send(MQTTMessage("a")) } <= 30)
  }

  @Test("A slow message in either direction is not ended")
  func slowTransfersSurvive() throws {
    let client = try broker.client { $0.keepAlive = .seconds(20) }
    var received = 0
    client.subscribe(to: "a").observe(next: { received = $0.payload.count })
    broker.settle()
    // 200 s at 100 bytes/s.
    broker.answers = false
    let payload = [UInt8](repeating: 1, count: 20_000)
    var bytes = Packet.publish(.init(topic: "a", payload: payload)).encoded(.v5) ?? []
    advance(201) {
      broker.peer.send(raw: Array(bytes.prefix(100)))
      bytes.removeFirst(min(100, bytes.count))
    }
    broker.settle()
    #expect(received == payload.count)
    #expect(client.state.value == .online)
    let connections = broker.peers.count
    broker.network.capacity = 100
    broker.peer.connection.limitReading(bytesPerSecond: 100)
    try client.send(MQTTMessage("b", payload))
    advance(190)
    #expect(broker.peers.count == connections)
    #expect(client.state.value == .online)
    broker.answers = true
    advance(60)
    #expect(broker.peers.count == connections)
    #expect(broker.peer.brief.contains { $0.hasPrefix("publish 0 b") })
  }

  @Test("Bytes that the system has taken and a slow network has not are no silence")
  func slowNetworkSurvives() throws {
    broker.network.capacity = 1 << 20
    let client = try broker.client { $0.keepAlive = .seconds(20) }
    broker.settle()
    broker.answers = false
    // 200 s at 100 bytes/s. The transport takes all at once.
    broker.peer.connection.limitReading(bytesPerSecond: 100)
    try client.send(MQTTMessage("b", [UInt8](repeating: 1, count: 20_000)))
    advance(200)
    #expect(client.state.value == .online && broker.peers.count == 1)
    #expect(secondsUntilGivenUp(client) <= 35)
  }

  @Test("A broker that pauses for less than the interval is kept")
  func pausingBrokerIsKept() throws {
    let client = try broker.client { $0.keepAlive = .seconds(20) }
    broker.settle()
    broker.answers = false
    while pings(broker.peer) == 0 { advance(1) }
    advance(14)
    broker.peer.send(.pingresp)
    broker.answers = true
    advance(60)
    #expect(client.state.value == .online && broker.peers.count == 1)
  }

  @Test func timeOfBrokerIsHonoured() throws {
    broker.connack = { _ in
      var packet = Packet.Connack()
      packet.properties[number: .serverKeepAlive] = 8
      return packet
    }
    let client = try broker.client { $0.keepAlive = .seconds(1_000) }
    broker.settle()
    advance(8)
    #expect(pings(broker.peer) == 1)
    withExtendedLifetime(client) {}
  }

  @Test func zeroAsksNothing() throws {
    let client = try broker.client { $0.keepAlive = .zero }
    broker.settle()
    broker.answers = false
    advance(500)
    #expect(client.state.value == .online && pings(broker.peer) == 0)
  }
}
