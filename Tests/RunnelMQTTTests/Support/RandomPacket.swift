import RunnelStreams

@testable import RunnelMQTT

/// Valid packets of all kinds with random contents.
struct RandomPacket {
  var random: SplitMix
  let version: MQTTVersion
  let sender: PacketSender

  private mutating func chance() -> Bool { Bool.random(using: &random) }

  private mutating func id() -> UInt16 { .random(in: 1 ... .max, using: &random) }

  private mutating func text(_ alphabet: String = "aZ0 é漢😀\n\u{1}\u{301}+#") -> String {
    let characters = Array(alphabet.unicodeScalars)
    var text = ""
    for _ in 0..<Int.random(in: 0..<12, using: &random) {
      text.unicodeScalars.append(characters.randomElement(using: &random) ?? "a")
    }
    return text
  }

  private mutating func topic() -> String { "t" + text("ab/é\u{301} $") }

  private mutating func filter() -> String {
    ["#", "+", "+/a/#", "$share/g/\(topic())", topic()].randomElement(using: &random) ?? "#"
  }

  private mutating func bytes(below limit: Int = 40) -> [UInt8] {
    (0..<Int.random(in: 0..<limit, using: &random)).map { _ in .random(in: 0...255, using: &random)
    }
  }

  private mutating func reason(_ reasons: [MQTTReason]) -> MQTTReason {
    version == .v311 ? reasons[0] : reasons.randomElement(using: &random) ?? reasons[0]
  }

  private mutating func properties(_ place: PropertyPlace) -> Properties {
    var properties = Properties()
    guard version == .v5, chance() else { return properties }
    for id in PropertyID.allCases where PropertyID.allowed(in: place).contains(id) {
      if chance() || id == .sessionExpiry && place == .disconnect && sender == .broker { continue }
      switch id.form {
      case .flag: properties[number: id] = chance() ? 1 : 0
      case .number16: properties[number: id] = UInt32(self.id())
      case .number32: properties[number: id] = .random(in: 1 ... .max, using: &random)
      case .variableNumber:
        if place == .publish && sender == .client { continue }
        let count = place == .publish ? Int.random(in: 1...3, using: &random) : 1
        properties.subscriptionIDs = (0..<count).map { _ in
          .random(in: 1...UInt32(Packet.largestLength), using: &random)
        }
      case .text: properties[text: id] = id == .responseTopic ? topic() : text()
      case .bytes: properties[bytes: id] = bytes()
      case .pair: break
      }
    }
    if properties[text: .authenticationMethod] == nil {
      properties[bytes: .authenticationData] = nil
    }
    for _ in 0..<Int.random(in: 0..<3, using: &random) {
      properties.userProperties.append(MQTTMessage.UserProperty(text(), text()))
    }
    return properties
  }

  private mutating func publish(_ place: PropertyPlace = .publish) -> Packet.Publish {
    var packet = Packet.Publish(topic: topic(), payload: bytes(below: 300))
    packet.isRetained = chance()
    packet.qos = MQTTQoS.allCases.randomElement(using: &random) ?? .atMostOnce
    guard place == .publish else { return packet }
    packet.properties = properties(.publish)
    if packet.properties[number: .topicAlias] != nil && chance() { packet.topic = "" }
    if packet.qos != .atMostOnce {
      packet.id = id()
      packet.isDuplicate = chance()
    }
    return packet
  }

  private mutating func acknowledgement(_ reasons: [MQTTReason]) -> Packet.Acknowledgement {
    Packet.Acknowledgement(id: id(), reason: reason(reasons), properties: properties(.answer))
  }

  /// Returns a packet that the side may send.
  mutating func next() -> Packet {
    let both = 6
    let count = both + 4 + (version == .v5 ? 1 : 0)
    switch Int.random(in: 0..<count, using: &random) {
    case 0, 1: return .publish(publish())
    case 2: return .puback(acknowledgement([.success, .noMatchingSubscribers, .quotaExceeded]))
    case 3: return .pubrec(acknowledgement([.success, .noMatchingSubscribers, .notAuthorized]))
    case 4: return .pubrel(acknowledgement([.success, .packetIdentifierNotFound]))
    case 5: return .pubcomp(acknowledgement([.success, .packetIdentifierNotFound]))
    case 10:
      return .auth(
        Packet.ReasonBody(
          reason: reason([.success, .continueAuthentication]), properties: properties(.auth)))
    case let kind: return sender == .client ? clientPacket(kind) : brokerPacket(kind)
    }
  }

  private mutating func clientPacket(_ kind: Int) -> Packet {
    switch kind {
    case 6: return .connect(connect())
    case 7:
      let filters = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        let filter = filter()
        var options = UInt8.random(in: 0...2, using: &random)
        if version == .v5 {
          options |= UInt8.random(in: 0...2, using: &random) << 4 | (chance() ? 8 : 0)
          if !TopicRules.isShared(filter) && chance() { options |= 4 }
        }
        return Packet.Subscribe.Filter(filter: filter, options: options)
      }
      return .subscribe(
        Packet.Subscribe(id: id(), filters: filters, properties: properties(.subscribe)))
    case 8:
      let filters = (0..<Int.random(in: 1...3, using: &random)).map { _ in filter() }
      return .unsubscribe(
        Packet.Unsubscribe(id: id(), filters: filters, properties: properties(.unsubscribe)))
    default:
      if chance() { return .pingreq }
      return .disconnect(
        Packet.ReasonBody(
          reason: reason([.success, .disconnectWithWill, .protocolError]),
          properties: properties(.disconnect)))
    }
  }

  private mutating func connect() -> Packet.Connect {
    var packet = Packet.Connect(version: version, clientID: text(), startsClean: chance())
    packet.keepAlive = .random(in: 0 ... .max, using: &random)
    packet.properties = properties(.connect)
    if chance() { packet.user = text() }
    if chance(), version == .v5 || packet.user != nil { packet.password = bytes() }
    if chance() {
      packet.will = .init(publish: publish(.will), properties: properties(.will))
    }
    return packet
  }

  private mutating func brokerPacket(_ kind: Int) -> Packet {
    switch kind {
    case 6:
      let reason = reason([.success, .success, .notAuthorized, .serverBusy])
      return .connack(
        Packet.Connack(
          isSessionPresent: !reason.isFailure && chance(), reason: reason,
          properties: properties(.connack)))
    case 7, 8:
      let count = Int.random(in: 1...3, using: &random)
      let isEnd = kind == 8
      let reasons = (0..<count).map { _ in
        isEnd
          ? reason([.success, .noSubscriptionExisted])
          : reason([.success, .grantedAtLeastOnce, .grantedExactlyOnce, .quotaExceeded])
      }
      let packet = Packet.FilterAnswers(
        id: id(), reasons: isEnd && version == .v311 ? [] : reasons,
        properties: properties(.answer))
      return isEnd ? .unsuback(packet) : .suback(packet)
    default:
      if chance() || version == .v311 { return .pingresp }
      return .disconnect(
        Packet.ReasonBody(
          reason: reason([.success, .serverShuttingDown]), properties: properties(.disconnect)))
    }
  }
}
