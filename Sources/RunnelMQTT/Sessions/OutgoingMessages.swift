import RunnelStreams

/// A message on its way to the broker.
struct Outgoing {
  typealias Finish = (Result<MQTTReceipt, MQTTError>) -> Void

  /// The number by which the message can be cancelled.
  let number: UInt64
  let message: MQTTMessage
  /// The time of the scheduler at which the message expires.
  let deadline: Duration?
  let finish: Finish
}

/// The messages that wait for the broker, and those that it has not confirmed.
///
/// They leave in their order. What belongs to one connection, such as the alias of a topic, is not kept here.
struct OutgoingMessages {
  /// A message that is confirmed, and has a packet identifier in the session.
  struct Unconfirmed {
    enum Phase {
      /// It was sent on an earlier connection only. If it is a duplicate, the broker may have it in the
      /// present session.
      case unsent(isDuplicate: Bool)
      /// It was sent on the present connection, and counts towards the limit of the broker.
      case sent
      /// The broker has a message with ``MQTTQoS/exactlyOnce``, and must forget its identifier. It counts
      /// if it was sent on the present connection.
      case released(hasSubscribers: Bool, counts: Bool)
    }

    let outgoing: Outgoing
    var phase = Phase.sent

    var counts: Bool {
      switch phase {
      case .unsent: false
      case .sent: true
      case .released(_, let counts): counts
      }
    }
  }

  private var waiting: [UInt64: Outgoing] = [:]
  /// The numbers of the waiting messages in their order, and some of cancelled ones.
  private var order = Queue<UInt64>()
  /// The first waiting message. It was taken out of the queue.
  private var head: Outgoing?
  private var unconfirmed: [UInt16: Unconfirmed] = [:]
  /// Their identifiers, in the order in which the messages were sent.
  private var sent: [UInt16] = []
  /// The identifiers of the released ones, in the order in which the broker has answered.
  private var released: [UInt16] = []
  private var repetitions = Queue<UInt16>()
  private var lastNumber: UInt64 = 0
  /// The number of messages that count towards the limit of the broker.
  private(set) var openCount = 0
  /// The memory of all messages.
  private(set) var bytes = 0

  /// The number of messages that have not ended.
  var count: Int { waiting.count + (head == nil ? 0 : 1) + unconfirmed.count }

  mutating func add(
    _ message: MQTTMessage, deadline: Duration? = nil, _ finish: @escaping Outgoing.Finish
  ) -> UInt64 {
    lastNumber += 1
    waiting[lastNumber] = Outgoing(
      number: lastNumber, message: message, deadline: deadline, finish: finish)
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
    // While nothing is sent, messages come and go without end.
    if order.count > 2 * waiting.count + 8 {
      var old = exchange(&order, with: Queue())
      while let number = old.popFirst() {
        if waiting[number] != nil { order.append(number) }
      }
    }
    return true
  }

  /// The length of the order of waiting messages, with the cancelled ones in it.
  var orderCount: Int { order.count }

  /// The identifiers of all messages that were sent.
  var identifiers: [UInt16] { Array(unconfirmed.keys) }

  /// Removes all messages, in their order.
  mutating func removeAll() -> [Outgoing] {
    var all = sent.compactMap { unconfirmed[$0]?.outgoing }
    while let next = first() {
      all.append(next)
      removeFirst()
    }
    let last = lastNumber
    self = OutgoingMessages()
    // A message that was removed must not be cancelled under the number of another one.
    lastNumber = last
    return all
  }

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

  /// The first message is sent with an identifier, and must be confirmed.
  mutating func awaitConfirmation(of id: UInt16) {
    guard let outgoing = exchange(&head, with: nil) else { return }
    unconfirmed[id] = Unconfirmed(outgoing: outgoing)
    sent.append(id)
    openCount += 1
  }

  /// True if messages of an earlier connection have to be sent again.
  var hasRepetitions: Bool { !repetitions.isEmpty }

  /// Returns the next message of an earlier connection, and counts it as sent.
  mutating func nextRepetition() -> (id: UInt16, outgoing: Outgoing, isDuplicate: Bool)? {
    while let id = repetitions.popFirst() {
      guard let message = unconfirmed[id], case .unsent(let isDuplicate) = message.phase else {
        continue
      }
      unconfirmed[id]?.phase = .sent
      openCount += 1
      return (id, message.outgoing, isDuplicate)
    }
    return nil
  }

  // MARK: - Answers

  subscript(id: UInt16) -> Unconfirmed? { unconfirmed[id] }

  /// The broker has the message. The PUBCOMP is the end.
  mutating func release(_ id: UInt16, hasSubscribers: Bool) {
    guard let message = unconfirmed[id] else { return }
    if case .released = message.phase { return }
    unconfirmed[id]?.phase = .released(hasSubscribers: hasSubscribers, counts: message.counts)
    released.append(id)
  }

  /// The message has ended.
  mutating func remove(_ id: UInt16) -> Outgoing? {
    guard let removed = unconfirmed.removeValue(forKey: id) else { return nil }
    if let index = sent.firstIndex(of: id) { sent.remove(at: index) }
    if case .released = removed.phase, let index = released.firstIndex(of: id) {
      released.remove(at: index)
    }
    if removed.counts { openCount -= 1 }
    bytes -= removed.outgoing.message.weight
    return removed.outgoing
  }

  // MARK: - Connections

  /// Messages that the broker has not confirmed are sent again on a new connection, in their order. Returns the
  /// identifiers that the broker must forget, in the order in which it has answered.
  mutating func begin(isSessionPresent: Bool) -> [UInt16] {
    openCount = 0
    repetitions = Queue()
    // A broker that has a message may have lost it with the session. It is sent again, too: a
    // message that arrives twice is better than none.
    if !isSessionPresent { released = [] }
    for id in sent {
      guard let message = unconfirmed[id] else { continue }
      switch message.phase {
      case .released(let hasSubscribers, _) where isSessionPresent:
        unconfirmed[id]?.phase = .released(hasSubscribers: hasSubscribers, counts: false)
        continue
      case .sent where isSessionPresent: unconfirmed[id]?.phase = .unsent(isDuplicate: true)
      case .unsent where isSessionPresent: break
      case .unsent, .sent, .released: unconfirmed[id]?.phase = .unsent(isDuplicate: false)
      }
      repetitions.append(id)
    }
    return released
  }
}
