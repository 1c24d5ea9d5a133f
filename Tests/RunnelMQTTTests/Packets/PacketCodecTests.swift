import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelMQTT

@Suite struct PacketCodecTests {
  private static let sides: [(PacketSender, MQTTVersion)] = [
    (.client, .v5), (.broker, .v5), (.client, .v311), (.broker, .v311),
  ]

  /// Decodes bytes in pieces, and returns the packets before a violation, and it.
  private func decode(
    _ bytes: [UInt8], from sender: PacketSender, _ version: MQTTVersion = .v5,
    limit: Int = 1 << 20, pieces size: Int = .max
  ) -> (packets: [Packet], violation: ProtocolViolation?, waiting: Int) {
    var decoder = PacketDecoder(from: sender, version, limit: limit)
    var packets: [Packet] = []
    var start = 0
    do throws(ProtocolViolation) {
      while start < bytes.count {
        let end = min(bytes.count, start &+ min(size, bytes.count))
        decoder.append(Array(bytes[start..<end]))
        start = end
        while let packet = try decoder.next() { packets.append(packet) }
      }
    } catch {
      return (packets, error, decoder.waitingCount)
    }
    return (packets, nil, decoder.waitingCount)
  }

  private func packets(_ count: Int, seed: Int, of side: (PacketSender, MQTTVersion)) -> [Packet] {
    var source = RandomPacket(
      random: SplitMix(seed: UInt64(seed)), version: side.1, sender: side.0)
    return (0..<count).map { _ in source.next() }
  }

  @Test("Packets survive, in pieces of any size", arguments: seeds(60))
  func roundTrips(_ seed: Int) {
    for side in Self.sides {
      let sent = packets(40, seed: seed, of: side)
      let bytes = sent.flatMap { $0.encoded(side.1) ?? [] }
      for size in [1, 2, 7, 64, .max] {
        let (received, violation, waiting) = decode(bytes, from: side.0, side.1, pieces: size)
        #expect(violation == nil)
        #expect(received == sent)
        #expect(waiting == 0)
        #expect(received.flatMap { $0.encoded(side.1) ?? [] } == bytes)
      }
    }
  }

  @Test("A part of a packet is no packet and no violation", arguments: seeds(30))
  func partsWait(_ seed: Int) {
    for side in Self.sides {
      for packet in packets(10, seed: seed, of: side) {
        let bytes = packet.encoded(side.1) ?? []
        for count in 0..<bytes.count {
          let (packets, violation, waiting) = decode(Array(bytes[..<count]), from: side.0, side.1)
          #expect(packets.isEmpty && violation == nil && waiting == count)
        }
      }
    }
  }

  @Test("A cut packet with a right length is refused", arguments: seeds(20))
  func cutPacketsAreRefused(_ seed: Int) {
    for side in Self.sides {
      for packet in packets(10, seed: seed, of: side) {
        let bytes = packet.encoded(side.1) ?? []
        guard bytes.count > 2, bytes[1] < 0x80 else { continue }
        for count in 2..<bytes.count {
          var cut = Array(bytes[..<count])
          cut[1] = UInt8(count - 2)
          // A shorter packet may be valid, but then it means what its bytes say.
          for packet in decode(cut, from: side.0, side.1).packets {
            let again = packet.encoded(side.1) ?? []
            #expect(decode(again, from: side.0, side.1).packets == [packet])
          }
        }
      }
    }
  }

