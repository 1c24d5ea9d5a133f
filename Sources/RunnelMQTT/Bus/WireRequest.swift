import RunnelBus

/// A request and its answer as messages.
///
/// With MQTT 5 they have a response topic and correlation data, so other programs can ask and answer, too. With
/// MQTT 3.1.1 these are in the header.
struct WireRequest {
  let payload: [UInt8]
  let answerTopic: String
  let id: [UInt8]

  init(payload: [UInt8], answerTopic: String, id: [UInt8]) {
    self.payload = payload
    self.answerTopic = answerTopic
    self.id = id
  }

  /// Reads a request; nil if the message is none.
  init?(_ received: MQTTMessage, _ version: MQTTVersion) {
    var message = received
    let header = WireHeader.take(from: &message, version)
    switch version {
    case .v5:
      guard let topic = message.responseTopic else { return nil }
      self.init(
        payload: message.payload, answerTopic: topic, id: message.correlationData ?? [])
    case .v311:
      guard header?.kind == .request, let words = header?.words, words.count == 2,
        let number = UInt64(words[1], radix: 16)
      else { return nil }
      self.init(payload: message.payload, answerTopic: words[0], id: number.bytes)
    }
  }

  /// Returns the message that carries the request.
  func message(on topic: String, _ version: MQTTVersion) -> MQTTMessage {
    var message = MQTTMessage(topic, payload, qos: .atLeastOnce)
    switch version {
    case .v5:
      message.responseTopic = answerTopic
      message.correlationData = id
      WireHeader(.request).write(to: &message, version)
    case .v311: WireHeader(.request, [answerTopic, Self.text(of: id)]).write(to: &message, version)
    }
    return message
  }

  /// Returns the message that carries the answer.
  func answer(_ result: Result<[UInt8], AskFailure>, _ version: MQTTVersion) -> MQTTMessage {
    var message = MQTTMessage(answerTopic, qos: .atLeastOnce)
    let kind: WireHeader.Kind
    switch result {
    case .success(let bytes):
      kind = .answer
      message.payload = bytes
    case .failure(.nobodyAnswers): kind = .nobody
    case .failure(.failed(let error)):
      kind = .failed
      message.payload = Array("\(error)".utf8)
    case .failure(.timedOut):
      kind = .failed
      message.payload = Array("\(AskFailure.timedOut)".utf8)
    }
    switch version {
    case .v5:
      message.correlationData = id.isEmpty ? nil : id
      WireHeader(kind).write(to: &message, version)
    case .v311: WireHeader(kind, [Self.text(of: id)]).write(to: &message, version)
    }
    return message
  }

  /// Reads the answer to a request; nil if the message is none.
  static func result(
    of received: MQTTMessage, _ version: MQTTVersion
  ) -> (id: [UInt8], Result<[UInt8], AskFailure>)? {
    var message = received
    let header = WireHeader.take(from: &message, version)
    let id =
      version == .v5
      ? message.correlationData
      : header?.words.first.flatMap { UInt64($0, radix: 16)?.bytes }
    guard let id else { return nil }
    return switch header?.kind {
    case .failed: (id, .failure(.failed(RemoteFailure(message.text))))
    case .nobody: (id, .failure(.nobodyAnswers))
    // Programs without Runnel send no header.
    case .answer, nil: (id, .success(message.payload))
    case .event, .sticky, .cleared, .request: nil
    }
  }

  private static func text(of id: [UInt8]) -> String {
    UInt64(bytes: id).map { String($0, radix: 16) } ?? ""
  }
}

extension UInt64 {
  /// The eight bytes, the highest one first.
  var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) } }

  /// Creates a number from its ``bytes``.
  init?(bytes: [UInt8]) {
    if bytes.count != 8 { return nil }
    self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
