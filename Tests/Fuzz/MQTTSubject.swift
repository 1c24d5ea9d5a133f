import RunnelStreams

@testable import RunnelMQTT

/// Reads bytes as packets, or as the acts of a broker and of a program. The first byte chooses.
func fuzzMQTT(_ input: [UInt8]) {
  guard input.count > 2 else { return }
  let version = input[0] & 1 == 0 ? MQTTVersion.v5 : .v311
  let bytes = Array(input.dropFirst())
  switch input[0] >> 1 & 3 {
  case 0: checkDecoder(bytes, from: .broker, version, pieces: 1 + Int(input[0] >> 3))
  case 1: checkDecoder(bytes, from: .client, version, pieces: 1 + Int(input[0] >> 3))
  default:
    var run = SessionRun(version)
    run.perform(bytes)
  }
}

/// The packets before a violation, and it. Traps if they depend on the pieces of the bytes, or if an
/// accepted packet does not survive.
private func checkDecoder(
  _ bytes: [UInt8], from sender: PacketSender, _ version: MQTTVersion, pieces size: Int
) {
  let whole = packets(of: bytes, from: sender, version, pieces: bytes.count)
  let parts = packets(of: bytes, from: sender, version, pieces: size)
  precondition(whole.packets == parts.packets, "\(whole) differs from \(parts)")
  precondition(whole.violation == parts.violation, "\(whole) differs from \(parts)")
  var version = version
  for packet in whole.packets {
    if case .connect(let connect) = packet { version = connect.version }
    let again = packet.encoded(version) ?? []
    let read = packets(of: again, from: sender, version, pieces: again.count)
    precondition(read.packets == [packet], "\(packet) becomes \(read)")
  }
}

private func packets(
  of bytes: [UInt8], from sender: PacketSender, _ version: MQTTVersion, pieces size: Int
) -> (packets: [Packet], violation: ProtocolViolation?) {
  var decoder = PacketDecoder(from: sender, version, limit: 500)
  var packets: [Packet] = []
  do throws(ProtocolViolation) {
    for start in stride(from: 0, to: bytes.count, by: size) {
      decoder.append(Array(bytes[start..<min(start + size, bytes.count)]))
      while let packet = try decoder.next() { packets.append(packet) }
    }
  } catch {
    return (packets, error)
  }
  return (packets, nil)
}

/// A client's session with a hostile broker. Traps if the session sends a packet that violates the
/// protocol, or ends a message twice.
private struct SessionRun {
  private let version: MQTTVersion
  private var session: Session
  private var fromBroker: PacketDecoder
  private var fromClient: PacketDecoder
  private var subscribers: [Subscriber] = []
  private let endings = Endings()
  private var publishCount = 0
  private var isOpen = false

  private final class Endings {
    var messages: Set<Int> = []
  }

  init(_ version: MQTTVersion) {
    self.version = version
    session = Session(
      Session.Settings(receiveMaximum: 3, topicAliasMaximum: 2, inFlight: 3, queueBytes: 4_000),
      firstIdentifier: 0, lastPacketID: 0)
    fromBroker = PacketDecoder(from: .broker, version, limit: 500)
    fromClient = PacketDecoder(from: .client, version, limit: 1 << 20)
  }

  mutating func perform(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while let act = rest.popFirst() {
      let qos = MQTTQoS(rawValue: act >> 4 & 3) ?? .atMostOnce
      switch act & 0xF {
      case 0: begin(isSessionPresent: act & 0x10 != 0, receiveMaximum: 1 + Int(act >> 5))
      case 1: publish(qos)
      case 2: subscribe(MQTTSubscription(act & 0x80 == 0 ? "a/+" : "#", qos: qos))
      case 3: if let subscriber = subscribers.popLast() { session.remove(subscriber) }
      case 4: deliver()
      default:
        let count = min(Int(act), rest.count)
        receive(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
      pump()
    }
    session.failAll(.closed)
    pump()
    precondition(endings.messages.count == publishCount, "A message has not ended.")
    precondition(session.outgoing.bytes == 0, "Memory of messages is not counted right.")
  }

  private mutating func begin(isSessionPresent: Bool, receiveMaximum: Int) {
    if isOpen { session.lose() }
    isOpen = true
    fromBroker = PacketDecoder(from: .broker, version, limit: 500)
    fromClient = PacketDecoder(from: .client, version, limit: 1 << 20)
    var limits = BrokerLimits(version)
    limits.receiveMaximum = receiveMaximum
    limits.topicAliasMaximum = version == .v5 ? 1 : 0
    session.begin(limits, isSessionPresent: isSessionPresent)
  }

  private mutating func publish(_ qos: MQTTQoS) {
    let number = publishCount
    do throws(MQTTError) {
      _ = try session.publish(MQTTMessage("a/long/topic", qos: qos), at: .zero) { [endings] _ in
        precondition(endings.messages.insert(number).inserted, "A message has ended twice.")
      }
      publishCount += 1
    } catch {}
  }

  private mutating func subscribe(_ subscription: MQTTSubscription) {
    let subscriber = Subscriber(
      [subscription], receive: { _ in }, confirm: {}, fail: { _ in }, complete: {})
    subscribers.append(subscriber)
    session.add(subscriber)
  }

  private mutating func deliver() {
    guard let message = session.nextMessage() else { return }
    for receiver in session.receivers(of: message) { receiver.deliver(message.message) }
    session.confirm(message)
  }

  private mutating func receive(_ bytes: [UInt8]) {
    guard isOpen else { return }
    fromBroker.append(bytes)
    do throws(ProtocolViolation) {
      while let packet = try fromBroker.next() { try session.receive(packet) }
    } catch {
      precondition(
        PacketDecoder.clientDisconnectReasons.contains(error.reason),
        "The broker cannot be told \(error.reason).")
      isOpen = false
      session.lose()
    }
  }

  private mutating func pump() {
    while true {
      if let event = session.nextEvent() {
        if case .finished(let finish, let result) = event { finish(result) }
      } else if let bytes = session.nextBytes(at: .zero) {
        check(bytes)
        session.didWrite()
      } else {
        return
      }
    }
  }

  private mutating func check(_ bytes: [UInt8]) {
    fromClient.append(bytes)
    do throws(ProtocolViolation) {
      guard try fromClient.next() != nil, fromClient.waitingCount == 0 else {
        fatalError("The client sends another number of packets than one.")
      }
    } catch {
      fatalError("The client violates the protocol: \(error.detail).")
    }
  }
}
