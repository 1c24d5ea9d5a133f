import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelMQTT

/// A broker that sends valid packets at any time.
@Suite struct HostileBrokerTests {
  /// A random packet whose identifiers meet those of the client.
  private func packet(
    _ source: inout RandomPacket, _ random: inout SplitMix
  ) -> Packet {
    let id = UInt16.random(in: 1...6, using: &random)
    switch source.next() {
    case .publish(var packet):
      if packet.qos != .atMostOnce { packet.id = id }
      if Bool.random(using: &random) { packet.properties[number: .topicAlias] = nil }
      if packet.topic.isEmpty { packet.topic = "a" }
      return .publish(packet)
    case .puback(var packet):
      packet.id = id
      return .puback(packet)
    case .pubrec(var packet):
      packet.id = id
      return .pubrec(packet)
    case .pubrel(var packet):
      packet.id = id
      return .pubrel(packet)
    case .pubcomp(var packet):
      packet.id = id
      return .pubcomp(packet)
    case .suback(var packet):
      packet.id = id
      packet.reasons = Array(packet.reasons.prefix(1))
      return .suback(packet)
    case .unsuback(var packet):
      packet.id = id
      packet.reasons = Array(packet.reasons.prefix(1))
      return .unsuback(packet)
    case let other: return other
    }
  }

  @Test(
    "The client keeps to the protocol, and each message ends once", arguments: seeds(100),
    [MQTTVersion.v5, .v311])
  func sessionSurvives(_ seed: Int, _ version: MQTTVersion) {
    var random = SplitMix(seed: UInt64(seed))
    var source = RandomPacket(
      random: SplitMix(seed: UInt64(seed) &+ 7), version: version, sender: .broker)
    var bench = SessionBench(
      .init(receiveMaximum: 4, topicAliasMaximum: 2, inFlight: 4, queueBytes: 4_000))
    bench.version = version
    var subscribers: [Subscriber] = []
    var (published, violations, isOpen) = (0, 0, false)
    for _ in 0..<300 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        let qos = MQTTQoS.allCases.randomElement(using: &random) ?? .atMostOnce
        if bench.publish("a/long/topic", "\(published)", qos) == nil { published += 1 }
      case 1:
        let filter = ["a", "#", "t/+", "$share/g/a"].randomElement(using: &random) ?? "a"
        subscribers.append(bench.subscribe(MQTTSubscription(filter, qos: .exactlyOnce)))
      case 2:
        if let subscriber = subscribers.popLast() { bench.session.remove(subscriber) }
      case 3: bench.deliver(2)
      case 4 where !isOpen || Int.random(in: 0..<10, using: &random) == 0:
        if isOpen { bench.session.lose() }
        isOpen = true
        bench.connect(isSessionPresent: .random(using: &random)) { $0.receiveMaximum = 2 }
      default:
        guard isOpen else { continue }
        if let reason = bench.receive(packet(&source, &random)) {
          #expect(PacketDecoder.clientDisconnectReasons.contains(reason))
          violations += 1
          isOpen = false
          bench.session.lose()
        }
      }
      _ = bench.sent()
      #expect(bench.session.outgoing.openCount <= 2)
      if version == .v5 { #expect(bench.session.inbox.count <= 4 + 4_000 / 128 + 1) }
    }
    #expect(violations > 0)
    bench.session.failAll(.closed)
    bench.handleEvents()
    let ended = bench.results.map { $0.prefix { $0 != " " } }
    #expect(ended.count == published && Set(ended).count == published)
    #expect(bench.session.outgoing.bytes == 0)
  }
}
