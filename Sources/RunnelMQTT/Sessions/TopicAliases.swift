/// The numbers that stand for topics in the messages of one connection.
///
/// The first topics get numbers, as many as the broker allows.
struct SentAliases {
  private let maximum: Int
  private var aliases: [ExactText: UInt16] = [:]
  /// More aliases cost memory, and help only programs with many topics.
  private static let limit = 1_024
  /// An alias takes three bytes.
  private static let shortestTopic = 4

  init(maximum: Int) {
    self.maximum = min(maximum, Self.limit)
  }

  /// The number of a topic that an earlier packet of the connection has set.
  func known(_ topic: ExactText) -> UInt16? { maximum == 0 ? nil : aliases[topic] }

  /// The number that a packet can set for a topic; nil if there is none left.
  func next(for topic: ExactText) -> UInt16? {
    guard aliases.count < maximum, topic.text.utf8.count >= Self.shortestTopic else { return nil }
    return UInt16(aliases.count + 1)
  }

  /// The packet that sets the next number is written.
  mutating func set(_ topic: ExactText) {
    aliases[topic] = UInt16(aliases.count + 1)
  }
}

/// The topics of the numbers that the broker has set on a connection.
struct ReceivedAliases {
  let maximum: UInt16
  private var topics: [UInt16: String] = [:]

  init(maximum: UInt16) {
    self.maximum = maximum
  }

  /// Returns the full topic of a message.
  mutating func topic(of packet: Packet.Publish) throws(ProtocolViolation) -> String {
    guard let number = packet.properties[number: .topicAlias] else { return packet.topic }
    guard number <= UInt32(maximum), let alias = UInt16(exactly: number) else {
      throw ProtocolViolation(.invalidTopicAlias, "a topic alias is larger than \(maximum)")
    }
    if !packet.topic.utf8.isEmpty { topics[alias] = packet.topic }
    guard let topic = topics[alias] else {
      throw .protocolError("the topic alias \(alias) was not set")
    }
    return topic
  }
}
