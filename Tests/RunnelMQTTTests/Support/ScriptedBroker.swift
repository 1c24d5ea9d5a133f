import RunnelNet
import RunnelNetTesting
import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelMQTT

/// A broker in memory and in virtual time, which keeps to the protocol unless a test says otherwise.
final class ScriptedBroker {
  /// A connection of a client.
  final class Peer {
    let connection: Connection
    fileprivate(set) var packets: [Packet] = []
    fileprivate var decoder = PacketDecoder(from: .client, .v5, limit: 1 << 24)
    fileprivate(set) var hasEnded = false
    /// True if the client was told that the broker has its session; nil before that.
    fileprivate(set) var hasKeptSession: Bool?

    fileprivate init(_ connection: Connection) {
      self.connection = connection
    }

    var connect: Packet.Connect? {
      if case .connect(let packet)? = packets.first { packet } else { nil }
    }

    /// The packets after the CONNECT.
    var brief: [String] { Array(packets.brief.dropFirst()) }

    func send(_ packets: Packet...) {
      for packet in packets {
        _ = connection.write(packet.encoded(decoder.version) ?? [])
      }
    }

    func send(raw bytes: [UInt8]) { _ = connection.write(bytes) }

    func publish(
      _ topic: String, _ text: String, _ qos: MQTTQoS = .atMostOnce, id: UInt16 = 0,
      isRetained: Bool = false, identifiers: [UInt32] = []
    ) {
      var packet = Packet.Publish(
        topic: topic, payload: Array(text.utf8), qos: qos, isRetained: isRetained, id: id)
      packet.properties.subscriptionIDs = identifiers
      send(.publish(packet))
    }
  }

  let scheduler = TestScheduler()
  let network: TestNetwork
  private let listener: Listener
  private(set) var peers: [Peer] = []
  /// The answer to a CONNECT; nil for none.
  var connack: ((Packet.Connect) -> Packet.Connack?) = { _ in Packet.Connack() }
  /// True if packets after the CONNECT are answered as a broker does.
  var answers = true
  /// The strongest guarantee of subscriptions.
  var maximumQoS = MQTTQoS.exactlyOnce
  /// False if only the present connection is kept.
  var keepsPeers = true

  init() {
    network = TestNetwork(on: scheduler)
    do {
      listener = try Listener(.tcp("broker", port: 1_883), on: network)
    } catch {
      fatalError("\(error)")
    }
    listener.connections.observeNext { [weak self] in self?.serve($0) }
  }

  private func serve(_ connection: Connection) {
    let peer = Peer(connection)
    if !keepsPeers { peers = [] }
    peers.append(peer)
    connection.bytes.observe(
      next: { [weak self, weak peer] bytes in
        guard let self, let peer else { return }
        receive(bytes, from: peer)
      }, failed: { [weak peer] _ in peer?.hasEnded = true },
      completed: { [weak peer] in peer?.hasEnded = true })
  }

  private func receive(_ bytes: [UInt8], from peer: Peer) {
    peer.decoder.append(bytes)
    do throws(ProtocolViolation) {
      while let packet = try peer.decoder.next() {
        peer.packets.append(packet)
        answer(packet, to: peer)
      }
    } catch {
      Issue.record("The client violates the protocol: \(error.detail)")
    }
  }

  private func answer(_ packet: Packet, to peer: Peer) {
    if case .connect(let connect) = packet {
      if let connack = connack(connect) {
        peer.hasKeptSession = connack.isSessionPresent
        peer.send(.connack(connack))
      }
      return
    }
    guard answers else { return }
    switch packet {
    case .publish(let packet) where packet.qos == .atLeastOnce:
      peer.send(.puback(.init(id: packet.id)))
    case .publish(let packet) where packet.qos == .exactlyOnce:
      peer.send(.pubrec(.init(id: packet.id)))
    case .pubrel(let packet): peer.send(.pubcomp(.init(id: packet.id)))
    case .subscribe(let packet):
      let reasons = packet.filters.map {
        MQTTReason(rawValue: min($0.options & 3, maximumQoS.rawValue)) ?? .success
      }
      peer.send(.suback(.init(id: packet.id, reasons: reasons)))
    case .unsubscribe(let packet):
      peer.send(.unsuback(.init(id: packet.id, reasons: packet.filters.map { _ in .success })))
    case .pingreq: peer.send(.pingresp)
    default: break
    }
  }

  var peer: Peer { peers[peers.count - 1] }

  /// The subscriptions to a filter on this connection, in their order.
  func subscriptions(_ filter: String) -> [Packet.Subscribe] {
    peer.packets.compactMap { packet in
      guard case .subscribe(let packet) = packet, packet.filters[0].filter == filter else {
        return nil
      }
      return packet
    }
  }

  /// The numbers of these subscriptions.
  func identifiers(_ filter: String) -> [UInt32] {
    subscriptions(filter).compactMap(\.properties.subscriptionIDs.first)
  }

  func client(_ change: (inout MQTTOptions) -> Void = { _ in }) throws -> MQTTClient {
    let options = MQTTOptions {
      $0.backoff = Backoff(jitter: 0)
      $0.clientID = "test"
      change(&$0)
    }
    return try MQTTClient("mqtt://broker", options, lastPacketID: 0, on: network)
  }

  /// Lets everything happen that needs no time.
  func settle() {
    for _ in 0..<20 { scheduler.advance(by: .zero) }
  }

  func advance(_ duration: Duration) {
    scheduler.advance(by: duration)
    settle()
  }

  /// Ends the connection of the client, as a crash does.
  func crash() {
    network.reset(peer.connection)
    settle()
  }
}
