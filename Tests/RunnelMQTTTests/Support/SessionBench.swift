import RunnelStreams
import Testing

@testable import RunnelMQTT

/// A session with the packets that it sends, and what its program sees. Without time and sockets.
struct SessionBench {
  var session: Session
  private(set) var results: [String] = []
  private(set) var delivered: [MQTTMessage] = []
  /// The ends of requests: the filter that is confirmed, or the error of an observer.
  private(set) var answers: [String] = []
  var now = Duration.zero
  private let log = ResultLog()
  var version = MQTTVersion.v5

  init(_ settings: Session.Settings = Session.Settings()) {
    session = Session(settings, firstIdentifier: 0, lastPacketID: 0)
  }

  /// Begins a connection. The closure sets the limits of the broker.
  mutating func connect(
    isSessionPresent: Bool = false, _ change: (inout BrokerLimits) -> Void = { _ in }
  ) {
    var limits = BrokerLimits(version)
    change(&limits)
    session.begin(limits, isSessionPresent: isSessionPresent)
  }

  @discardableResult
  mutating func publish(
    _ topic: String, _ text: String = "", _ qos: MQTTQoS = .atMostOnce
  ) -> MQTTError? {
    var message = MQTTMessage(topic, text: text, qos: qos)
    message.isText = false
    return publish(message, named: text.isEmpty ? topic : text)
  }

  @discardableResult
  mutating func publish(_ message: MQTTMessage, named name: String) -> MQTTError? {
    do throws(MQTTError) {
      _ = try session.publish(message, at: now) { [log] result in
        switch result {
        case .success(let receipt): log.lines.append("\(name) \(receipt)")
        case .failure(let error): log.lines.append("\(name) \(error)")
        }
      }
      return nil
    } catch {
      return error
    }
  }

  /// Handles events, and returns the packets that the session sends now.
  mutating func sent() -> [Packet] {
    var packets: [Packet] = []
    var decoder = PacketDecoder(from: .client, version, limit: 1 << 22)
    while let bytes = session.nextBytes(at: now) {
      session.didWrite()
      decoder.append(bytes)
      do throws(ProtocolViolation) {
        while let packet = try decoder.next() { packets.append(packet) }
      } catch {
        Issue.record("The client violates the protocol: \(error.detail)")
      }
    }
    handleEvents()
    return packets
  }

  mutating func handleEvents() {
    while let event = session.nextEvent() {
      switch event {
      case .finished(let finish, let result): finish(result)
      case .subscription(.confirmed(let filter, let weakened)):
        answers.append("\(filter.text) \(weakened.map { "\($0)" } ?? "confirmed")")
      case .subscription(.refused(let subscribers, let error)):
        answers += subscribers.map { "\($0.filters.map(\.text)) \(error)" }
      case .subscription(.remains(let filter, let reason)):
        answers.append("\(filter.text) remains: \(reason)")
      }
    }
    results = log.lines
  }

  /// Adds an observer.
  @discardableResult
  mutating func subscribe(_ subscriptions: MQTTSubscription...) -> Subscriber {
    let subscriber = Subscriber(
      subscriptions, receive: { _ in }, confirm: {}, fail: { _ in }, complete: {})
    session.add(subscriber)
    return subscriber
  }

  /// Handles a packet of the broker. Returns the reason if it is a violation.
  @discardableResult
  mutating func receive(_ packets: Packet...) -> MQTTReason? {
    for packet in packets {
      do throws(ProtocolViolation) {
        try session.receive(packet)
      } catch {
        return error.reason
      }
    }
    handleEvents()
    return nil
  }

  /// Delivers the messages that wait, at most as many as given.
  mutating func deliver(_ count: Int = .max) {
    for _ in 0..<count {
      guard let message = session.nextMessage() else { return }
      delivered.append(message.message)
      session.confirm(message)
    }
  }

  var deliveredTexts: [String] { delivered.map(\.text) }
}

private final class ResultLog {
  var lines: [String] = []
}

extension Packet {
  /// A short form for comparisons: kind, identifier, text and marks.
  var brief: String {
    switch self {
    case .publish(let packet):
      let alias = packet.properties[number: .topicAlias].map { "=\($0)" } ?? ""
      let mark = packet.isDuplicate ? "!" : ""
      return "publish\(mark) \(packet.id) \(packet.topic)\(alias) "
        + String(decoding: packet.payload, as: UTF8.self)
    case .puback(let packet): return "puback \(packet.id)"
    case .pubrec(let packet): return "pubrec \(packet.id)"
    case .pubrel(let packet): return "pubrel \(packet.id)"
    case .pubcomp(let packet):
      return "pubcomp \(packet.id)\(packet.reason.isFailure ? " unknown" : "")"
    case .subscribe(let packet):
      return "subscribe \(packet.id) " + packet.filters.map(\.filter).joined(separator: ",")
    case .unsubscribe(let packet):
      return "unsubscribe \(packet.id) " + packet.filters.joined(separator: ",")
    default: return "\(self)"
    }
  }
}

extension [Packet] {
  var brief: [String] { map(\.brief) }
}
