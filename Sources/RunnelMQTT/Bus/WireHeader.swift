import RunnelBus

/// The part of a message that says what it means for a bus.
///
/// With MQTT 5 it is the user property `runnel`. MQTT 3.1.1 has no properties: there it is a first line of
/// the payload, `runnel ` and the header. Examples are `event 5a-2-1-0` and `sticky 5a-3-0-1 repeated`.
struct WireHeader: Equatable {
  enum Kind: String {
    case event, sticky, cleared
    /// A request, which events with the same topic ignore.
    case request
    /// The answer to a request, or the reason why there is none.
    case answer, failed, nobody
  }

  static let name = "runnel"
  private static let lineStart = Array("\(name) ".utf8)
  private static let newline = UInt8(ascii: "\n")

  var kind: Kind
  /// The texts after the kind. None of them is empty or has a space.
  var words: [String] = []

  init(_ kind: Kind, _ words: [String] = []) {
    self.kind = kind
    self.words = words
  }

  /// Returns nil if the text is no header.
  init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    guard let first = parts.first, let kind = Kind(rawValue: first) else { return nil }
    self.init(kind, Array(parts.dropFirst()))
  }

  var text: String { ([kind.rawValue] + words).joined(separator: " ") }

  /// Adds the header to a message.
  func write(to message: inout MQTTMessage, _ version: MQTTVersion) {
    switch version {
    case .v5: message.userProperties.append(.init(Self.name, text))
    case .v311: message.payload = Self.lineStart + text.utf8 + [Self.newline] + message.payload
    }
  }

  /// Takes the header from a message; nil if it has none, because a program without Runnel has sent it.
  static func take(from message: inout MQTTMessage, _ version: MQTTVersion) -> WireHeader? {
    switch version {
    case .v5: return message.userProperty(name).flatMap { WireHeader($0) }
    case .v311:
      guard message.payload.starts(with: lineStart),
        let end = message.payload.firstIndex(of: newline),
        let text = String(validating: message.payload[lineStart.count..<end], as: UTF8.self),
        let header = WireHeader(text)
      else { return nil }
      message.payload.removeSubrange(...end)
      return header
    }
  }
}

extension TransportMessage {
  private static let repeatedWord = "repeated"

  /// Returns the messages that carry this one, in their order.
  ///
  /// With MQTT 3.1.1 a removal is two: one with the header, and an empty one for the broker.
  func wireMessages(_ version: MQTTVersion) -> [MQTTMessage] {
    var message = MQTTMessage(
      TopicMapping.topic(topic), kind == .cleared ? [] : payload,
      qos: isAcknowledged ? .atLeastOnce : .atMostOnce, isRetained: kind != .event)
    let empty = message
    let kind: WireHeader.Kind =
      switch self.kind {
      case .event: .event
      case .sticky: .sticky
      case .cleared: .cleared
      }
    let words = [stamp?.description, isRepeated ? Self.repeatedWord : nil].compactMap { $0 }
    WireHeader(kind, words).write(to: &message, version)
    guard version == .v311 && kind == .cleared else { return [message] }
    message.isRetained = false
    return [message, empty]
  }

  /// Reads a message of the broker; nil if it is none for a bus.
  init?(_ received: MQTTMessage, _ version: MQTTVersion) {
    guard let topic = TopicMapping.busTopic(received.topic) else { return nil }
    var message = received
    let header = WireHeader.take(from: &message, version)
    let kind: MessageKind
    switch header?.kind {
    case .event: kind = .event
    case .sticky: kind = .sticky
    case .cleared: kind = .cleared
    case .request, .answer, .failed, .nobody: return nil
    case nil:
      // MQTT 3.1.1 does not tell the removal of a retained message from an empty message.
      if version == .v311 && message.payload.isEmpty { return nil }
      kind = !message.isRetained ? .event : message.payload.isEmpty ? .cleared : .sticky
    }
    self.init(
      topic: topic, kind: kind, payload: message.payload,
      stamp: header?.words.first.flatMap { EventStamp($0) },
      isAcknowledged: message.qos != .atMostOnce,
      isRepeated: message.isDuplicate || header?.words.last == Self.repeatedWord)
  }
}
