import RunnelStreams

/// A message on its way to the broker.
struct Outgoing {
  typealias Finish = (Result<MQTTReceipt, MQTTError>) -> Void

  /// The number by which the message can be cancelled.
  let number: UInt64
  let message: MQTTMessage
  let finish: Finish
}

/// The messages that wait for the broker, and those that it has not confirmed.
///
/// They leave in their order. A message holds its full topic, and no number of a connection but its
/// packet identifier, which belongs to the session.
struct OutgoingMessages {
  /// A message that was sent and is not confirmed.
  struct Flight {
    enum Phase {
      /// The broker has not answered.
      case sent
      /// The broker has a message with ``MQTTQoS/exactlyOnce``, and must forget its identifier.
      case released(hasSubscribers: Bool)
    }

    let outgoing: Outgoing
    var phase = Phase.sent
    /// True if it was sent in the present session, so that a repetition is marked.
    var isKnown = true
    /// True if it was sent on the present connection, and counts towards the limit of the broker.
    var isCounted = true
  }

  private var waiting: [UInt64: Outgoing] = [:]
  private var order = Queue<UInt64>()
  /// The first waiting message. It was taken out of the queue.
  private var head: Outgoing?
  private var flights: [UInt16: Flight] = [:]
  /// The identifiers of the flights, in the order in which the messages were sent.
  private var sent: [UInt16] = []
  private var repetitions = Queue<UInt16>()
  private var lastNumber: UInt64 = 0
  /// The number of flights that count towards the limit of the broker.
  private(set) var openCount = 0
  /// The memory of all messages.
  private(set) var bytes = 0

  /// The number of messages that have not ended.
  var count: Int { waiting.count + (head == nil ? 0 : 1) + flights.count }

  mutating func add(_ message: MQTTMessage, _ finish: @escaping Outgoing.Finish) -> UInt64 {
    lastNumber += 1
    waiting[lastNumber] = Outgoing(number: lastNumber, message: message, finish: finish)
    order.append(lastNumber)
    bytes += message.weight
    return lastNumber
  }

  /// Removes a message that was not sent. Returns false if there is none.
  mutating func cancel(_ number: UInt64) -> Bool {
    var removed = waiting.removeValue(forKey: number)
    if head?.number == number { removed = exchange(&head, with: nil) }
    guard let removed else { return false }
    bytes -= removed.message.weight
    return true
  }

  /// Removes all messages, in their order.
  mutating func removeAll(_ ids: inout PacketIDs) -> [Outgoing] {
    for id in sent { ids.release(id) }
    var all = sent.compactMap { flights[$0]?.outgoing }
    while let next = first() {
      all.append(next)
      removeFirst()
    }
    self = OutgoingMessages(after: lastNumber)
    return all
  }

  init() {}

  private init(after number: UInt64) { lastNumber = number }

  // MARK: - Sending

  /// The next message that was never sent.
  mutating func first() -> Outgoing? {
    while head == nil, let number = order.popFirst() {
      head = waiting.removeValue(forKey: number)
    }
    return head
  }

  /// The first message is sent without confirmation, or fails.
  mutating func removeFirst() {
    guard let removed = exchange(&head, with: nil) else { return }
    bytes -= removed.message.weight
  }

  /// The first message is sent with an identifier.
  mutating func launch(_ id: UInt16) {
    guard let outgoing = exchange(&head, with: nil) else { return }
    flights[id] = Flight(outgoing: outgoing)
    sent.append(id)
    openCount += 1
  }

  /// True if messages of an earlier connection have to be sent again.
  var hasRepetitions: Bool { !repetitions.isEmpty }

  /// Returns the next message of an earlier connection, and counts it as sent.
  mutating func nextRepetition() -> (id: UInt16, flight: Flight)? {
    while let id = repetitions.popFirst() {
      guard let flight = flights[id] else { continue }
      if case .sent = flight.phase {
        flights[id]?.isKnown = true
        flights[id]?.isCounted = true
        openCount += 1
      }
      return (id, flight)
    }
    return nil
  }

  // MARK: - Answers

  subscript(id: UInt16) -> Flight? { flights[id] }

  /// The broker has the message, and no longer counts it once it has forgotten its identifier.
  mutating func release(_ id: UInt16, hasSubscribers: Bool) {
    flights[id]?.phase = .released(hasSubscribers: hasSubscribers)
  }

  mutating func land(_ id: UInt16) -> Outgoing? {
    guard let flight = flights.removeValue(forKey: id) else { return nil }
    if let index = sent.firstIndex(of: id) { sent.remove(at: index) }
    if flight.isCounted { openCount -= 1 }
    bytes -= flight.outgoing.message.weight
    return flight.outgoing
  }

  // MARK: - Connections

  /// The messages that the broker has not confirmed are sent again on a new connection, in their order.
  mutating func begin(isSessionPresent: Bool) {
    openCount = 0
    repetitions = Queue()
    for id in sent {
      flights[id]?.isCounted = false
      if !isSessionPresent {
        // A broker that has a message may have lost it with the session. It is sent again, too: a
        // message that arrives twice is better than none.
        flights[id]?.isKnown = false
        flights[id]?.phase = .sent
      }
      repetitions.append(id)
    }
  }
}