  @Test("Changed bytes never trap, and what is accepted survives", arguments: seeds(100))
  func mutationsAreSafe(_ seed: Int) {
    var random = SplitMix(seed: UInt64(seed) &+ 1_000)
    for side in Self.sides {
      for packet in packets(20, seed: seed, of: side) {
        var bytes = packet.encoded(side.1) ?? []
        for _ in 0...Int.random(in: 0...3, using: &random) {
          let index = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0...3, using: &random) {
          case 0: bytes[index] = .random(in: 0...255, using: &random)
          case 1: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
          case 2 where bytes.count > 1: bytes.remove(at: index)
          default: bytes.insert(.random(in: 0...255, using: &random), at: index)
          }
        }
        let whole = decode(bytes, from: side.0, side.1)
        let byByte = decode(bytes, from: side.0, side.1, pieces: 1)
        #expect(whole.packets == byByte.packets)
        #expect(whole.violation == byByte.violation)
        for packet in whole.packets {
          var version = side.1
          if case .connect(let connect) = packet { version = connect.version }
          let again = packet.encoded(version) ?? []
          #expect(decode(again, from: side.0, version).packets == [packet])
        }
      }
    }
  }

  @Test("The broker accepts each reason that it can be told")
  func reasonsForTheBrokerExist() {
    let told = Set(Self.brokenPackets.map(\.2) + [.receiveMaximumExceeded, .quotaExceeded])
    #expect(told.isSubset(of: PacketDecoder.clientDisconnectReasons))
  }

  @Test func bytesAreThoseOfTheStandard() {
    var connect = Packet.Connect(clientID: "a", keepAlive: 60)
    connect.properties[number: .receiveMaximum] = 20
    #expect(
      Packet.connect(connect).encoded(.v5) == [
        0x10, 0x11, 0, 4, 0x4D, 0x51, 0x54, 0x54, 5, 2, 0, 60, 3, 0x21, 0, 20, 0, 1, 0x61,
      ])
    let publish = Packet.Publish(
      topic: "a/b", payload: [1], qos: .atLeastOnce, isRetained: true, isDuplicate: true, id: 10
    )
    #expect(Packet.publish(publish).encoded(.v5) == [0x3B, 9, 0, 3, 0x61, 0x2F, 0x62, 0, 10, 0, 1])
    #expect(Packet.publish(publish).encoded(.v311) == [0x3B, 8, 0, 3, 0x61, 0x2F, 0x62, 0, 10, 1])
    #expect(Packet.puback(.init(id: 10)).encoded(.v5) == [0x40, 2, 0, 10])
    #expect(
      Packet.puback(.init(id: 10, reason: .quotaExceeded)).encoded(.v5) == [0x40, 3, 0, 10, 0x97])
    #expect(Packet.pingreq.encoded(.v5) == [0xC0, 0])
    #expect(Packet.disconnect(.init()).encoded(.v5) == [0xE0, 0])
  }

  @Test("Each number has its shortest form", arguments: [0, 127, 128, 16_383, 16_384, 2_097_152])
  func lengthsSurvive(_ count: Int) {
    let packet = Packet.publish(.init(topic: "a", payload: [UInt8](repeating: 7, count: count)))
    let bytes = packet.encoded(.v311) ?? []
    #expect(decode(bytes, from: .client, .v311, limit: 1 << 22).packets == [packet])
  }

  @Test func hugePacketsAreNotEncoded() {
    let payload = [UInt8](repeating: 0, count: Packet.largestLength)
    #expect(Packet.publish(.init(topic: "a", payload: payload)).encoded(.v5) == nil)
  }

  /// Broken packets of a broker, and the reason that it is told.
  private static let brokenPackets: [(String, [UInt8], MQTTReason)] = [
    ("kind 0", [0x00, 0], .malformedPacket),
    ("a packet of clients", [0x82, 5, 0, 1, 0, 0, 1], .protocolError),
    ("CONNECT", [0x10, 0], .protocolError),
    ("PINGREQ", [0xC0, 0], .protocolError),
    ("flags of CONNACK", [0x21, 3, 0, 0, 0], .malformedPacket),
    ("flags of PUBREL", [0x60, 2, 0, 1], .malformedPacket),
    ("session flags", [0x20, 3, 2, 0, 0], .malformedPacket),
    ("session of a refusal", [0x20, 3, 1, 0x87, 0], .protocolError),
    ("CONNACK without properties", [0x20, 2, 0, 0], .malformedPacket),
    ("reason of CONNACK", [0x20, 3, 0, 0x10, 0], .malformedPacket),
    ("QoS 3", [0x36, 5, 0, 1, 0x61, 0, 1], .malformedPacket),
    ("duplicate without confirmation", [0x38, 4, 0, 1, 0x61, 0], .malformedPacket),
    ("packet identifier 0", [0x32, 6, 0, 1, 0x61, 0, 0, 0], .protocolError),
    ("no topic", [0x30, 3, 0, 0, 0], .protocolError),
    ("wildcard", [0x30, 4, 0, 1, 0x23, 0], .invalidTopicName),
    ("topic with zero", [0x30, 4, 0, 1, 0, 0], .malformedPacket),
    ("topic not UTF-8", [0x30, 5, 0, 2, 0xC0, 0x80, 0], .malformedPacket),
    ("surrogate", [0x30, 6, 0, 3, 0xED, 0xA0, 0x80, 0], .malformedPacket),
    ("long topic", [0x30, 4, 0, 9, 0x61, 0], .malformedPacket),
    ("length of five bytes", [0x30, 0x80, 0x80, 0x80, 0x80, 1], .malformedPacket),
    ("length in a longer form", [0xD0, 0x80, 0], .malformedPacket),
    ("bytes behind", [0xD0, 1, 0], .malformedPacket),
    ("alias 0", [0x30, 7, 0, 1, 0x61, 3, 0x23, 0, 0], .invalidTopicAlias),
    ("alias twice", [0x30, 10, 0, 1, 0x61, 6, 0x23, 0, 1, 0x23, 0, 1], .protocolError),
    ("unknown property", [0x30, 6, 0, 1, 0x61, 2, 0x7F, 0], .malformedPacket),
    ("property of another packet", [0x30, 9, 0, 1, 0x61, 5, 0x11, 0, 0, 0, 1], .malformedPacket),
    ("format 2", [0x30, 6, 0, 1, 0x61, 2, 0x01, 2], .protocolError),
    ("properties too long", [0x30, 4, 0, 1, 0x61, 9], .malformedPacket),
    ("subscription 0", [0x30, 6, 0, 1, 0x61, 2, 0x0B, 0], .protocolError),
    ("response topic", [0x30, 8, 0, 1, 0x61, 4, 0x08, 0, 1, 0x2B], .protocolError),
    ("receive maximum 0", [0x20, 6, 0, 0, 3, 0x21, 0, 0], .protocolError),
    ("packet size 0", [0x20, 8, 0, 0, 5, 0x27, 0, 0, 0, 0], .protocolError),
    ("data without method", [0x20, 7, 0, 0, 4, 0x16, 0, 1, 0], .protocolError),
    ("reason of PUBACK", [0x40, 3, 0, 1, 0x01], .malformedPacket),
    ("short PUBACK", [0x40, 1, 0], .malformedPacket),
    ("empty SUBACK", [0x90, 3, 0, 1, 0], .malformedPacket),
    ("reason of SUBACK", [0x90, 4, 0, 1, 0, 3], .malformedPacket),
    ("empty UNSUBACK", [0xB0, 3, 0, 1, 0], .malformedPacket),
    ("reason of DISCONNECT", [0xE0, 1, 0x04], .malformedPacket),
    ("session expiry", [0xE0, 7, 0, 5, 0x11, 0, 0, 0, 0], .protocolError),
  ]

  @Test(arguments: brokenPackets)
  func refusesBrokenPackets(_ name: String, _ bytes: [UInt8], _ reason: MQTTReason) {
    for size in [1, .max] {
      let (packets, violation, _) = decode(bytes, from: .broker, pieces: size)
      #expect(packets.isEmpty, "\(name)")
      #expect(violation?.reason == reason, "\(name)")
    }
  }

  @Test func largePacketIsRefusedByItsHeader() {
    let header: [UInt8] = [0x30, 0xFF, 0xFF, 0xFF, 0x7F]
    #expect(decode(header, from: .broker, limit: 1_000).violation?.reason == .packetTooLarge)
    let publish = Packet.publish(.init(topic: "a", payload: [UInt8](repeating: 0, count: 95)))
    let bytes = publish.encoded(.v5) ?? []
    #expect(decode(bytes, from: .broker, limit: bytes.count).packets == [publish])
    #expect(decode(bytes, from: .broker, limit: bytes.count - 1).violation != nil)
  }

  @Test("A broker of MQTT 3.1.1 refuses MQTT 5 in its own version")
  func oldRefusalIsUnderstood() {
    let refusal = Packet.connack(.init(reason: .unsupportedProtocolVersion))
    #expect(decode([0x20, 2, 0, 1], from: .broker, .v5).packets == [refusal])
    #expect(decode([0x20, 2, 0, 0x84], from: .broker, .v5).packets == [refusal])
    #expect(decode([0x20, 2, 0, 0x7F], from: .broker, .v5).violation != nil)
    #expect(
      decode([0x20, 2, 0, 5], from: .broker, .v311).packets
        == [.connack(.init(reason: .notAuthorized))])
    #expect(decode([0x20, 2, 0, 6], from: .broker, .v311).violation != nil)
    #expect(decode([0xF0, 0], from: .broker, .v311).violation != nil)
  }
}
