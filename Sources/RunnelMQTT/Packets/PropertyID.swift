/// The kinds of properties of MQTT 5 (section 2.2.2.2).
enum PropertyID: UInt8, Hashable, CaseIterable {
  case payloadFormat = 0x01
  case messageExpiry = 0x02
  case contentType = 0x03
  case responseTopic = 0x08
  case correlationData = 0x09
  case subscriptionID = 0x0B
  case sessionExpiry = 0x11
  case assignedClientID = 0x12
  case serverKeepAlive = 0x13
  case authenticationMethod = 0x15
  case authenticationData = 0x16
  case requestProblemInformation = 0x17
  case willDelay = 0x18
  case requestResponseInformation = 0x19
  case responseInformation = 0x1A
  case serverReference = 0x1C
  case reasonText = 0x1F
  case receiveMaximum = 0x21
  case topicAliasMaximum = 0x22
  case topicAlias = 0x23
  case maximumQoS = 0x24
  case retainAvailable = 0x25
  case userProperty = 0x26
  case maximumPacketSize = 0x27
  case wildcardsAvailable = 0x28
  case subscriptionIDsAvailable = 0x29
  case sharingAvailable = 0x2A

  /// The form of a value.
  enum Form {
    case flag
    case number16
    case number32
    case variableNumber
    case text
    case bytes
    case pair
  }

  var form: Form {
    switch self {
    case .payloadFormat, .requestProblemInformation, .requestResponseInformation, .maximumQoS,
      .retainAvailable, .wildcardsAvailable, .subscriptionIDsAvailable, .sharingAvailable:
      .flag
    case .serverKeepAlive, .receiveMaximum, .topicAliasMaximum, .topicAlias: .number16
    case .messageExpiry, .sessionExpiry, .willDelay, .maximumPacketSize: .number32
    case .subscriptionID: .variableNumber
    case .contentType, .responseTopic, .assignedClientID, .authenticationMethod,
      .responseInformation, .serverReference, .reasonText:
      .text
    case .correlationData, .authenticationData: .bytes
    case .userProperty: .pair
    }
  }

  /// True if the value zero is a violation.
  var excludesZero: Bool {
    switch self {
    case .subscriptionID, .receiveMaximum, .topicAlias, .maximumPacketSize: true
    default: false
    }
  }

  /// The properties that a part of a packet may have. `userProperty` is allowed everywhere.
  static func allowed(in place: PropertyPlace) -> Set<PropertyID> { tables[place] ?? [] }

  private static let tables: [PropertyPlace: Set<PropertyID>] = [
    .connect: [
      .sessionExpiry, .receiveMaximum, .maximumPacketSize, .topicAliasMaximum,
      .requestResponseInformation, .requestProblemInformation, .authenticationMethod,
      .authenticationData,
    ],
    .will: [
      .willDelay, .payloadFormat, .messageExpiry, .contentType, .responseTopic, .correlationData,
    ],
    .connack: [
      .sessionExpiry, .receiveMaximum, .maximumQoS, .retainAvailable, .maximumPacketSize,
      .assignedClientID, .topicAliasMaximum, .reasonText, .wildcardsAvailable,
      .subscriptionIDsAvailable, .sharingAvailable, .serverKeepAlive, .responseInformation,
      .serverReference, .authenticationMethod, .authenticationData,
    ],
    .publish: [
      .payloadFormat, .messageExpiry, .topicAlias, .responseTopic, .correlationData,
      .subscriptionID, .contentType,
    ],
    .subscribe: [.subscriptionID],
    .unsubscribe: [],
    .answer: [.reasonText],
    .disconnect: [.sessionExpiry, .reasonText, .serverReference],
    .auth: [.authenticationMethod, .authenticationData, .reasonText],
  ]
}

/// The parts of packets that have properties.
enum PropertyPlace: Hashable, CaseIterable {
  case connect
  case will
  case connack
  case publish
  case subscribe
  case unsubscribe
  /// The acknowledgements of messages, subscriptions and their ends.
  case answer
  case disconnect
  case auth
}
