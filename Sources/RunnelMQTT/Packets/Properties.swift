/// The properties of a packet of MQTT 5.
struct Properties: Hashable {
  private var numbers: [PropertyID: UInt32] = [:]
  private var texts: [PropertyID: ExactText] = [:]
  private var byteArrays: [PropertyID: [UInt8]] = [:]
  var userProperties: [MQTTMessage.UserProperty] = []
  /// A packet from a broker names each subscription that the message matches.
  var subscriptionIDs: [UInt32] = []

  init() {}

  /// A property that is a number or a flag.
  subscript(number id: PropertyID) -> UInt32? {
    get { numbers.isEmpty ? nil : numbers[id] }
    set { numbers[id] = newValue }
  }

  subscript(text id: PropertyID) -> String? {
    get { texts.isEmpty ? nil : texts[id]?.text }
    set { texts[id] = newValue.map { ExactText($0) } }
  }

  subscript(bytes id: PropertyID) -> [UInt8]? {
    get { byteArrays.isEmpty ? nil : byteArrays[id] }
    set { byteArrays[id] = newValue }
  }

  /// The value of a flag. The default is its value if the packet does not have it.
  func flag(_ id: PropertyID, default value: Bool) -> Bool {
    self[number: id].map { $0 != 0 } ?? value
  }

  // MARK: - Decoding

  init(
    from reader: inout PacketReader, in place: PropertyPlace, sender: PacketSender
  ) throws(ProtocolViolation) {
    let length = try reader.variableNumber()
    guard Int(length) <= reader.count else {
      throw .malformed("the properties are longer than the packet")
    }
    let end = reader.index + Int(length)
    var part = PacketReader(reader.bytes, reader.index..<end)
    reader.index = end
    let allowed = PropertyID.allowed(in: place)
    while part.count > 0 {
      let code = try part.variableNumber()
      guard let id = UInt8(exactly: code).flatMap({ PropertyID(rawValue: $0) }) else {
        throw .malformed("there is no property \(code)")
      }
      // The client has set the time, and the broker cannot change it at the end.
      if id == .sessionExpiry && place == .disconnect && sender == .broker {
        throw .protocolError("a broker ends a session with a DISCONNECT")
      }
      guard id == .userProperty || allowed.contains(id) else {
        throw .malformed("a packet of this kind has no property \(id)")
      }
      try read(id, from: &part, in: place, sender)
    }
    if place == .connect || place == .connack,
      self[bytes: .authenticationData] != nil, self[text: .authenticationMethod] == nil
    {
      throw .protocolError("there are authentication data without a method")
    }
  }

  private mutating func read(
    _ id: PropertyID, from reader: inout PacketReader, in place: PropertyPlace,
    _ sender: PacketSender
  ) throws(ProtocolViolation) {
    switch id.form {
    case .flag:
      let value = try reader.byte()
      if value > 1 { throw .protocolError("the value of \(id) is not 0 or 1") }
      try set(id, UInt32(value))
    case .number16: try set(id, UInt32(try reader.number16()))
    case .number32: try set(id, try reader.number32())
    case .variableNumber:
      let value = try reader.variableNumber()
      if value == 0 { throw .protocolError("a subscription identifier is zero") }
      if place == .publish && sender == .client {
        throw .protocolError("a client has sent a subscription identifier in a message")
      }
      if place == .subscribe && !subscriptionIDs.isEmpty {
        throw .protocolError("a packet has two subscription identifiers")
      }
      subscriptionIDs.append(value)
    case .text:
      let text = try reader.text()
      if self[text: id] != nil { throw .protocolError("\(id) is there twice") }
      if id == .responseTopic, TopicRules.problem(ofTopic: text) != nil {
        throw .protocolError("the response topic is not a topic")
      }
      self[text: id] = text
    case .bytes:
      let value = try reader.byteArray()
      if self[bytes: id] != nil { throw .protocolError("\(id) is there twice") }
      self[bytes: id] = value
    case .pair:
      userProperties.append(MQTTMessage.UserProperty(try reader.text(), try reader.text()))
    }
  }

  private mutating func set(_ id: PropertyID, _ value: UInt32) throws(ProtocolViolation) {
    if self[number: id] != nil { throw .protocolError("\(id) is there twice") }
    if value == 0 && id.excludesZero {
      let reason = id == .topicAlias ? MQTTReason.invalidTopicAlias : .protocolError
      throw ProtocolViolation(reason, "the value of \(id) is zero")
    }
    numbers[id] = value
  }

  // MARK: - Encoding

  /// Writes the length of the properties, and then them.
  func write(to writer: inout PacketWriter) {
    if self == Self.none { return writer.append(0) }
    var part = PacketWriter()
    // In the order of their codes, so that equal properties have equal bytes.
    for id in PropertyID.allCases {
      switch id.form {
      case .flag:
        guard let value = self[number: id] else { continue }
        part.append(id.rawValue)
        part.append(UInt8(truncatingIfNeeded: value))
      case .number16:
        guard let value = self[number: id] else { continue }
        part.append(id.rawValue)
        part.append(number16: UInt16(truncatingIfNeeded: value))
      case .number32:
        guard let value = self[number: id] else { continue }
        part.append(id.rawValue)
        part.append(number32: value)
      case .variableNumber:
        for value in subscriptionIDs {
          part.append(id.rawValue)
          part.append(variableNumber: value)
        }
      case .text:
        guard let value = self[text: id] else { continue }
        part.append(id.rawValue)
        part.append(text: value)
      case .bytes:
        guard let value = self[bytes: id] else { continue }
        part.append(id.rawValue)
        part.append(byteArray: value)
      case .pair:
        for property in userProperties {
          part.append(id.rawValue)
          part.append(text: property.name)
          part.append(text: property.value)
        }
      }
    }
    writer.append(variableNumber: UInt32(part.bytes.count))
    writer.bytes += part.bytes
  }

  static let none = Properties()
}
