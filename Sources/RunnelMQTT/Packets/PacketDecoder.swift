/// Splits the bytes of one direction of a connection into packets, and checks them strictly.
///
/// A packet is refused as early as its bytes show that it is too large or of a wrong kind, before
/// the rest of it is kept.
struct PacketDecoder {
  let sender: PacketSender
  /// The largest number of bytes of a packet with its header.
  let limit: Int
  /// The decoder of a broker takes it from the first packet.
  var version: MQTTVersion
  private var buffer: [UInt8] = []
  /// The number of bytes of the buffer that are used up.
  private var start = 0

  init(from sender: PacketSender, _ version: MQTTVersion, limit: Int) {
    self.sender = sender
    self.version = version
    self.limit = limit
  }

  /// The number of bytes that wait for the rest of their packet.
  var waitingCount: Int { buffer.count - start }

  mutating func append(_ bytes: [UInt8]) {
    if start > 0 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer += bytes
  }

  /// Returns the next packet; nil if it is not complete.
  mutating func next() throws(ProtocolViolation) -> Packet? {
    guard start < buffer.count else { return nil }
    let first = buffer[start]
    try checkHeader(first)
    var length = 0
    var index = start + 1
    for shift in [0, 7, 14, 21] {
      guard index < buffer.count else { return nil }
      let byte = buffer[index]
      index += 1
      length |= Int(byte & 0x7F) << shift
      if byte & 0x80 == 0 {
        if byte == 0 && shift > 0 { throw .malformed("a length is not in its shortest form") }
        break
      }
      if shift == 21 { throw .malformed("a length has more than four bytes") }
    }
    guard index - start + length <= limit else {
      throw ProtocolViolation(.packetTooLarge, "a packet is longer than \(limit) bytes")
    }
    guard buffer.count - index >= length else { return nil }
    var reader = PacketReader(buffer, index..<index + length)
    let packet = try decode(first, &reader)
    if reader.count > 0 { throw .malformed("a packet has bytes behind its fields") }
    start = index + length
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 16)
      start = 0
    }
    if case .connect(let connect) = packet { version = connect.version }
    return packet
  }

  private func checkHeader(_ first: UInt8) throws(ProtocolViolation) {
    let isOfClient: Bool? =
      switch first >> 4 {
      case 1, 8, 10, 12: true
      case 2, 9, 11, 13: false
      case 3, 4, 5, 6, 7: nil
      case 14: version == .v5 ? nil : true
      case 15 where version == .v5: nil
      default: throw .malformed("there is no packet of the kind \(first >> 4)")
      }
    if let isOfClient, isOfClient != (sender == .client) {
      throw .protocolError("the other side sends packets of the kind \(first >> 4)")
    }
    let flags = first & 0xF
    switch first >> 4 {
    case 3:
      if flags & 6 == 6 { throw .malformed("there is no QoS 3") }
      if flags & 14 == 8 { throw .malformed("a message that is not confirmed is a duplicate") }
    case 6, 8, 10: if flags != 2 { throw .malformed("the flags of a packet are wrong") }
    default: if flags != 0 { throw .malformed("the flags of a packet are wrong") }
    }
  }

  private func decode(
    _ first: UInt8, _ reader: inout PacketReader
  ) throws(ProtocolViolation) -> Packet {
    switch first >> 4 {
    case 1: return .connect(try Packet.Connect(from: &reader))
    case 2: return .connack(try connack(&reader))
    case 3: return .publish(try publish(first, &reader))
    case 4: return .puback(try acknowledgement(&reader, Self.pubackReasons))
    case 5: return .pubrec(try acknowledgement(&reader, Self.pubackReasons))
    case 6: return .pubrel(try acknowledgement(&reader, Self.pubrelReasons))
    case 7: return .pubcomp(try acknowledgement(&reader, Self.pubrelReasons))
    case 8:
      let id = try reader.packetID()
      let properties = try properties(&reader, .subscribe)
      var filters: [Packet.Subscribe.Filter] = []
      repeat {
        filters.append(try filter(&reader))
      } while reader.count > 0
      return .subscribe(Packet.Subscribe(id: id, filters: filters, properties: properties))
    case 9:
      return .suback(
        try grants(&reader, version == .v5 ? Self.subackReasons : Self.subackReasonsOfVersion311))
    case 10:
      let id = try reader.packetID()
      let properties = try properties(&reader, .unsubscribe)
      var filters: [String] = []
      repeat {
        filters.append(try filterText(&reader))
      } while reader.count > 0
      return .unsubscribe(Packet.Unsubscribe(id: id, filters: filters, properties: properties))
    case 11:
      if version == .v311 {
        return .unsuback(Packet.FilterAnswers(id: try reader.packetID(), reasons: []))
      }
      return .unsuback(try grants(&reader, Self.unsubackReasons))
    case 12: return .pingreq
    case 13: return .pingresp
    case 14:
      if version == .v311 { return .disconnect(Packet.ReasonBody()) }
      let allowed = sender == .client ? Self.clientDisconnectReasons : Self.brokerDisconnectReasons
      return .disconnect(try reason(&reader, allowed, .disconnect))
    default: return .auth(try reason(&reader, Self.authReasons, .auth))
    }
  }

  // MARK: - Kinds of packets

  private func connack(_ reader: inout PacketReader) throws(ProtocolViolation) -> Packet.Connack {
    var packet = Packet.Connack()
    let flags = try reader.byte()
    if flags > 1 { throw .malformed("the flags of a packet are wrong") }
    packet.isSessionPresent = flags == 1
    let code = try reader.byte()
    // A broker that speaks only MQTT 3.1.1 answers in that version, perhaps with a reason of MQTT 5.
    if version == .v311 || (reader.count == 0 && 1..<0x80 ~= code) {
      guard Int(code) < MQTTReason.returnCodes.count else {
        throw .malformed("there is no return code \(code)")
      }
      packet.reason = MQTTReason.returnCodes[Int(code)]
    } else {
      guard let reason = MQTTReason(rawValue: code), reason == .success || reason.isFailure else {
        throw .malformed("there is no reason \(code) for a connection")
      }
      packet.reason = reason
      if reader.count > 0 || !reason.isFailure {
        packet.properties = try properties(&reader, .connack)
      }
    }
    if packet.isSessionPresent && packet.reason.isFailure {
      throw .protocolError("a refused connection has a session")
    }
    return packet
  }

  private func publish(
    _ first: UInt8, _ reader: inout PacketReader
  ) throws(ProtocolViolation) -> Packet.Publish {
    var packet = Packet.Publish(topic: try reader.text())
    packet.qos = MQTTQoS(rawValue: first >> 1 & 3) ?? .atMostOnce
    packet.isRetained = first & 1 != 0
    packet.isDuplicate = first & 8 != 0
    if packet.qos != .atMostOnce { packet.id = try reader.packetID() }
    packet.properties = try properties(&reader, .publish)
    if packet.topic.utf8.isEmpty {
      guard packet.properties[number: .topicAlias] != nil else {
        throw .protocolError("a message has no topic")
      }
    } else if let problem = TopicRules.problem(ofTopic: packet.topic) {
      throw ProtocolViolation(.invalidTopicName, "the topic of a message is wrong: \(problem)")
    }
    packet.payload = reader.rest()
    return packet
  }

  private func acknowledgement(
    _ reader: inout PacketReader, _ allowed: Set<MQTTReason>
  ) throws(ProtocolViolation) -> Packet.Acknowledgement {
    let id = try reader.packetID()
    if version == .v311 { return Packet.Acknowledgement(id: id) }
    let end = try reason(&reader, allowed, .answer)
    return Packet.Acknowledgement(id: id, reason: end.reason, properties: end.properties)
  }

  /// Reads a reason and properties, both of which can be missing.
  private func reason(
    _ reader: inout PacketReader, _ allowed: Set<MQTTReason>, _ place: PropertyPlace
  ) throws(ProtocolViolation) -> Packet.ReasonBody {
    if reader.count == 0 { return Packet.ReasonBody() }
    let reason = try reason(&reader, allowed)
    let properties = reader.count == 0 ? Properties() : try properties(&reader, place)
    return Packet.ReasonBody(reason: reason, properties: properties)
  }

  private func reason(
    _ reader: inout PacketReader, _ allowed: Set<MQTTReason>
  ) throws(ProtocolViolation) -> MQTTReason {
    let code = try reader.byte()
    guard let reason = MQTTReason(rawValue: code), allowed.contains(reason) else {
      throw .malformed("a packet of this kind has no reason \(code)")
    }
    return reason
  }

  private func grants(
    _ reader: inout PacketReader, _ allowed: Set<MQTTReason>
  ) throws(ProtocolViolation) -> Packet.FilterAnswers {
    let id = try reader.packetID()
    let properties = try properties(&reader, .answer)
    var reasons: [MQTTReason] = []
    repeat {
      reasons.append(try reason(&reader, allowed))
    } while reader.count > 0
    return Packet.FilterAnswers(id: id, reasons: reasons, properties: properties)
  }

  private func filter(
    _ reader: inout PacketReader
  ) throws(ProtocolViolation) -> Packet.Subscribe.Filter {
    let text = try filterText(&reader)
    let options = try reader.byte()
    let unused: UInt8 = version == .v5 ? 0xC0 : 0xFC
    if options & unused != 0 || options & 3 == 3 || options & 0x30 == 0x30 {
      throw .malformed("the options of a subscription are wrong")
    }
    if options & 4 != 0 && TopicRules.isShared(text) {
      throw .protocolError("a shared subscription leaves out own messages")
    }
    return Packet.Subscribe.Filter(filter: text, options: options)
  }

  private func filterText(_ reader: inout PacketReader) throws(ProtocolViolation) -> String {
    let text = try reader.text()
    if let problem = TopicRules.problem(ofFilter: text) {
      throw ProtocolViolation(.invalidTopicFilter, "a filter is wrong: \(problem)")
    }
    return text
  }

  private func properties(
    _ reader: inout PacketReader, _ place: PropertyPlace
  ) throws(ProtocolViolation) -> Properties {
    if version == .v311 { return Properties() }
    return try Properties(from: &reader, in: place, sender: sender)
  }
}
