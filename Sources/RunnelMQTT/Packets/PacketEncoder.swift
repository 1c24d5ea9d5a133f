extension Packet {
  /// The largest length of a packet behind its fixed header.
  static let largestLength = 268_435_455

  /// Returns the bytes of the packet; nil if it is longer than the protocol allows. All texts were
  /// checked.
  func encoded(_ version: MQTTVersion) -> [UInt8]? {
    var body = PacketWriter()
    var payload: [UInt8] = []
    switch self {
    case .connect(let packet): packet.write(to: &body)
    case .connack(let packet):
      body.append(packet.isSessionPresent ? 1 : 0)
      body.append(version == .v5 ? packet.reason.rawValue : packet.reason.returnCode)
      if version == .v5 { packet.properties.write(to: &body) }
    case .publish(let packet):
      body.append(text: packet.topic)
      if packet.qos != .atMostOnce { body.append(number16: packet.id) }
      if version == .v5 { packet.properties.write(to: &body) }
      payload = packet.payload
    case .puback(let packet), .pubrec(let packet), .pubrel(let packet), .pubcomp(let packet):
      body.append(number16: packet.id)
      if version == .v5 { Self.write(packet.reason, packet.properties, to: &body) }
    case .subscribe(let packet):
      body.append(number16: packet.id)
      if version == .v5 { packet.properties.write(to: &body) }
      for filter in packet.filters {
        body.append(text: filter.filter)
        body.append(version == .v5 ? filter.options : filter.options & 3)
      }
    case .unsubscribe(let packet):
      body.append(number16: packet.id)
      if version == .v5 { packet.properties.write(to: &body) }
      for filter in packet.filters { body.append(text: filter) }
    case .suback(let packet), .unsuback(let packet):
      body.append(number16: packet.id)
      if version == .v5 { packet.properties.write(to: &body) }
      if case .unsuback = self, version == .v311 { break }
      for reason in packet.reasons {
        body.append(version == .v311 && reason.isFailure ? 0x80 : reason.rawValue)
      }
    case .pingreq, .pingresp: break
    case .disconnect(let packet), .auth(let packet):
      if version == .v5 { Self.write(packet.reason, packet.properties, to: &body) }
    }
    let length = body.bytes.count + payload.count
    guard length <= Self.largestLength else { return nil }
    var whole = PacketWriter()
    whole.bytes.reserveCapacity(length + 5)
    whole.append(firstByte)
    whole.append(variableNumber: UInt32(length))
    whole.bytes += body.bytes
    whole.bytes += payload
    return whole.bytes
  }

  /// Writes a reason and its properties, which are left out if they say nothing.
  private static func write(
    _ reason: MQTTReason, _ properties: Properties, to writer: inout PacketWriter
  ) {
    if properties == Properties.none && reason == .success { return }
    writer.append(reason.rawValue)
    if properties != Properties.none { properties.write(to: &writer) }
  }

  private var firstByte: UInt8 {
    switch self {
    case .connect: 0x10
    case .connack: 0x20
    case .publish(let packet):
      0x30 | (packet.isDuplicate ? 8 : 0) | packet.qos.rawValue << 1
        | (packet.isRetained ? 1 : 0)
    case .puback: 0x40
    case .pubrec: 0x50
    case .pubrel: 0x62
    case .pubcomp: 0x70
    case .subscribe: 0x82
    case .suback: 0x90
    case .unsubscribe: 0xA2
    case .unsuback: 0xB0
    case .pingreq: 0xC0
    case .pingresp: 0xD0
    case .disconnect: 0xE0
    case .auth: 0xF0
    }
  }
}

extension Packet.Connect {
  fileprivate func write(to body: inout PacketWriter) {
    body.append(text: "MQTT")
    body.append(version.rawValue)
    var flags: UInt8 = startsClean ? 2 : 0
    if let publish = will?.publish {
      flags |= 4 | publish.qos.rawValue << 3 | (publish.isRetained ? 0x20 : 0)
    }
    if password != nil { flags |= 0x40 }
    if user != nil { flags |= 0x80 }
    body.append(flags)
    body.append(number16: keepAlive)
    if version == .v5 { properties.write(to: &body) }
    body.append(text: clientID)
    if let will {
      if version == .v5 { will.properties.write(to: &body) }
      body.append(text: will.publish.topic)
      body.append(byteArray: will.publish.payload)
    }
    if let user { body.append(text: user) }
    if let password { body.append(byteArray: password) }
  }
}

extension MQTTReason {
  /// The reasons of the return codes of MQTT 3.1.1, from zero on.
  static let returnCodes: [MQTTReason] = [
    .success, .unsupportedProtocolVersion, .invalidClientIdentifier, .serverUnavailable,
    .badUserNameOrPassword, .notAuthorized,
  ]

  fileprivate var returnCode: UInt8 {
    UInt8(Self.returnCodes.firstIndex(of: self) ?? Self.returnCodes.count - 1)
  }
}
